"""Regular expressions of guests: an interpreter of the code that the ``re`` compiler emits, bounded by the limits of the run."""
