# ruff: noqa: F821
"""What a handler tells of a record that it cannot write: frames of tracebacks lead nowhere, so the calls come from the stack."""


def _handle_error(self, record):
    if not (raiseExceptions and sys.stderr):
        return
    write = sys.stderr.write
    try:
        write("--- Logging error ---\n")
        traceback.print_exc(file=sys.stderr)
        write("Call stack:\n")
        frame = sys._getframe()
        while frame and os.path.dirname(frame.f_code.co_filename) == __path__[0]:
            frame = frame.f_back
        if frame:
            traceback.print_stack(frame, file=sys.stderr)
        else:
            write("Logged from file %s, line %s\n" % (record.filename, record.lineno))
        try:
            write("Message: %r\nArguments: %s\n" % (record.msg, record.args))
        except RecursionError:
            raise
        except Exception:
            write("Unable to print the message and arguments - possible formatting error.\n"
                  "Use the traceback above to help find the error.\n")
    except OSError:
        pass


_handle_error.__name__, _handle_error.__qualname__ = "handleError", "Handler.handleError"
_handle_error.__doc__ = Handler.handleError.__doc__
Handler.handleError = _handle_error
del _handle_error
