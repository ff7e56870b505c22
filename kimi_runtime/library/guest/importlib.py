"""The part of importlib that imports by name."""
from _guest_imports import __import__, modules, reload_module

__all__ = ["import_module", "invalidate_caches", "reload"]


def import_module(name, package=None):
    """Import a module.

    The 'package' argument is needed for a relative name: it is the package from which the name counts.
    """
    level = len(name) - len(name.lstrip("."))
    if level:
        if not package:
            raise TypeError(f"the 'package' argument is required to perform a relative import for {name!r}")
        parts = package.rsplit(".", level - 1)
        if len(parts) < level:
            raise ImportError("attempted relative import beyond top-level package")
        name = f"{parts[0]}.{name[level:]}" if name[level:] else parts[0]
    __import__(name)
    return modules[name]


def reload(module):
    """Run the code of a module again, in the namespace that it has, and return the module."""
    try:
        name = module.__spec__.name
    except AttributeError:
        try:
            name = module.__name__
        except AttributeError:
            raise TypeError("reload() argument must be a module") from None
    if modules.get(name) is not module:
        raise ImportError(f"module {name} not in sys.modules", name=name)
    return reload_module(module)


def invalidate_caches():
    """Does nothing: what a guest can import does not change while it runs."""
