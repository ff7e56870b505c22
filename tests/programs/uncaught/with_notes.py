error = ValueError("annotated")
error.add_note("note one")
error.add_note("note two\nwith a second line")
raise error
