"""Where the time and the memory of guests go: sampling, what is made of the samples, and the forms it is shown in."""
