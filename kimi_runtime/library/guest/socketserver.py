"""What ``logging.config`` derives from; guests cannot import it and have no network."""


class StreamRequestHandler:
    """Never made: there is no server that would ask for one."""


class ThreadingTCPServer:
    """Cannot be made."""

    def __init__(self, *args, **kwargs):
        raise PermissionError(13, "socketserver.ThreadingTCPServer is not open to guests: it would reach the host")
