"""The parts of `importlib.util` that need no files."""
from _guest_imports import modules
from importlib import import_module
from importlib.machinery import ModuleSpec

__all__ = ["find_spec", "module_from_spec", "resolve_name"]


def resolve_name(name, package):
    """Resolve a relative module name to an absolute one."""
    if not name.startswith("."):
        return name
    if not package:
        raise ImportError(f"no package specified for {name!r} (required for relative module names)")
    level = len(name) - len(name.lstrip("."))
    parts = package.rsplit(".", level - 1)
    if len(parts) < level:
        raise ImportError("attempted relative import beyond top-level package")
    return f"{parts[0]}.{name[level:]}" if name[level:] else parts[0]


def find_spec(name, package=None):
    """Return the spec of a module, or None when there is none of that name.

    A module that was not imported before is imported for it.
    """
    full = resolve_name(name, package)
    module = modules.get(full)
    if module is None:
        if full in modules:
            return None
        try:
            module = import_module(full)
        except ModuleNotFoundError as error:
            if error.name != full:
                raise
            return None
    spec = getattr(module, "__spec__", None)
    if spec is None:
        raise ValueError(f"{full}.__spec__ is None" if hasattr(module, "__spec__") else f"{full}.__spec__ is not set")
    return spec


def module_from_spec(spec):
    """Create a module based on the provided spec."""
    module = type(modules["sys"])(spec.name)
    module.__spec__ = spec
    return module
