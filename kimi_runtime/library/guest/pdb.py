"""A debugger needs the frames of the host: what `doctest` refers to is here and refuses."""


def set_trace(*arguments, **keywords):
    raise RuntimeError("a guest has no debugger")


class Pdb:
    def __init__(self, *arguments, **keywords):
        self.stdout = keywords.get("stdout")

    def set_trace(self, frame=None):
        set_trace()

    def reset(self):
        pass

    def set_continue(self):
        pass

    def trace_dispatch(self, *arguments):
        set_trace()

    def run(self, command, globals=None, locals=None):
        set_trace()
