"""Memory of guests: a heap for each run, in front of CPython's allocators."""
