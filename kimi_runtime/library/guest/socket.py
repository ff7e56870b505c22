"""What ``email.utils`` and ``logging.handlers`` need of ``socket``: a name for this machine, and no way out.

Guests are not told the real name, and cannot import this.
"""
AF_UNIX, AF_INET, SOCK_STREAM, SOCK_DGRAM = 1, 2, 1, 2


def getfqdn(name=""):
    """The same for all."""
    return name or "localhost"


def gethostname():
    """The same for all."""
    return "localhost"


def socket(*args, **kwargs):
    """Raises PermissionError: guests have no network."""
    raise PermissionError(13, "socket.socket is not open to guests: it would reach the host")


def create_connection(*args, **kwargs):
    """Raises PermissionError, as ``socket`` does."""
    raise PermissionError(13, "socket.create_connection is not open to guests: it would reach the host")


def getaddrinfo(*args, **kwargs):
    """Raises PermissionError, as ``socket`` does."""
    raise PermissionError(13, "socket.getaddrinfo is not open to guests: it would reach the host")
