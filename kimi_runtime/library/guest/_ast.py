"""The node classes of `ast`, made from the schema of the host's version."""
from _trees import FLAGS, SCHEMA, register as _register
import sys as _sys

globals().update(FLAGS)


class AST:
    __module__ = "ast"
    _fields = _attributes = __match_args__ = ()

    def __new__(cls, *args, **kwargs):
        return object.__new__(cls)

    def __init__(self, *args, **kwargs):
        fields = self._fields
        cls = type(self)
        if len(args) > len(fields):
            raise TypeError(f"{cls.__name__} constructor takes at most {len(fields)} positional "
                            f"argument{'' if len(fields) == 1 else 's'}")
        for name, value in zip(fields, args):
            setattr(self, name, value)
        for name, value in kwargs.items():
            if name in fields[:len(args)]:
                raise TypeError(f"{cls.__name__} got multiple values for argument {name!r}")
            if _STRICT and name not in fields and name not in self._attributes:
                _warn(f"{cls.__name__}.__init__ got an unexpected keyword argument {name!r}. Support for arbitrary "
                      f"keyword arguments is deprecated and will be removed in Python 3.15.")
            setattr(self, name, value)
        if _STRICT:
            for name in fields[len(args):]:
                if name not in kwargs and not hasattr(cls, name):
                    _fill(self, cls, name)

    def __reduce__(self):
        return type(self), (), self.__dict__.copy()


_STRICT = _sys.version_info >= (3, 13)
_defaults = {}


def _fill(node, cls, name):
    kind = _defaults[cls.__name__, name] if (cls.__name__, name) in _defaults else ""
    if kind.endswith("*"):
        setattr(node, name, [])
    elif kind == "expr_context":
        setattr(node, name, globals()["Load"]())
    elif kind:
        _warn(f"{cls.__name__}.__init__ missing 1 required positional argument: {name!r}. This will become an error in "
              f"Python 3.15.")


def _warn(text):
    import warnings
    warnings.warn(text, DeprecationWarning, stacklevel=3)


_TEMPLATE = """
class {name}({base}):
    __module__ = "ast"
    _fields = __match_args__ = {fields!r}
    _attributes = {attributes!r}
"""


def _make():
    classes = {"AST": AST}
    namespace = globals()
    for name, base, doc, fields, types, attributes in SCHEMA:
        exec(_TEMPLATE.format(name=name, base=base, fields=fields, attributes=attributes), namespace)
        cls = classes[name] = namespace[name]
        cls.__doc__ = doc
        for field, kind in zip(fields, types):
            _defaults[name, field] = kind
            if kind.endswith("?"):
                setattr(cls, field, None)
        if base == "AST":
            for each in attributes:
                if each.startswith("end_"):
                    setattr(cls, each, None)
    _register(classes)


_make()
