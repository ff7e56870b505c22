# Constants: numbers, strings, f-strings.  Part of parser.pyx.

cdef extern from *:
    """
    /* Write code point c as UTF-8 (surrogates included), return the new end. */
    static char *kimi_put_utf8(char *out, unsigned int c) {
        if (c < 0x80) {
            *out++ = (char)c;
        } else if (c < 0x800) {
            *out++ = (char)(0xC0 | c >> 6);
            *out++ = (char)(0x80 | (c & 63));
        } else if (c < 0x10000) {
            *out++ = (char)(0xE0 | c >> 12);
            *out++ = (char)(0x80 | (c >> 6 & 63));
            *out++ = (char)(0x80 | (c & 63));
        } else {
            *out++ = (char)(0xF0 | c >> 18);
            *out++ = (char)(0x80 | (c >> 12 & 63));
            *out++ = (char)(0x80 | (c >> 6 & 63));
            *out++ = (char)(0x80 | (c & 63));
        }
        return out;
    }
    """
    char *kimi_put_utf8(char *out, unsigned int c) noexcept

cdef dict UNDERSCORES = {ord("_"): None}


# ----------------------------------------------------------------- numbers

cdef object number_value(Parser p, Token *token):
    cdef const char *text = p.buf + token.start
    cdef Py_ssize_t length = token.end - token.start
    cdef Py_ssize_t i
    cdef long value = 0
    cdef bint is_float = False
    if length <= 18:
        for i in range(length):
            if not c'0' <= text[i] <= c'9':
                break
            value = value * 10 + (text[i] - c'0')
        else:
            return PyLong_FromLong(value)
    return number_from_text(p, token, text[:length].decode("ascii").translate(UNDERSCORES).lower())


cdef object number_from_text(Parser p, Token *token, str text):
    cdef bytes data
    if text.startswith(("0x", "0o", "0b")):
        return int(text, 0)
    if text.endswith("j"):
        data = text[:-1].encode()
        return complex(0.0, PyOS_string_to_double(data, NULL, NULL))
    if "." in text or "e" in text:
        data = text.encode()
        return PyOS_string_to_double(data, NULL, NULL)
    try:
        return int(text, 10)
    except ValueError as error:
        raise syntax_error(
            f"{error} - Consider hexadecimal for huge integer literals to avoid decimal conversion limits.",
            p.filename, p.lexer.owner, token.lineno, -1, token.lineno, -1,
        ) from None


# ----------------------------------------------------------------- strings

cdef object string_value(Parser p, Token *token):
    """The str or bytes of a T_STRING."""
    cdef int flags = token.flags
    cdef int quotes = 3 if flags & F_TRIPLE else 1
    cdef const char *text = p.buf + token.start + token.prefix + quotes
    cdef Py_ssize_t length = token.end - token.start - token.prefix - 2 * quotes
    if flags & F_BYTES:
        if flags & F_NON_ASCII:
            raise string_error(p, token, "bytes can only contain ASCII literal characters")
        if flags & F_RAW or not flags & F_BACKSLASH:
            return PyBytes_FromStringAndSize(text, length)
        return unescape(p, token, text, length, True)
    if flags & F_RAW or not flags & F_BACKSLASH:
        return PyUnicode_DecodeUTF8(text, length, NULL)
    return unescape(p, token, text, length, False)


cdef inline int hex_digit(char c) noexcept:
    if c'0' <= c <= c'9':
        return c - c'0'
    c |= 32
    if c'a' <= c <= c'f':
        return c - c'a' + 10
    return -1


cdef object unescape(Parser p, Token *token, const char *text, Py_ssize_t length, bint is_bytes):
    """Resolve the escapes of a string; no escape is shorter than what it stands for."""
    cdef bytearray made = bytearray(length)
    cdef char *begin = made
    cdef char *out = begin
    cdef const char *s = text
    cdef const char *end = text + length
    cdef const char *mark
    cdef unsigned int value
    cdef int width, digit
    cdef bint warned = False
    cdef char c
    while s < end:
        c = s[0]
        if c != c'\\':
            out[0] = c
            out += 1
            s += 1
            continue
        mark = s
        c = s[1] if s + 1 < end else 0
        s += 2
        width = 0
        if c == c'\n':
            continue
        elif c == c'\\' or c == c"'" or c == c'"':
            out[0] = c
        elif c == c'n':
            out[0] = c'\n'
        elif c == c't':
            out[0] = c'\t'
        elif c == c'r':
            out[0] = c'\r'
        elif c == c'a':
            out[0] = 7
        elif c == c'b':
            out[0] = 8
        elif c == c'f':
            out[0] = 12
        elif c == c'v':
            out[0] = 11
        elif c'0' <= c <= c'7':
            value = c - c'0'
            while width < 2 and s < end and c'0' <= s[0] <= c'7':
                value = value * 8 + (s[0] - c'0')
                s += 1
                width += 1
            if value > 255 and not warned:
                warned = True
                warn_escape(p, token, mark, s, "octal ")
            if is_bytes:
                out[0] = <char>(value & 255)
            else:
                out = kimi_put_utf8(out, value) - 1
        elif c == c'x' or ((c == c'u' or c == c'U') and not is_bytes):
            width = 2 if c == c'x' else 4 if c == c'u' else 8
            value = 0
            while width:
                digit = hex_digit(s[0]) if s < end else -1
                if digit < 0:
                    bad_escape(p, token, text, length, mark, is_bytes)
                value = value * 16 + digit
                s += 1
                width -= 1
            if is_bytes:
                out[0] = <char>value
            elif value > 0x10FFFF:
                bad_escape(p, token, text, length, mark, is_bytes)
            else:
                out = kimi_put_utf8(out, value) - 1
        elif c == c'N' and not is_bytes:
            while s < end and s[0] != c'}':
                s += 1
            if s < end:
                s += 1
            try:
                named = (<bytes>mark[: s - mark]).decode("unicode_escape")
            except UnicodeDecodeError:
                bad_escape(p, token, text, length, mark, is_bytes)
            out = kimi_put_utf8(out, ord(named)) - 1
        else:
            out[0] = c'\\'
            if c == 0:
                # the end of the text of an f-string before a field
                s -= 1
                if not warned:
                    warned = True
                    warn_escape_before_field(p, token)
            else:
                # the next character may be the first byte of a longer one
                s -= 1
                if not warned:
                    warned = True
                    warn_escape(p, token, mark, mark + 2, "")
        out += 1
    if is_bytes:
        return PyBytes_FromStringAndSize(begin, out - begin)
    return PyUnicode_DecodeUTF8(begin, out - begin, "surrogatepass")


cdef int warn_escape_before_field(Parser p, Token *token) except -1:
    p.lexer.warnings.append((
        "SyntaxWarning" if PY312 else "DeprecationWarning", "invalid escape sequence '\\{'", token.lineno, token.col,
    ))
    return 0


cdef int warn_escape(Parser p, Token *token, const char *start, const char *end, str kind) except -1:
    """Note an escape that has no meaning; like CPython only the first of a string."""
    while end < p.lexer.limit and (<unsigned char>end[0] & 0xC0) == 0x80:
        end += 1
    sequence = PyUnicode_DecodeUTF8(start, end - start, "replace")
    p.lexer.warnings.append((
        "SyntaxWarning" if PY312 else "DeprecationWarning", f"invalid {kind}escape sequence '{sequence}'",
        token.lineno, token.col,
    ))
    return 0


cdef object bad_escape(Parser p, Token *token, const char *text, Py_ssize_t length, const char *at, bint is_bytes):
    """Raise the error for a malformed escape; the codec finds its words."""
    if is_bytes:
        raise string_error(p, token, f"(value error) invalid \\x escape at position {at - text}")
    plain = PyUnicode_DecodeUTF8(text, length, "replace")
    data = "".join([c if c < "\x80" else f"\\U{ord(c):08x}" for c in plain]).encode()
    try:
        data.decode("unicode_escape")
    except UnicodeDecodeError as error:
        raise string_error(p, token, f"(unicode error) {error}") from None
    raise SystemError("escape refused here, accepted by the codec")


cdef Token *after_strings(Token *token) noexcept:
    """The token after the strings at ``token``, or after the rest of an f-string and those."""
    cdef int depth = 0
    while token.kind > T_EOF_IN_BRACKET:
        if token.kind == T_FSTRING_START:
            depth += 1
        elif token.kind == T_FSTRING_END:
            depth -= 1
        elif depth <= 0 and token.kind != T_STRING:
            break
        token += 1
    return token


cdef object string_error(Parser p, Token *token, str message):
    """An error in a string: 3.11 points to the token after the strings."""
    cdef Token *at = token
    if not PY312 and not message.startswith("bytes"):
        at = after_strings(p.tok)
    elif at.kind == T_FSTRING_MIDDLE:
        while at.kind != T_FSTRING_END and at.kind > T_EOF_IN_BRACKET:
            at += 1
    return token_error(p, at, message)


# ------------------------------------------------ concatenation and f-strings

@cython.final
@cython.no_gc
cdef class Pieces:
    """Parts of a JoinedStr; text is gathered and becomes one Constant."""
    cdef list values
    cdef list texts
    cdef object u_kind
    cdef Token *first           # extent of the gathered text
    cdef int lineno
    cdef int col
    cdef int end_lineno
    cdef int end_col
    cdef int height

    cdef int add(self, str text, int lineno, int col, int end_lineno, int end_col) except -1:
        if not text:
            return 0
        if not self.texts:
            self.lineno = lineno
            self.col = col
        self.end_lineno = end_lineno
        self.end_col = end_col
        self.texts.append(text)
        return 0

    cdef int flush(self) except -1:
        cdef Constant node
        if self.texts:
            node = Constant.__new__(Constant)
            node.value = self.texts[0] if len(self.texts) == 1 else "".join(self.texts)
            node.u_kind = self.u_kind
            node.lineno = self.lineno
            node.col_offset = self.col
            node.end_lineno = self.end_lineno
            node.end_col_offset = self.end_col
            self.values.append(node)
            self.texts = []
            if PY312:
                self.u_kind = None
        return 0


cdef Pieces new_pieces():
    cdef Pieces pieces = Pieces.__new__(Pieces)
    pieces.values = []
    pieces.texts = []
    return pieces


cdef Node strings(Parser p):
    """Adjacent strings and f-strings."""
    cdef Token *start = p.tok
    cdef Constant node
    cdef int kind = start[1].kind
    if start.kind == T_FSTRING_START:
        return joined_string(p)
    if kind == T_FSTRING_START:
        return joined_string(p)
    if kind == T_STRING:
        return joined_constant(p)
    node = Constant.__new__(Constant)
    node.value = string_value(p, start)
    if start.flags & F_UNICODE:
        node.u_kind = "u"
    span_token(node, start)
    p.tok += 1
    p.height = 1
    return node


cdef Node joined_constant(Parser p):
    cdef Token *start = p.tok
    cdef Token *token = start
    cdef Constant node
    cdef list parts = []
    while token.kind == T_STRING:
        token += 1
    if token.kind == T_FSTRING_START:
        return joined_string(p)
    p.tok = token
    token = start
    while token.kind == T_STRING:
        if (token.flags ^ start.flags) & F_BYTES:
            raise token_error(p, p.tok, "cannot mix bytes and nonbytes literals")
        token += 1
    token = start
    while token < p.tok:
        parts.append(string_value(p, token))
        token += 1
    node = Constant.__new__(Constant)
    node.value = b"".join(parts) if start.flags & F_BYTES else "".join(parts)
    if start.flags & F_UNICODE:
        node.u_kind = "u"
    span(p, node, start)
    p.height = 1
    return node


cdef Node joined_string(Parser p):
    """Strings of which at least one is an f-string."""
    cdef Token *start = p.tok
    cdef Token *token
    cdef JoinedStr node = JoinedStr.__new__(JoinedStr)
    cdef Pieces pieces = new_pieces()
    cdef Py_ssize_t before
    enter(p)
    if start.flags & F_UNICODE:
        pieces.u_kind = "u"
    while True:
        token = p.tok
        if token.kind == T_STRING:
            if token.flags & F_BYTES:
                raise token_error(p, after_strings(p.tok), "cannot mix bytes and nonbytes literals")
            p.tok += 1
            if token.flags & F_UNICODE and PY312 and not pieces.texts:
                pieces.u_kind = "u"
            pieces.add(string_value(p, token), token.lineno, token.col, token.end_lineno, token.end_col)
        elif token.kind == T_FSTRING_START:
            p.tok += 1
            before = len(pieces.values)
            fstring_parts(p, pieces)
            if p.tok.kind != T_FSTRING_END:
                fail(p)
            p.tok += 1
            if not PY312:
                span(p, node, token)
                spread_position(pieces.values, None, node, before)
        else:
            break
    pieces.flush()
    node.values = pieces.values
    span(p, node, start)
    if not PY312:
        spread_position(node.values, node, None, 0)
    p.height = pieces.height
    grow(p, 0)
    p.depth -= 1
    return node


cdef inline void copy_position(Node node, Node other) noexcept:
    node.lineno = other.lineno
    node.col_offset = other.col_offset
    node.end_lineno = other.end_lineno
    node.end_col_offset = other.end_col_offset


cdef int spread_position(list values, Node whole, Node own, Py_ssize_t first) except -1:
    """Positions as before 3.12: all parts have that of the ``whole`` string, except that
    a format spec and the text at its end have that of their ``own`` part of it."""
    cdef Node node
    cdef list inner
    cdef Py_ssize_t i
    for i in range(first, len(values)):
        node = <Node>values[i]
        if whole is not None:
            copy_position(node, whole)
        if node.kind == K_FormattedValue and (<FormattedValue>node).format_spec is not None:
            node = (<FormattedValue>node).format_spec
            inner = (<JoinedStr>node).values
            spread_position(inner, whole, own, 0)
            if own is not None:
                copy_position(node, own)
                if inner and (<Node>inner[len(inner) - 1]).kind == K_Constant:
                    copy_position(<Node>inner[len(inner) - 1], own)
            elif inner and (<Node>inner[len(inner) - 1]).kind == K_Constant:
                copy_position(<Node>inner[len(inner) - 1], node)
    return 0


cdef int fstring_parts(Parser p, Pieces pieces) except -1:
    """Text and replacement fields, up to the end of the f-string or format spec."""
    cdef Token *token
    while True:
        token = p.tok
        if token.kind == T_FSTRING_MIDDLE:
            p.tok += 1
            pieces.add(middle_text(p, token), token.lineno, token.col, token.end_lineno, token.end_col)
        elif token.kind == T_LBRACE:
            replacement_field(p, pieces)
        else:
            return 0


cdef str middle_text(Parser p, Token *token):
    cdef const char *text = p.buf + token.start
    cdef Py_ssize_t length = token.end - token.start
    cdef bytes data
    if token.flags & F_BRACES:
        # "{{" inside \N{...} can't be: the name ends at the first brace
        data = text[:length]
        data = data.replace(b"{{", b"{").replace(b"}}", b"}")
        text = data
        length = len(data)
    if token.flags & F_RAW or not token.flags & F_BACKSLASH:
        return PyUnicode_DecodeUTF8(text, length, NULL)
    return unescape(p, token, text, length, False)


cdef int replacement_field(Parser p, Pieces pieces) except -1:
    """``{expression = !r :spec}``"""
    cdef Token *opener = expect(p, T_LBRACE)
    cdef Token *start = p.tok
    cdef Token *token
    cdef FormattedValue node = FormattedValue.__new__(FormattedValue)
    cdef Pieces inner
    cdef JoinedStr spec
    cdef bint debug = False
    cdef int height
    node.conversion = -1
    if p.diagnose:
        node.value = field_value(p)
    elif p.tok.kind == T_YIELD:
        node.value = yield_expression(p)
    else:
        node.value = star_expressions(p)
        if node.value.kind == K_Starred and not PY312:
            fail(p)
        if not PY312 and node.value.kind == K_Tuple and (
            node.value.end_lineno != start.lineno or not whole_group(start, p.tok)
        ):
            # 3.11 parses the text with brackets in place of the braces
            node.value.lineno = opener.lineno
            node.value.col_offset = opener.col
            node.value.end_lineno = p.tok.lineno
            node.value.end_col_offset = p.tok.col + 1
    if p.tok.kind == T_EQUAL:
        debug = True
        p.tok += 1
        pieces.add(
            debug_text(p, opener),
            opener.end_lineno, opener.end_col, p.tok.lineno, p.tok.col,
        )
    height = p.height
    if p.diagnose:
        after_value_mistakes(p, debug)
    if p.tok.kind == T_EXCLAMATION:
        token = p.tok
        p.tok += 1
        conversion(p, node, token)
    if p.tok.kind == T_COLON:
        start = p.tok
        p.tok += 1
        inner = new_pieces()
        enter(p)
        fstring_parts(p, inner)
        p.depth -= 1
        inner.flush()
        spec = JoinedStr.__new__(JoinedStr)
        spec.values = inner.values
        span(p, spec, start)
        node.format_spec = spec
        height = max(height, inner.height + 1)
    if p.tok.kind != T_RBRACE:
        if p.diagnose:
            field_end_mistakes(p, node)
        fail(p)
    p.tok += 1
    if debug and node.conversion < 0 and node.format_spec is None:
        node.conversion = c'r'
    span(p, node, opener)
    pieces.height = max(pieces.height, height + 1)
    pieces.flush()
    pieces.values.append(node)
    return 0


cdef str debug_text(Parser p, Token *opener):
    """The text from the brace to the next token, without comments."""
    cdef const char *start = p.buf + opener.end
    cdef Token *token = opener + 1
    cdef list parts
    if memchr(start, c'#', p.tok.start - opener.end) == NULL:
        return PyUnicode_DecodeUTF8(start, p.tok.start - opener.end, NULL)
    parts = []
    while token <= p.tok:
        gap = PyUnicode_DecodeUTF8(start, token.start - (start - p.buf), NULL)
        parts += ["\n".join([line.split("#", 1)[0] for line in gap.split("\n")])]
        if token < p.tok:
            parts.append(PyUnicode_DecodeUTF8(p.buf + token.start, token.end - token.start, NULL))
        start = p.buf + token.end
        token += 1
    return "".join(parts)


cdef bint whole_group(Token *start, Token *end) noexcept:
    """Is ``(`` at ``start`` closed only at the last token before ``end``?"""
    cdef Token *token = start
    if start.kind != T_LPAR:
        return False
    while token < end:
        if token.level < start.level:
            return token + 1 == end
        token += 1
    return False


cdef int conversion(Parser p, FormattedValue node, Token *mark) except -1:
    cdef Token *token = p.tok
    cdef char c
    if token.kind == T_NAME:
        c = p.buf[token.start]
        if token.start != mark.end:
            raise span_error(p, mark.lineno, mark.col, token,
                             "f-string: conversion type must come right after the exclamanation mark")
        if token[1].kind == T_ERROR:
            p.tok += 1
            fail(p)
        if token.end - token.start == 1 and (c == c's' or c == c'r' or c == c'a'):
            node.conversion = c
            p.tok += 1
            return 0
        raise token_error(
            p, token,
            f"f-string: invalid conversion character {name_text(p, token)!r}: expected 's', 'r', or 'a'",
        )
    if p.diagnose:
        if token.kind == T_COLON or token.kind == T_RBRACE:
            raise token_error(p, token, "f-string: missing conversion character")
        raise token_error(p, token, "f-string: invalid conversion character")
    fail(p)
    return 0
