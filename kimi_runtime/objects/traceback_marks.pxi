# Frames of tracebacks with the marks below their lines, as the interpreter itself writes them.  Part of tracebacks.pyx.

cdef enum:
    MOST_PARSED = 50_000        # characters of a statement that the host's parser is asked about


cdef object outside_heap(function, argument):
    """A call with something short, whose memory is the host's: CPython's parser crashes where it gets none."""
    cdef KHeap *heap = leave_heap()
    try:
        return function(argument)
    finally:
        return_to_heap(heap)


def format_parsed(summary, **how):
    """One frame of a traceback as 3.13 writes it, which parses the statement to find out what to mark. A very long one has no marks."""
    write = functools.partial(traceback.StackSummary().format_frame_summary, **how)
    if len(summary._original_lines or "") > MOST_PARSED:
        summary = copy.copy(summary)
        summary.colno = None
        return write(summary)
    return outside_heap(write, summary)


# ---- frames before 3.13: the traceback module shows and marks them differently from the interpreter itself where lines are not
# ASCII, end in white space, or have operands in parentheses ----
def format_frame(summary):
    """One frame of a traceback as the C code of 3.11 and 3.12 writes it (anchors count characters, not bytes)."""
    line = summary._original_line.rstrip("\n")
    stripped = line.lstrip(" \t\f")
    text = f'  File "{summary.filename}", line {summary.lineno}, in {summary.name}\n'
    if not stripped.strip():
        return text
    text += f"    {stripped}\n"             # with the white space at its end
    if summary.colno is None or summary.end_colno is None:
        return text
    encoded = line.encode("utf-8", "replace")
    start = len(encoded[:summary.colno].decode("utf-8", "replace"))
    end = len(encoded[:summary.end_colno].decode("utf-8", "replace"))
    left = right = -1
    if summary.lineno == summary.end_lineno:
        left, right = anchors(line[start:end])
    else:
        end = len(line.rstrip())
    if end - start == len(stripped) and left < 0:
        return text
    # Columns of a terminal, where characters of some scripts are two wide.
    indent = len(line) - len(stripped)
    marks = " " * width(line[indent:start])
    if left < 0:
        marks += "^" * width(line[start:end])
    else:
        marks += ("~" * width(line[start:start + left]) + "^" * width(line[start + left:start + right])
                  + "~" * width(line[start + right:end]))
    return f"{text}    {marks}\n"


def format_syntax(shown, *kind):
    """The lines about a SyntaxError as the C code of 3.11 and 3.12 writes them: it leaves out tabs before the text, and the line of
    marks begins with blanks only."""
    cdef list lines = list(traceback.TracebackException._format_syntax_error(shown, *kind))
    text, offset, end = shown.text, shown.offset, shown.end_offset
    if offset is None:
        offset = -1
    if type(text) is not str or type(offset) is not int or (end is not None and type(end) is not int):
        return lines
    if shown.end_lineno is not None and int(shown.end_lineno) > int(shown.lineno):
        end = len(text.encode("utf-8", "replace"))      # the rest of the first line
    marks = end - offset if end is not None and end > 0 and end > offset else 1
    stripped = text.lstrip(" \t\f")
    offset -= 1 + len(text) - len(stripped)
    offset = min(offset, len(stripped.removesuffix("\n")))
    while 0 <= (newline := stripped.find("\n")) < offset:
        stripped = stripped[newline + 1:]
        offset -= newline + 1
    shows = ["    " + stripped.removesuffix("\n") + "\n"]
    if offset >= 0:
        shows.append("    " + " " * offset + "^" * marks + "\n")
    return lines[:1 if shown.lineno is not None else 0] + shows + lines[-1:]


cdef Py_ssize_t width(str text) except -1:
    if text.isascii() or not hasattr(traceback, "_display_width"):      # early 3.11 counts characters
        return len(text)
    return traceback._display_width(text, len(text))


cdef constant_of(ast, node):
    """The value of an expression of constants. ValueError, TypeError, LookupError: it is none, or CPython leaves it as it is."""
    if type(node) is ast.Constant:
        return node.value
    if type(node) is ast.Tuple:
        return tuple([constant_of(ast, each) for each in node.elts])
    if type(node) is ast.UnaryOp and type(node.op) is ast.USub and type(node.operand) is ast.Constant:
        return -node.operand.value
    if type(node) is ast.Subscript:
        return constant_of(ast, node.value)[constant_of(ast, node.slice)]
    raise ValueError("no constant")


cdef tuple anchors(str segment):
    """(start, end) in characters of the operator or the brackets in a one-line expression; (-1, -1) for others."""
    from kimi_runtime import _core
    ast = _core.host_module("ast")
    if len(segment) > MOST_PARSED:
        return -1, -1
    try:
        body = outside_heap(ast.parse, segment).body
    except SyntaxError:
        return -1, -1
    if len(body) != 1 or type(body[0]) is not ast.Expr:
        return -1, -1
    expression = body[0].value
    encoded = segment.encode()
    if type(expression) is ast.BinOp:
        first, last = expression.left.end_col_offset, expression.right.col_offset
        while first < last and (encoded[first:first + 1].isspace() or encoded[first:first + 1] == b")"):
            first += 1                      # a left operand in parentheses ends before them
        if first == last:
            return -1, -1
        end = first + 1
        if end < last and not encoded[end:end + 1].isspace():
            end += 1                        # of two characters, or followed by a parenthesis: CPython does not tell them apart
    elif type(expression) is ast.Subscript:
        try:
            constant_of(ast, expression)        # which CPython puts in its place before it looks
            return -1, -1
        except (ValueError, TypeError, LookupError):
            pass
        first, end = expression.value.end_col_offset, expression.slice.end_col_offset
        while first < end and encoded[first:first + 1] != b"[":
            first += 1
        while end < len(encoded) and encoded[end:end + 1] != b"]":
            end += 1
        end += 1
    else:
        return -1, -1
    return len(encoded[:first].decode()), len(encoded[:end].decode())
