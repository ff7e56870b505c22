import atexit
import warnings


class Fails:
    def __call__(self, value):
        raise ValueError(value)

    def __repr__(self):
        return "<fails>"


atexit.register(Fails(), 3)
warnings.simplefilter("error")


def old():
    warnings.warn("old", DeprecationWarning, stacklevel=2)


old()
