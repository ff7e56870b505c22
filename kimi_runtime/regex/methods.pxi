# Methods of patterns, matches and scanners: functions that take the arguments of METH_FASTCALL, as CPython's own do, so
# that their descriptors, signatures and error messages are those that programs know. `install` puts them into the types.

ctypedef PyObject *(*fast)(PyObject *, PyObject **, Py_ssize_t, PyObject *)


cdef object bind(const char *format, char **names, PyObject **args, Py_ssize_t n, PyObject *keywords, int least, int most,
                 PyObject **out):
    """Puts arguments (borrowed) into `out`; what is not given stays. Returns what keeps them alive.

    The messages of CPython's own parser are raised for what is missing or too many.
    """
    cdef Py_ssize_t i
    cdef tuple given
    cdef dict named
    if keywords == NULL and least <= n <= most:
        for i in range(n):
            out[i] = args[i]
        return None
    given = tuple([<object>args[i] for i in range(n)])
    named = {}
    if keywords != NULL:
        for i, name in enumerate(<tuple>keywords):
            named[name] = <object>args[n + i]
    if not PyArg_ParseTupleAndKeywords(given, named, format, names, &out[0], &out[1], &out[2]):
        raise_set()
    return given, named


cdef Py_ssize_t as_size(PyObject *value, Py_ssize_t default) except? -1:
    """An argument that is an index, or the default when it is not given."""
    if value == NULL:
        return default
    return PyLong_AsSsize_t(PyNumber_Index(<object>value))


cdef char **TEXT_NAMES = ["string", "pos", "endpos", NULL]
cdef char **SPLIT_NAMES = ["string", "maxsplit", NULL]
cdef char **SUB_NAMES = ["repl", "string", "count", NULL]
cdef char **DEFAULT_NAMES = ["default", NULL]
cdef char **EXPAND_NAMES = ["template", NULL]


# ---- patterns
cdef object match_once(Pattern self, const char *format, PyObject **args, Py_ssize_t n, PyObject *keywords, int how):
    """match, fullmatch and search."""
    cdef Machine m
    cdef Text t
    cdef PyObject *given[3]
    cdef Py_ssize_t pos, endpos
    given[0] = given[1] = given[2] = NULL
    kept = bind(format, TEXT_NAMES, args, n, keywords, 1, 3, given)
    pos = as_size(given[1], 0)
    endpos = as_size(given[2], PY_SSIZE_T_MAX)
    string = <object>given[0]
    open_for(self, &m, &t, string, pos, endpos)
    try:
        pos = m.start
        endpos = m.end
        m.match_all = how == 1
        if not (match_next(&m) if how == 2 else match_here(&m)):
            return None
        return new_match(self, &m, string, pos, endpos)
    finally:
        close_both(&m, &t)


cdef object pattern_match(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    return match_once(self, "O|OO:match", args, n, keywords, 0)

cdef object pattern_fullmatch(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    return match_once(self, "O|OO:fullmatch", args, n, keywords, 1)

cdef object pattern_search(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    return match_once(self, "O|OO:search", args, n, keywords, 2)


cdef object group_text(Machine *m, Text *t, object string, Py_ssize_t group, object default):
    """The text of a group (from 0) of the match that was just found."""
    cdef Py_ssize_t start = m.marks[2 * group]
    cdef Py_ssize_t end = m.marks[2 * group + 1]
    if start < 0 or end < 0:
        return text_slice(t, string, 0, 0) if default is not None else None
    if start > end:
        raise SystemError("The span of capturing group is wrong, please report a bug for the re module.")
    return text_slice(t, string, start, end)


cdef object pattern_findall(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef Machine m
    cdef Text t
    cdef PyObject *given[3]
    cdef Py_ssize_t pos, endpos, i
    cdef list found
    given[0] = given[1] = given[2] = NULL
    kept = bind("O|OO:findall", TEXT_NAMES, args, n, keywords, 1, 3, given)
    pos = as_size(given[1], 0)
    endpos = as_size(given[2], PY_SSIZE_T_MAX)
    string = <object>given[0]
    open_for(self, &m, &t, string, pos, endpos)
    try:
        found = []
        while m.start <= m.end and match_next(&m):
            if self.groups == 0:
                item = text_slice(&t, string, m.start, m.at)
            elif self.groups == 1:
                item = group_text(&m, &t, string, 0, "")
            else:
                item = PyTuple_New(self.groups)
                for i in range(self.groups):
                    part = group_text(&m, &t, string, i, "")
                    Py_INCREF(<PyObject *>part)
                    PyTuple_SET_ITEM(item, i, part)
            found.append(item)
            go_on(&m)
        return found
    finally:
        close_both(&m, &t)


cdef object pattern_split(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef Machine m
    cdef Text t
    cdef PyObject *given[3]
    cdef Py_ssize_t most, done = 0, last, i
    cdef list found
    given[0] = given[1] = given[2] = NULL
    kept = bind("O|O:split", SPLIT_NAMES, args, n, keywords, 1, 2, given)
    most = as_size(given[1], 0)
    string = <object>given[0]
    open_for(self, &m, &t, string, 0, PY_SSIZE_T_MAX)
    try:
        found = []
        last = 0
        while (not most or done < most) and match_next(&m):
            found.append(text_slice(&t, string, last, m.start))
            for i in range(self.groups):
                found.append(group_text(&m, &t, string, i, None))
            done += 1
            last = m.at
            go_on(&m)
        found.append(text_slice(&t, string, last, m.end))
        return found
    finally:
        close_both(&m, &t)


cdef bint is_plain(object repl) except -1:
    """Whether a replacement is a text without a backslash."""
    cdef Text t
    if PyUnicode_Check(repl):
        k_ready(repl)
        return PyUnicode_FindChar(repl, 92, 0, PyUnicode_GET_LENGTH(repl), 1) == -1
    try:
        text_open(&t, repl)
    except (TypeError, ValueError):
        return False
    try:
        return memchr(t.data, 92, t.length) == NULL
    finally:
        text_close(&t)


cdef object substitute(Pattern self, object repl, object string, Py_ssize_t most, bint with_count):
    """sub and subn."""
    cdef Machine m
    cdef Text t
    cdef Py_ssize_t done = 0, last = 0, endpos
    cdef list parts = []
    cdef Template template = None
    cdef bint is_function = PyCallable_Check(repl)
    if not is_function and not is_plain(repl):
        repl = compile_template(self, repl)
        if type(repl) is Template:
            template = repl
            if not template.parts:
                repl = template.literal
                template = None
        else:
            is_function = PyCallable_Check(repl)
    open_for(self, &m, &t, string, 0, PY_SSIZE_T_MAX)
    try:
        endpos = m.end
        while (not most or done < most) and match_next(&m):
            if last < m.start:
                parts.append(text_slice(&t, string, last, m.start))
            if template is not None:
                item = expand(template, new_match(self, &m, string, 0, endpos))
            elif is_function:
                item = repl(new_match(self, &m, string, 0, endpos))
            else:
                item = repl
            if item is not None:
                parts.append(item)
            last = m.at
            done += 1
            go_on(&m)
        if last < endpos:
            parts.append(text_slice(&t, string, last, endpos))
        if not parts:
            result = text_slice(&t, string, 0, 0)
        elif t.is_bytes:
            result = PyBytes_Join(b"", parts)
        else:
            result = PyUnicode_Join("", parts)
    finally:
        close_both(&m, &t)
    return (result, done) if with_count else result


cdef object pattern_sub(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef PyObject *given[3]
    given[0] = given[1] = given[2] = NULL
    kept = bind("OO|O:sub", SUB_NAMES, args, n, keywords, 2, 3, given)
    return substitute(self, <object>given[0], <object>given[1], as_size(given[2], 0), False)

cdef object pattern_subn(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef PyObject *given[3]
    given[0] = given[1] = given[2] = NULL
    kept = bind("OO|O:subn", SUB_NAMES, args, n, keywords, 2, 3, given)
    return substitute(self, <object>given[0], <object>given[1], as_size(given[2], 0), True)


cdef Scanner new_scanner(Pattern self, const char *format, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef PyObject *given[3]
    cdef Py_ssize_t pos, endpos
    cdef Scanner scanner
    given[0] = given[1] = given[2] = NULL
    kept = bind(format, TEXT_NAMES, args, n, keywords, 1, 3, given)
    pos = as_size(given[1], 0)
    endpos = as_size(given[2], PY_SSIZE_T_MAX)
    scanner = Scanner.__new__(Scanner)
    open_for(self, &scanner.machine, &scanner.text, <object>given[0], pos, endpos)
    scanner.open = True
    scanner.pattern = self
    scanner.string = <object>given[0]
    scanner.pos = scanner.machine.start
    scanner.endpos = scanner.machine.end
    return scanner

cdef object pattern_scanner(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    return new_scanner(self, "O|OO:scanner", args, n, keywords)

cdef object pattern_finditer(Pattern self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    return PyCallIter_New(new_scanner(self, "O|OO:finditer", args, n, keywords).search, None)

cdef object itself(object self, PyObject *ignored):
    """__copy__ and __deepcopy__."""
    return self


# ---- scanners
cdef object scan(Scanner self, bint search):
    cdef Machine *m = &self.machine
    cdef bint found
    if self.executing:
        raise ValueError("regular expression scanner already executing")
    if self.finished:
        return None
    self.executing = True
    try:
        if search:
            found = match_next(m)
        else:
            machine_reset(m)
            found = match_here(m)
        if not found:
            self.finished = True
            return None
        result = new_match(self.pattern, m, self.string, self.pos, self.endpos)
        go_on(m)
        return result
    finally:
        self.executing = False

cdef object scanner_match(Scanner self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    if n or keywords != NULL:
        raise TypeError("match() takes no arguments")
    return scan(self, False)

cdef object scanner_search(Scanner self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    if n or keywords != NULL:
        raise TypeError("search() takes no arguments")
    return scan(self, True)


# ---- matches
cdef object match_group(Match self, PyObject **args, Py_ssize_t n):
    cdef Py_ssize_t i
    if n == 0:
        return match_slice(self, 0, None)
    if n == 1:
        return match_slice(self, match_index(self, <object>args[0]), None)
    result = PyTuple_New(n)
    for i in range(n):
        item = match_slice(self, match_index(self, <object>args[i]), None)
        Py_INCREF(<PyObject *>item)
        PyTuple_SET_ITEM(result, i, item)
    return result

cdef Py_ssize_t one_group(Match self, str name, PyObject **args, Py_ssize_t n) except -1:
    """The only argument of start, end and span."""
    if n > 1:
        raise TypeError(f"{name} expected at most 1 argument, got {n}")
    return 0 if n == 0 else match_index(self, <object>args[0])

cdef object match_start(Match self, PyObject **args, Py_ssize_t n):
    return self.marks[2 * one_group(self, "start", args, n)]

cdef object match_end(Match self, PyObject **args, Py_ssize_t n):
    return self.marks[2 * one_group(self, "end", args, n) + 1]

cdef object match_span(Match self, PyObject **args, Py_ssize_t n):
    cdef Py_ssize_t group = one_group(self, "span", args, n)
    return self.marks[2 * group], self.marks[2 * group + 1]

cdef object match_groups(Match self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef PyObject *given[3]
    cdef Py_ssize_t i
    given[0] = given[1] = given[2] = NULL
    kept = bind("|O:groups", DEFAULT_NAMES, args, n, keywords, 0, 1, given)
    default = None if given[0] == NULL else <object>given[0]
    result = PyTuple_New(self.groups - 1)
    for i in range(1, self.groups):
        item = match_slice(self, i, default)
        Py_INCREF(<PyObject *>item)
        PyTuple_SET_ITEM(result, i - 1, item)
    return result

cdef object match_groupdict(Match self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef PyObject *given[3]
    given[0] = given[1] = given[2] = NULL
    kept = bind("|O:groupdict", DEFAULT_NAMES, args, n, keywords, 0, 1, given)
    default = None if given[0] == NULL else <object>given[0]
    if self.pattern.groupindex is None:
        return {}
    return {name: match_slice(self, match_index(self, group), default) for name, group in self.pattern.groupindex.items()}

cdef object match_expand(Match self, PyObject **args, Py_ssize_t n, PyObject *keywords):
    cdef PyObject *given[3]
    given[0] = given[1] = given[2] = NULL
    kept = bind("O:expand", EXPAND_NAMES, args, n, keywords, 1, 1, given)
    template = <object>given[0]
    if library_expand is not None:
        return library_expand(self.pattern, self, template)
    return expand(compile_template(self.pattern, template), self)


# ---- templates
#: Functions of the library's `re`, which run as guest code: from 3.12 on _compile_template; before it _subx and _expand.
cdef object library_template = None
cdef object library_expand = None


def use_templates(template, expand):
    """Says what compiles replacement strings.

    Args:
        template: function(pattern, text) -> a template, or what replaces each match: a function or a text.
        expand: function(pattern, match, text) -> what ``Match.expand`` gives, or None when templates are expanded here.
    """
    global library_template, library_expand
    library_template = template
    library_expand = expand


cdef object compile_template(Pattern pattern, object text):
    """The Template of a replacement string; before 3.12 what stands for it."""
    if library_template is None:
        raise RuntimeError("the library's re is not loaded")
    try:
        found = library_template(pattern, text)
    except TypeError:
        # A text that has no hash, such as a bytearray, as a plain one.
        if library_expand is not None:
            raise
        if isinstance(text, str) and type(text) is not str:
            text = str.__str__(text)
        elif PyObject_CheckBuffer(text) and type(text) is not bytes:
            text = bytes(text)
        else:
            raise
        found = library_template(pattern, text)
    if library_expand is None and type(found) is not Template:
        raise RuntimeError(f"the result of compiling a replacement string is {type_name_of(found)[:200]}")
    return found


cdef object expand(Template template, Match match):
    """The text that a template stands for."""
    cdef Py_ssize_t i, group
    cdef list out
    if not template.parts:
        return template.literal
    out = [template.literal]
    for i in range(0, len(template.parts), 2):
        group = template.parts[i]
        if group >= match.groups:
            raise IndexError("no such group")
        item = match_slice(match, group, None)
        if item is not None:
            out.append(item)
        if template.parts[i + 1] is not None:
            out.append(template.parts[i + 1])
    return PyUnicode_Join("", out) if isinstance(template.literal, str) else PyBytes_Join(b"", out)


def template(pattern, list template not None, /):
    """template(pattern, template)

    A compiled replacement string.

      template
        A list containing interleaved literal strings (str or bytes) and group
        indices (int), as returned by re._parser.parse_template():
            [literal1, group1, ..., literalN, groupN]
    """
    cdef Template made
    cdef Py_ssize_t i, group
    if len(template) % 2 == 0:
        raise TypeError("invalid template")
    made = Template.__new__(Template)
    made.literal = template[0]
    made.parts = []
    for i in range(1, len(template), 2):
        group = PyLong_AsSsize_t(template[i])
        if group < 0:
            raise TypeError("invalid template")
        made.parts.append(group)
        literal = template[i + 1]
        made.parts.append(None if isinstance(literal, (str, bytes)) and not literal else literal)
    return made


# ---- compile
def compile(pattern, int flags, list code not None, Py_ssize_t groups, dict groupindex not None,
            tuple indexgroup not None):
    """compile(pattern, flags, code, groups, groupindex, indexgroup)"""
    cdef Pattern self = Pattern.__new__(Pattern)
    cdef Py_ssize_t i, n = len(code)
    cdef unsigned long word
    cdef bytearray words = bytearray(4 * n)
    cdef uint32_t *out = <uint32_t *>PyByteArray_AS_STRING(words)
    cdef Text t
    for i in range(n):
        word = code[i]
        out[i] = <uint32_t>word
        if out[i] != word:
            raise OverflowError("regular expression code size limit exceeded")
    self.is_bytes = -1
    if pattern is not None:
        text_open(&t, pattern)
        self.is_bytes = t.is_bytes
        text_close(&t)
    self.pattern = pattern
    self.flags = flags
    self.groups = groups
    self.words = bytes(words)
    # Patterns are shared, so the dictionary is nobody else's.
    if groupindex:
        self.groupindex = dict(groupindex)
        if indexgroup:
            self.indexgroup = indexgroup
    make_program(&self.program, <const uint32_t *>PyBytes_AS_STRING(self.words), n, groups)
    return self


cdef object copied_text(text):
    """Another object with the same text, which is a str or bytes."""
    if type(text) is str:
        return (<str>text).encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    return bytes(bytearray(text))


def in_own_memory(Pattern pattern not None):
    """A pattern that is equal, none of whose parts the other one has: for a cache that outlives who compiled it."""
    cdef Pattern made = Pattern.__new__(Pattern)
    made.is_bytes = pattern.is_bytes
    made.pattern = copied_text(pattern.pattern)
    made.flags = pattern.flags
    made.groups = pattern.groups
    made.words = bytes(bytearray(pattern.words))
    if pattern.groupindex is not None:
        made.groupindex = {copied_text(name): number for name, number in pattern.groupindex.items()}
    if pattern.indexgroup is not None:
        made.indexgroup = tuple([None if name is None else copied_text(name) for name in pattern.indexgroup])
    make_program(&made.program, <const uint32_t *>PyBytes_AS_STRING(made.words), len(made.words) // 4, made.groups)
    return made
