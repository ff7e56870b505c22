"""``display``, and the forms in which objects show themselves, by the rules of IPython."""
import base64 as _base64
import sys as _sys
import traceback as _traceback

_send = None        # function of the host that takes what is displayed

# Format, method, and what that may return.
_FORMATS = (
    ("text/plain", "__repr__", str),
    ("text/html", "_repr_html_", str),
    ("text/markdown", "_repr_markdown_", str),
    ("image/svg+xml", "_repr_svg_", str),
    ("image/png", "_repr_png_", (bytes, str)),
    ("application/pdf", "_repr_pdf_", (bytes, str)),
    ("image/jpeg", "_repr_jpeg_", (bytes, str)),
    ("text/latex", "_repr_latex_", str),
    ("application/json", "_repr_json_", (dict, list, str, int, float, bool)),
    ("application/javascript", "_repr_javascript_", str),
)
_CANARY = "_ipython_canary_method_should_not_exist_"


def _report(error):
    """A method that fails concerns its own format only."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_globals is globals():
        trace = trace.tb_next
    _traceback.print_exception(type(error), error, trace)


def _method(value, name):
    """A method by which an object shows itself; None when it has none of its own."""
    if isinstance(value, type):
        return None
    try:
        if getattr(value, _CANARY, None) is not None:
            return None             # it has every attribute that one asks for
        found = getattr(value, name, None)
    except Exception:
        return None
    return found if callable(found) else None


def _call(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except NotImplementedError:
        return None
    except Exception as error:
        _report(error)
        return None


def _own_bundle(value, include, exclude):
    method = _method(value, "_repr_mimebundle_")
    found = None if method is None else _call(method, include=include, exclude=exclude)
    if isinstance(found, tuple) and len(found) == 2:
        data, metadata = found
    else:
        data, metadata = found, {}
    if not isinstance(data, dict):
        return {}, {}
    wanted = {key: each for key, each in data.items() if (not include or key in include) and (not exclude or key not in exclude)}
    return wanted, dict(metadata) if isinstance(metadata, dict) else {}


def _bundle(value, include=None, exclude=None):
    """All forms of an object: two dictionaries, of the data and of what is said about it, by format."""
    data, metadata = _own_bundle(value, include, exclude)
    for form, name, kinds in _FORMATS:
        if form in data or include and form not in include or exclude and form in exclude:
            continue
        if name == "__repr__":
            found = _call(repr, value)
        else:
            method = _method(value, name)
            found = None if method is None else _call(method)
        if isinstance(found, tuple) and len(found) == 2:
            found, metadata[form] = found
        if found is None:
            continue
        if not isinstance(found, kinds):
            print(f"{name}() of a {type(value).__name__} returned {type(found).__name__}, which is no {form}", file=_sys.stderr)
            continue
        data[form] = found
    for form, found in data.items():
        if isinstance(found, (bytes, bytearray)):
            data[form] = _base64.b64encode(found).decode()
    return data, metadata


def display(*objs, include=None, exclude=None, metadata=None, raw=False):
    """Show objects in all the forms that they have: HTML, images, and so on. With raw=True they are dictionaries of forms."""
    for value in objs:
        if raw:
            _send(dict(value), dict(metadata or {}))
            continue
        data, about = _bundle(value, include, exclude)
        if data:
            _send(data, {**about, **(metadata or {})})
