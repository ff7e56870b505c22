"""The event loop of guests: futures, tasks, and the loop that runs them."""
