# "Did you mean", which 3.11 writes in C.  Part of tracebacks.pyx.

cdef int add_suggestion(shown, exc) except -1:
    name = getattr(exc, "name", None)
    if type(name) is not str or type(exc) not in (NameError, AttributeError):
        return 0
    guess = None
    if issubclass(type(exc), AttributeError):
        if exc.obj is None and "NoneType" not in str(exc):
            return 0
        try:
            names = dir(exc.obj)
        except Exception:
            return 0                                    # a __dir__ of the guest that fails: no suggestion
        guess = suggest(names, name)
    else:
        tb = exc.__traceback__
        if tb is None:
            return 0
        while tb.tb_next is not None:
            tb = tb.tb_next
        varnames = list(tb.tb_frame.f_code.co_consts[3])
        for names in (varnames, list(tb.tb_frame.f_globals), list(tb.tb_frame.f_builtins)):
            guess = suggest(names, name)
            if guess is not None:
                break
    if guess is not None:
        shown._str += f". Did you mean: '{guess}'?"
    return 0


class Suggestions:
    """While it is entered, 3.12 and later make suggestions for guest exceptions in this thread by ``suggestion``.

    The host's own would import the module that an ImportError names, and sees no locals of shadow frames.
    """

    def __init__(self):
        self.thread = get_ident()
        self.original = getattr(traceback, "_compute_suggestion_error", None)
        self.hidden = []                # (exception, its name), names that are no text

    def __enter__(self):
        if self.original is not None:
            traceback._compute_suggestion_error = self.suggestion

    def __exit__(self, *details):
        if self.original is not None:
            traceback._compute_suggestion_error = self.original
        for exc, name in self.hidden:
            name_of_error.__set__(exc, name)

    def hide_name(self, exc, name):
        """The host looks a NameError's name up in a set, and nothing ends the hash of a tuple with 2 ** 60 parts."""
        if name_of_error.__get__(exc) is not name:
            raise TypeError("the name that was not found is no text")
        self.hidden.append((exc, name))
        name_of_error.__set__(exc, None)

    def suggestion(self, exc, tb, name):
        if get_ident() == self.thread and issubclass(type(exc), AttributeError) and sys.version_info < (3, 13):
            # 3.12 shows uncaught exceptions from C, which finds more than its traceback module.
            try:
                return suggest(dir(exc.obj), name) if type(name) is str else None
            except Exception:
                return None                             # a __dir__ of the guest that fails
        if get_ident() != self.thread or not issubclass(type(exc), (NameError, ImportError)):
            return self.original(exc, tb, name)
        if type(name) is not str:
            if issubclass(type(exc), NameError):
                self.hide_name(exc, name)
            return None
        if issubclass(type(exc), ImportError):
            module = sys.modules.get(exc.name) if exc.name in ("math", "time") else None
            return None if module is None else suggest(dir(module), name)
        while tb is not None and tb.tb_next is not None:
            tb = tb.tb_next
        if tb is None or not is_shadow(tb.tb_frame):
            return None
        frame = tb.tb_frame
        found = list(frame.f_code.co_consts[3]), list(frame.f_globals), list(frame.f_builtins)
        if sys.version_info < (3, 13):
            return next((guess for names in found if (guess := suggest(names, name)) is not None), None)
        return suggest([each for names in found for each in names], name)


cdef enum:
    MAX_CANDIDATES = 750
    MAX_NAME = 40
    MOVE_COST = 2
    CASE_COST = 1


cdef object suggest(list names, str wrong):
    """The candidate that CPython suggests for a misspelt name, or None."""
    cdef Py_ssize_t best_distance = 2**62, distance, limit
    if len(names) >= MAX_CANDIDATES or len(wrong) > MAX_NAME:
        return None
    best = None
    for candidate in names:
        if not isinstance(candidate, str) or candidate == wrong:
            continue
        # No more than about a third of the characters may differ.
        limit = min((len(candidate) + len(wrong) + 3) * MOVE_COST // 6, best_distance - 1)
        distance = edit_distance(wrong, candidate, limit)
        if distance <= limit and (best is None or distance < best_distance):
            best, best_distance = candidate, distance
    return best


cdef int substitution(str a, str b) except -1:
    if a == b:
        return 0
    return CASE_COST if a.lower() == b.lower() else MOVE_COST


cdef Py_ssize_t edit_distance(str a, str b, Py_ssize_t limit) except -1:
    """Levenshtein distance with cheap changes of case; anything above the limit is limit + 1."""
    cdef Py_ssize_t i, result, minimum, above, here
    cdef list row
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    if not a or not b:
        return (len(a) + len(b)) * MOVE_COST
    if len(a) > MAX_NAME or len(b) > MAX_NAME:
        return limit + 1
    if len(b) < len(a):
        a, b = b, a
    if (len(b) - len(a)) * MOVE_COST > limit:
        return limit + 1
    row = [MOVE_COST * (i + 1) for i in range(len(a))]
    result = 0
    for j, char in enumerate(b):
        above = result = j * MOVE_COST
        minimum = 2**62
        for i in range(len(a)):
            here = above + substitution(char, a[i])
            above = row[i]
            result = min(here, min(result, above) + MOVE_COST)
            row[i] = result
            if result < minimum:
                minimum = result
        if minimum > limit:
            return limit + 1
    return result
