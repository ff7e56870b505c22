"""Files of the guests: a file system in memory for each, with folders of the host mounted where the host says so."""
