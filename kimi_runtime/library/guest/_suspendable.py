"""What native functions do that call back into the guest, in guest code: its frames can be suspended.

They are called only with arguments from which guest code may run; see ``vm/suspending.pxi``. Tracebacks do not show them.
"""
# What the loader gives this module.
_parts = _has_next = _steps_in_guest = None
_MISSING = object()


# ---- iterators: generators that stand for an iteration over the native object --------------------------------
def _map_items(iterator):
    function, *sources = _parts(iterator)
    iterator = None
    if len(sources) == 1:
        for item in sources[0]:
            try:
                item = function(item)
            except StopIteration:
                return
            yield item
        return
    while True:
        args = []
        for source in sources:
            for item in source:
                args.append(item)
                break
            else:
                return
        try:
            item = function(*args)
        except StopIteration:
            return
        yield item


def _filter_items(iterator):
    function, source = _parts(iterator)
    iterator = None
    for item in source:
        if function is None or function is bool:
            if item:
                yield item
        else:
            try:
                keep = function(item)
            except StopIteration:
                return
            if keep:
                yield item


def _enumerate_items(iterator):
    source, index = _parts(iterator)
    iterator = None
    for item in source:
        yield index, item
        index += 1


def _zip_items(iterator):
    sources = _parts(iterator)
    iterator = None
    while sources:
        items = []
        for source in sources:
            for item in source:
                items.append(item)
                break
            else:
                return
        yield tuple(items)


def _object_items(iterable):
    iterator = type(iterable).__iter__(iterable)
    if not _has_next(iterator):
        raise TypeError(f"iter() returned non-iterator of type '{type(iterator).__name__}'")
    if not _steps_in_guest(iterator):
        for item in iterator:
            yield item
        return
    step = type(iterator).__next__
    while True:
        try:
            item = step(iterator)
        except StopIteration:
            return
        yield item


# ---- functions that take an iterable or a key ------------------------------------------------------------
def _list(iterable):
    return [item for item in iterable]


def _tuple(iterable):
    return tuple([item for item in iterable])


def _set(iterable):
    return {item for item in iterable}


def _frozenset(iterable):
    return frozenset([item for item in iterable])


def _dict(iterable, /, **more):
    if hasattr(iterable, "keys"):
        return dict(iterable, **more)
    return dict([item for item in iterable], **more)


def _sum(iterable, /, start=0):
    return sum([item for item in iterable], start)


def _any(iterable, /):
    for item in iterable:
        if item:
            return True
    return False


def _all(iterable, /):
    for item in iterable:
        if not item:
            return False
    return True


def _extreme(native, args, key, default):
    if len(args) > 1:
        if default is not _MISSING:
            return native(*args, key=key, default=default)
        args = [args]
    best = least = _MISSING
    for item in args[0]:
        weight = item if key is None else key(item)
        if best is _MISSING or (weight < least if native is min else weight > least):
            best = item
            least = weight
    if best is not _MISSING:
        return best
    return native(()) if default is _MISSING else default


def _min(*args, key=None, default=_MISSING):
    return _extreme(min, args, key, default)


def _max(*args, key=None, default=_MISSING):
    return _extreme(max, args, key, default)


def _sorted(iterable, /, *, key=None, reverse=False):
    items = [item for item in iterable]
    if key is None:
        return sorted(items, reverse=reverse)
    keys = [key(item) for item in items]
    return [items[i] for i in sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)]


def _list_sort(self, /, *, key=None, reverse=False):
    # As in CPython the list is empty meanwhile, and whatever is put into it is lost.
    items = found = list.copy(self)
    list.clear(self)
    try:
        found = _sorted(items, key=key, reverse=reverse)
    finally:
        modified = list.__len__(self) > 0
        list.__setitem__(self, slice(None), found)
    if modified:
        raise ValueError("list modified during sort")


def _list_extend(self, iterable, /):
    for item in iterable:
        self.append(item)


def _str_join(self, iterable, /):
    return self.join([item for item in iterable])


def _set_update(self, /, *iterables):
    for iterable in iterables:
        for item in iterable:
            self.add(item)


def _dict_update(self, iterable, /, **more):
    if hasattr(iterable, "keys"):
        self.update(iterable, **more)
        return
    self.update([item for item in iterable], **more)


def _reduce(function, sequence, initial=_MISSING, /):
    result = initial
    for item in sequence:
        result = item if result is _MISSING else function(result, item)
    if result is _MISSING:
        raise TypeError("reduce() of empty iterable with no initial value")
    return result


def _next(iterator, default=_MISSING, /):
    if _steps_in_guest(iterator):
        if default is _MISSING:
            return type(iterator).__next__(iterator)
        try:
            return type(iterator).__next__(iterator)
        except StopIteration:
            return default
    for item in iterator:
        return item
    if default is _MISSING:
        raise StopIteration
    return default


_ITERATORS = {map: _map_items, filter: _filter_items, enumerate: _enumerate_items, zip: _zip_items, object: _object_items}
_CALLS = {list: _list, tuple: _tuple, set: _set, frozenset: _frozenset, dict: _dict, sum: _sum, any: _any, all: _all, min: _min,
          max: _max, sorted: _sorted, next: _next}
_METHODS = (("list.sort", _list_sort), ("list.extend", _list_extend), ("str.join", _str_join), ("set.update", _set_update),
            ("dict.update", _dict_update), ("reduce", _reduce))
