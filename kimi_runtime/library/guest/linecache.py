"""Lines of the guest's own sources, and of those that a program puts into `cache`. There are no files."""
import _sources

__all__ = ["getline", "clearcache", "checkcache", "lazycache"]


class _Cache(dict):
    """file name -> (size, None, lines, full name); a source of the guest's counts as being there (`inspect` asks so)."""

    def __contains__(self, filename):
        return dict.__contains__(self, filename) or bool(updatecache(filename))


cache = _Cache()


def clearcache():
    """Clear the cache entirely."""
    cache.clear()


def getline(filename, lineno, module_globals=None):
    """Get a line of a source by number, with its newline; an empty string when there is none."""
    lines = getlines(filename, module_globals)
    return lines[lineno - 1] if 1 <= lineno <= len(lines) else ""


def getlines(filename, module_globals=None):
    """Get the lines of a source as a list; an empty one when it is not known."""
    entry = cache.get(filename)
    if entry is not None:
        if len(entry) == 1:                 # lazy: the function gives the text
            try:
                text = entry[0]()
            except (ImportError, OSError):
                return []
            return [] if text is None else updatecache(filename, module_globals, text)
        return entry[2]
    return updatecache(filename, module_globals)


def updatecache(filename, module_globals=None, text=None):
    """Fetches the lines of a source again, and returns them."""
    cache.pop(filename, None)
    if text is None:
        text = _sources.get(filename)
    if text is None:
        return []
    lines = [line + "\n" for line in text.splitlines()]
    cache[filename] = (len(text), None, lines, filename)
    return lines


def checkcache(filename=None):
    """Sources of a guest do not change while it runs: nothing is out of date."""


def lazycache(filename, module_globals):
    """Notes where the source of a module comes from; true when it did, so for modules whose loader has get_source."""
    if filename in cache.keys():
        return len(cache[filename]) == 1
    if not filename or (filename.startswith("<") and filename.endswith(">")) or not module_globals:
        return False
    loader = getattr(module_globals.get("__spec__"), "loader", None) or module_globals.get("__loader__")
    get_source = getattr(loader, "get_source", None)
    name = module_globals.get("__name__")
    if not name or get_source is None:
        return False
    cache[filename] = (lambda: get_source(name),)
    return True
