"""What ``email.utils`` needs of ``socket``: a name for this machine, which guests are not told. They cannot import it."""


def getfqdn(name=""):
    """The same for all."""
    return name or "localhost"


def gethostname():
    """The same for all."""
    return "localhost"
