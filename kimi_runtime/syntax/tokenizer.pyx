"""Tokenizer: UTF-8 text to an array of ``Token`` structs.

Called by the parser, once per source.  The whole source is tokenized before it is
parsed, because CPython too prefers an error of the tokenizer, wherever it is, to one
of the grammar.  F-strings are split into parts here (PEP 701); ``brackets`` knows
which open brace is a replacement field.
"""
import sys
cimport cython
from libc.string cimport memchr, memcmp, memset, strlen
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8

from .alarm cimport look_at_alarm
from .source import decode_source

cdef extern from "Python.h":
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef bint PY312 = sys.version_info >= (3, 12)
cdef bint PY313 = sys.version_info >= (3, 13)

# ---------------------------------------------------------------- characters

cdef enum:
    C_START = 1         # may start an identifier
    C_WORD = 2          # may continue one
    C_DIGIT = 4
    C_HEX = 8
    C_BLANK = 16

cdef unsigned char CLASS[256]

# Keywords sit in a table without collisions, indexed by keyword_hash.
cdef const char *KEYWORD_TEXT[256]
cdef unsigned char KEYWORD_LENGTH[256]
cdef unsigned char KEYWORD_KIND[256]

KEYWORDS = (
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
)
cdef list KEYWORD_BYTES = [word.encode() for word in KEYWORDS]


cdef inline unsigned int keyword_hash(const char *p, Py_ssize_t length) noexcept:
    return ((<unsigned char>p[0]) + (<unsigned char>p[1]) + (<unsigned char>p[length - 1]) * 21
            + <unsigned int>length) & 255


cdef int fill_tables() except -1:
    cdef int c, i
    cdef unsigned int slot
    cdef bytes word
    memset(CLASS, 0, sizeof(CLASS))
    for c in range(256):
        if c >= 128 or c == c'_' or c'a' <= c <= c'z' or c'A' <= c <= c'Z':
            CLASS[c] = C_START | C_WORD
        elif c'0' <= c <= c'9':
            CLASS[c] = C_DIGIT | C_WORD | C_HEX
        if c'a' <= c <= c'f' or c'A' <= c <= c'F':
            CLASS[c] |= C_HEX
    for c in b" \t\f":
        CLASS[c] = C_BLANK
    for i, word in enumerate(KEYWORD_BYTES):
        slot = keyword_hash(word, len(word))
        if KEYWORD_LENGTH[slot]:
            raise SystemError(f"keyword {word} has no slot of its own")
        KEYWORD_TEXT[slot] = word
        KEYWORD_LENGTH[slot] = <unsigned char>len(word)
        KEYWORD_KIND[slot] = <unsigned char>(T_FALSE + i)
    return 0


fill_tables()


cdef inline int name_kind(const char *start, Py_ssize_t length) noexcept:
    cdef unsigned int slot
    if length < 2 or length > 8:
        return T_NAME
    slot = keyword_hash(start, length)
    if KEYWORD_LENGTH[slot] == length and memcmp(start, KEYWORD_TEXT[slot], length) == 0:
        return KEYWORD_KIND[slot]
    return T_NAME


@cython.final
@cython.no_gc
cdef class Tokenizer:
    """The tokens of one source.

    Args:
        source: str or bytes (with an optional cookie or byte order mark).
        filename: name for errors.
        ends_line: the last line counts as ended by a newline.
        whole_strings: make one token of an f-string, as before 3.12.

    Raises:
        SyntaxError: the source can't be decoded or holds a null byte.  Errors in the
            text are kept in ``error``, since the parser decides which error comes first.
    """

    def __init__(self, source, filename, bint ends_line=True, bint whole_strings=False):
        cdef Py_ssize_t size
        self.whole_strings = whole_strings
        self.ends_line = ends_line
        self.filename = filename
        self.warnings = []
        if type(source) is not str:
            source = decode_source(source, filename)
        self.buf = PyUnicode_AsUTF8AndSize(source, &size)
        if memchr(self.buf, c'\r', size) != NULL:
            source = source.replace("\r\n", "\n").replace("\r", "\n")
            self.buf = PyUnicode_AsUTF8AndSize(source, &size)
        self.owner = source
        self.size = size
        if <Py_ssize_t>strlen(self.buf) != size:
            raise SyntaxError("source code string cannot contain null bytes")
        if size >= 0x7FFFFFFF:
            raise MemoryError("source is larger than 2 GB")
        self.limit = self.buf + size
        self.line = self.group = self.buf
        self.lineno = 1
        self.capacity = size // 4 + 32
        self.tokens = <Token *>PyMem_Realloc(NULL, self.capacity * sizeof(Token))
        if self.tokens == NULL:
            raise MemoryError()
        try:
            self.run()
        except SyntaxError as error:
            self.error = error
            self.error_in_fstring = self.fstrings > 0
            self.emit(T_ERROR, self.limit, self.limit)

    def __dealloc__(self):
        PyMem_Free(self.tokens)

    cdef int emit(self, int kind, const char *start, const char *end) except -1:
        cdef Token *token
        if self.count == self.capacity:
            self.capacity += self.capacity // 2 + 32
            token = <Token *>PyMem_Realloc(self.tokens, self.capacity * sizeof(Token))
            if token == NULL:
                raise MemoryError()
            self.tokens = token
        token = &self.tokens[self.count]
        self.count += 1
        token.kind = kind
        token.flags = 0
        token.prefix = 0
        token.level = self.level
        token.start = <int>(start - self.buf)
        token.end = <int>(end - self.buf)
        token.lineno = token.end_lineno = self.lineno
        token.col = <int>(start - self.line)
        token.end_col = <int>(end - self.line)
        return 0

    cdef int fail(self, object kind, str message, const char *at, int col=-2, int end_col=-2, int lineno=0,
                  const char *line=NULL) except -1:
        """Raise an error at ``at``: its character offset counts the text before ``at``."""
        cdef const char *end
        cdef str text
        if line == NULL:
            line = self.line
        if col == -2:
            col = <int>len(PyUnicode_DecodeUTF8(line, at - line, "replace"))
        if end_col == -2:
            end_col = col
        end = <const char *>memchr(line, c'\n', self.limit - line)
        if end == NULL:
            end = self.limit
        text = PyUnicode_DecodeUTF8(line, end - line, "replace")
        if kind is not SyntaxError or end_col <= 0:
            text += "\n"
        if not lineno:
            lineno = self.lineno
        raise kind(message, (self.filename, lineno, col, text, lineno, end_col))

    cdef const char *indentation(self, const char *p) except NULL:
        """Skip blank lines, emit INDENT or DEDENTs, return the first token's place."""
        cdef int col, alt, continued, outer
        cdef bint commented
        while True:
            col = alt = 0
            continued = 0
            while True:
                if p[0] == c' ':
                    col += 1
                    alt += 1
                elif p[0] == c'\t':
                    col = (col // 8 + 1) * 8
                    alt += 1
                elif p[0] == c'\f':
                    col = alt = 0
                elif p[0] == c'\\':
                    # the first line of a continued indentation counts, unless it is empty
                    if continued <= 0:
                        continued = col
                    p = self.continuation(p)
                    continue
                else:
                    break
                p += 1
            commented = p[0] == c'#'
            if commented:
                while p[0] != c'\n' and p[0]:
                    p += 1
            if p[0] != c'\n':
                break
            p += 1
            self.lineno += 1
            self.line = self.group = p
        if p[0] == 0 and (self.ends_line or commented or col <= self.indent_col[self.indents]):
            return p            # blanks that end the text count only where nothing ends the line
        if continued > 0:
            col = alt = continued
        if col == self.indent_col[self.indents]:
            if alt != self.indent_alt[self.indents]:
                self.tab_error(p)
        elif col > self.indent_col[self.indents]:
            if self.indents + 1 >= MAX_INDENTS:
                self.fail(IndentationError, "too many levels of indentation", p, 1, 0)
            if alt <= self.indent_alt[self.indents]:
                self.tab_error(p)
            self.indents += 1
            self.indent_col[self.indents] = col
            self.indent_alt[self.indents] = alt
            self.emit(T_INDENT, p, p)
            self.tokens[self.count - 1].col = -1
        else:
            outer = self.indents
            while outer and col < self.indent_col[outer]:
                outer -= 1
            if col != self.indent_col[outer]:
                col = <int>len(self.rest_of_line(self.line)) + (self.ends_line or memchr(p, c'\n', self.limit - p) != NULL)
                self.fail(
                    IndentationError, "unindent does not match any outer indentation level", p, col, -1
                )
            if alt != self.indent_alt[outer]:
                self.tab_error(p)
            while self.indents > outer:
                self.indents -= 1
                self.emit(T_DEDENT, p, p)
                self.tokens[self.count - 1].col = -1
        return p

    cdef int tab_error(self, const char *p) except -1:
        return self.fail(TabError, "inconsistent use of tabs and spaces in indentation", p, 1, 0)

    cdef str rest_of_line(self, const char *p):
        cdef const char *end = <const char *>memchr(p, c'\n', self.limit - p)
        return PyUnicode_DecodeUTF8(p, (end if end != NULL else self.limit) - p, "replace")

    cdef const char *continuation(self, const char *p) except NULL:
        """``p`` is at a backslash outside strings: return the start of the next line."""
        cdef int col
        if p[1] == c'\n' and p[2]:
            self.lineno += 1
            self.line = p + 2
            return p + 2
        col = <int>len(PyUnicode_DecodeUTF8(self.group, p - self.group, "replace")) + 2
        if p[1] == 0 and not self.ends_line:
            self.fail(SyntaxError, "unexpected character after line continuation character", p, col - 1, 0)
        if p[1] and p[1] != c'\n':
            self.fail(SyntaxError, "unexpected character after line continuation character", p, col, 0)
        if not self.level:
            self.fail(SyntaxError, "unexpected EOF while parsing", p, col, -1)
        return p + 1            # an open bracket is the better complaint

    cdef int run(self) except -1:
        cdef const char *p = self.indentation(self.buf)
        cdef const char *start
        cdef const char *comment = NULL
        cdef unsigned char c
        cdef int kind = T_UNKNOWN
        cdef bint in_field = False
        while True:
            look_at_alarm()
            if self.fstrings and (
                self.level == self.fstring[self.fstrings - 1].level
                or self.brackets[self.level - 1].in_spec
            ):
                p = self.middle(p)
                continue
            c = p[0]
            while CLASS[c] & C_BLANK:
                p += 1
                c = p[0]
            if CLASS[c] & C_START:
                p = self.name_or_string(p)
                continue
            if CLASS[c] & C_DIGIT:
                p = self.number(p)
                continue
            start = p
            p += 1
            if c == c'\n':
                if self.level == 0:
                    # a NEWLINE reaches from the comment before it to the end of the line
                    self.emit(T_NEWLINE, comment if comment != NULL else start, p if PY312 else start)
                comment = NULL
                self.lineno += 1
                self.line = self.group = p
                if self.level == 0:
                    p = self.indentation(p)
                continue
            elif c == c'"' or c == c"'":
                p = self.string(start, start, 0)
                continue
            elif c == c'#':
                comment = start
                while p[0] != c'\n' and p[0]:
                    p += 1
                continue
            elif c == c'\\':
                p = self.continuation(start)
                continue
            elif c == 0:
                return self.finish(start, comment if comment != NULL else start)
            elif c == c'(':
                p = self.open_bracket(start, T_LPAR, False)
                continue
            elif c == c'[':
                p = self.open_bracket(start, T_LSQB, False)
                continue
            elif c == c'{':
                p = self.open_bracket(start, T_LBRACE, False)
                continue
            elif c == c')' or c == c']' or c == c'}':
                p = self.close_bracket(start)
                continue
            elif c == c',':
                kind = T_COMMA
            elif c == c'.':
                if CLASS[<unsigned char>p[0]] & C_DIGIT:
                    p = self.number(start)
                    continue
                kind = T_DOT
                if p[0] == c'.' and p[1] == c'.':
                    kind = T_ELLIPSIS
                    p += 2
            elif c == c':':
                in_field = self.level > 0 and self.brackets[self.level - 1].is_field
                kind = T_COLON
                if in_field:
                    self.brackets[self.level - 1].in_spec = True
                elif p[0] == c'=':
                    kind = T_COLONEQUAL
                    p += 1
            elif c == c'=':
                kind = T_EQUAL
                if p[0] == c'=':
                    kind = T_EQEQUAL
                    p += 1
            elif c == c';':
                kind = T_SEMI
            elif c == c'+':
                kind = T_PLUS
            elif c == c'-':
                kind = T_MINUS
                if p[0] == c'>':
                    kind = T_ARROW
                    p += 1
            elif c == c'*':
                kind = T_STAR
                if p[0] == c'*':
                    kind = T_DOUBLESTAR
                    p += 1
            elif c == c'/':
                kind = T_SLASH
                if p[0] == c'/':
                    kind = T_DOUBLESLASH
                    p += 1
            elif c == c'%':
                kind = T_PERCENT
            elif c == c'@':
                kind = T_AT
            elif c == c'|':
                kind = T_VBAR
            elif c == c'&':
                kind = T_AMPER
            elif c == c'^':
                kind = T_CIRCUMFLEX
            elif c == c'~':
                kind = T_TILDE
            elif c == c'<':
                kind = T_LESS
                if p[0] == c'=':
                    kind = T_LESSEQUAL
                    p += 1
                elif p[0] == c'<':
                    kind = T_LEFTSHIFT
                    p += 1
                elif p[0] == c'>':
                    kind = T_NOTEQUAL       # "<>": the parser rejects it
                    p += 1
            elif c == c'>':
                kind = T_GREATER
                if p[0] == c'=':
                    kind = T_GREATEREQUAL
                    p += 1
                elif p[0] == c'>':
                    kind = T_RIGHTSHIFT
                    p += 1
            elif c == c'!':
                kind = T_UNKNOWN
                if p[0] == c'=':
                    kind = T_NOTEQUAL
                    p += 1
                elif self.level > 0 and self.brackets[self.level - 1].is_field:
                    kind = T_EXCLAMATION
            elif c < 32 or c == 127:
                self.fail(SyntaxError, f"invalid non-printable character U+{c:04X}", p)
            else:
                kind = T_UNKNOWN
            if p[0] == c'=' and T_PLUS <= kind <= T_RIGHTSHIFT:
                kind += T_PLUSEQUAL - T_PLUS
                p += 1
            self.emit(kind, start, p)
            if kind == T_COLON and in_field:
                self.tokens[self.count - 1].flags = F_SPEC
                in_field = False

    cdef int finish(self, const char *p, const char *comment) except -1:
        """End of the source: close the line and the blocks."""
        cdef int kind
        if self.level:
            self.emit(T_EOF_IN_BRACKET, p, p)
            return 0
        if self.count:
            kind = self.tokens[self.count - 1].kind
            if kind != T_NEWLINE and kind != T_DEDENT and kind != T_INDENT:
                self.emit(T_NEWLINE, comment, p + 1 if PY312 else p)
                if not self.ends_line:
                    self.tokens[self.count - 1].col = -1
        if p == self.line and self.lineno > 1:
            self.lineno -= 1        # errors at the end show the last line that there is
        while self.indents:
            self.indents -= 1
            self.emit(T_DEDENT, p, p)
            self.tokens[self.count - 1].col = -1
        self.emit(T_END, p, p)
        self.tokens[self.count - 1].col = -1
        return 0

    # ------------------------------------------------------------ brackets

    cdef const char *open_bracket(self, const char *p, int kind, bint is_field) except NULL:
        cdef Bracket *bracket
        if self.level >= MAX_BRACKETS:
            self.fail(SyntaxError, "too many nested parentheses", p + 1)
        bracket = &self.brackets[self.level]
        bracket.opener = p[0]
        bracket.is_field = is_field
        bracket.in_spec = False
        bracket.lineno = self.lineno
        bracket.col = <int>(p - self.line)
        self.level += 1
        self.emit(kind, p, p + 1)
        if is_field:
            self.tokens[self.count - 1].flags = F_SPEC
        return p + 1

    cdef const char *close_bracket(self, const char *p) except NULL:
        cdef Bracket *bracket
        cdef str closer = chr(p[0])
        cdef int kind
        if self.level == 0:
            self.fail(SyntaxError, f"unmatched '{closer}'", p + 1)
        bracket = &self.brackets[self.level - 1]
        if p[0] == c')':
            kind = T_RPAR
        elif p[0] == c']':
            kind = T_RSQB
        else:
            kind = T_RBRACE
        # "(" and ")" are neighbours in ASCII, the other pairs two apart
        if p[0] - bracket.opener != (1 if kind == T_RPAR else 2):
            if bracket.is_field:
                self.fail(SyntaxError, f"f-string: unmatched '{closer}'", p + 1)
            opener = chr(bracket.opener)
            where = f" on line {bracket.lineno}" if bracket.lineno != self.lineno else ""
            self.fail(
                SyntaxError,
                f"closing parenthesis '{closer}' does not match opening parenthesis '{opener}'{where}",
                p + 1,
            )
        self.level -= 1
        self.emit(kind, p, p + 1)
        return p + 1

    # ------------------------------------------------------------- numbers

    cdef const char *end_of_number(self, const char *p, str kind) except NULL:
        """Check what follows a number: a keyword may (with a warning), a word not."""
        cdef bint keyword = False
        cdef const char *end = p        # of the keyword; only "if", "in", "is" may run on
        if p[0] == c'a' and p[1] == c'n' and p[2] == c'd':
            end = p + 3
        elif p[0] == c'e' and p[1] == c'l' and p[2] == c's' and p[3] == c'e':
            end = p + 4
        elif p[0] == c'f' and p[1] == c'o' and p[2] == c'r':
            end = p + 3
        elif p[0] == c'o' and p[1] == c'r':
            end = p + 2
        elif p[0] == c'n' and p[1] == c'o' and p[2] == c't':
            end = p + 3
        if p[0] == c'i':
            keyword = p[1] == c'f' or p[1] == c'n' or p[1] == c's'
        else:
            keyword = end > p and not CLASS[<unsigned char>end[0]] & C_WORD
        if keyword:
            self.warnings.append(("SyntaxWarning", f"invalid {kind} literal", self.lineno, <int>(p - self.line)))
        elif (<unsigned char>p[0]) < 128 and CLASS[<unsigned char>p[0]] & C_WORD:
            self.fail(SyntaxError, f"invalid {kind} literal", p)
        return p

    cdef const char *digits(self, const char *p, int base, str name) except NULL:
        """Digits with single underscores between them; ``p`` is before the first."""
        cdef unsigned char c
        while True:
            if p[0] == c'_' and base != 10:
                p += 1
            c = p[0]
            if base == 16:
                if not CLASS[c] & C_HEX:
                    self.fail(SyntaxError, "invalid hexadecimal literal", p)
                while CLASS[<unsigned char>p[0]] & C_HEX:
                    p += 1
            elif base == 10:
                if not CLASS[c] & C_DIGIT:
                    self.fail(SyntaxError, "invalid decimal literal", p)
                while CLASS[<unsigned char>p[0]] & C_DIGIT:
                    p += 1
                if p[0] == c'_':
                    p += 1
                    continue
                return p
            else:
                if not c'0' <= c < c'0' + base:
                    if CLASS[c] & C_DIGIT:
                        self.fail(SyntaxError, f"invalid digit '{chr(c)}' in {name} literal", p + 1)
                    self.fail(SyntaxError, f"invalid {name} literal", p)
                while c'0' <= p[0] < c'0' + base:
                    p += 1
                if CLASS[<unsigned char>p[0]] & C_DIGIT:
                    self.fail(SyntaxError, f"invalid digit '{chr(p[0])}' in {name} literal", p + 1)
            if p[0] != c'_':
                return p

    cdef const char *number(self, const char *start) except NULL:
        cdef const char *p = start
        cdef const char *zeros = NULL
        cdef str kind = "decimal"
        if p[0] == c'0' and (p[1] | 32) == c'x':
            p = self.end_of_number(self.digits(p + 2, 16, "hexadecimal"), "hexadecimal")
        elif p[0] == c'0' and (p[1] | 32) == c'o':
            p = self.end_of_number(self.digits(p + 2, 8, "octal"), "octal")
        elif p[0] == c'0' and (p[1] | 32) == c'b':
            p = self.end_of_number(self.digits(p + 2, 2, "binary"), "binary")
        else:
            if p[0] == c'0':
                while p[0] == c'0' or (p[0] == c'_' and p[1] == c'0'):
                    p += 1
                zeros = p
                if p[0] == c'_':
                    zeros += 1
                    p = self.digits(p + 1, 10, kind)
                elif CLASS[<unsigned char>p[0]] & C_DIGIT:
                    p = self.digits(p, 10, kind)
                else:
                    zeros = NULL
            elif p[0] != c'.':
                p = self.digits(p, 10, kind)
            if p[0] == c'.':
                zeros = NULL
                p += 1
                if CLASS[<unsigned char>p[0]] & C_DIGIT:
                    p = self.digits(p, 10, kind)
            if (p[0] | 32) == c'e' and (
                CLASS[<unsigned char>p[1]] & C_DIGIT or p[1] == c'+' or p[1] == c'-'
            ):
                zeros = NULL
                p = self.digits(p + (1 if CLASS[<unsigned char>p[1]] & C_DIGIT else 2), 10, kind)
            elif (p[0] | 32) == c'e':
                self.end_of_number(p, kind)
                self.emit(T_NUMBER, start, p)
                return p
            if (p[0] | 32) == c'j':
                zeros = NULL
                kind = "imaginary"
                p += 1
            if zeros != NULL:
                self.fail(
                    SyntaxError,
                    "leading zeros in decimal integer literals are not permitted; "
                    "use an 0o prefix for octal integers",
                    p, <int>(start - self.line) + 1, <int>(zeros - self.line) + 1,
                )
            self.end_of_number(p, kind)
        self.emit(T_NUMBER, start, p)
        return p

    # --------------------------------------------------- names and strings

    cdef const char *name_or_string(self, const char *start) except NULL:
        cdef const char *p = start
        cdef int flags
        cdef unsigned char seen = 0
        while CLASS[<unsigned char>p[0]] & C_WORD:
            seen |= <unsigned char>p[0]
            p += 1
        if (p[0] == c'"' or p[0] == c"'") and p - start <= 2:
            flags = string_prefix(start, p - start)
            if flags >= 0:
                return self.string(start, p, flags)
        if seen & 128:
            self.check_identifier(start, p)
            self.emit(T_NAME, start, p)
            self.tokens[self.count - 1].flags = F_NON_ASCII
        else:
            self.emit(name_kind(start, p - start), start, p)
        return p

    cdef int check_identifier(self, const char *start, const char *end) except -1:
        cdef str text = PyUnicode_DecodeUTF8(start, end - start, "strict")
        cdef Py_ssize_t good
        if text.isidentifier():
            return 0
        good = 0
        while good < len(text) and text[: good + 1].isidentifier():
            good += 1
        bad = text[good]
        at = start + len(text[: good + 1].encode())
        if bad.isprintable():
            self.fail(SyntaxError, f"invalid character '{bad}' (U+{ord(bad):04X})", at)
        self.fail(SyntaxError, f"invalid non-printable character U+{ord(bad):04X}", at)
        return 0

    cdef const char *string(self, const char *start, const char *p, int flags) except NULL:
        """A string or the start of an f-string; ``p`` is at its quote."""
        cdef char quote = p[0]
        cdef int size = 1
        cdef int lineno = self.lineno
        cdef const char *line = self.line
        cdef const char *quotes = p
        cdef unsigned char seen = 0
        cdef bint escaped_quote = False
        cdef Token *token
        if p[1] == quote and p[2] == quote:
            size = 3
            flags |= F_TRIPLE
        p += size
        if flags & 256 and not self.whole_strings:
            return self.start_fstring(start, quotes, p, size, flags & 255)
        if size == 1:
            while p[0] != quote:
                if p[0] == c'\\' and p[1]:
                    flags |= F_BACKSLASH
                    p += 1
                    if p[0] == c'\n':
                        self.lineno += 1
                        self.line = p + 1
                    elif p[0] == quote:
                        escaped_quote = True
                elif p[0] == c'\n' or p[0] == 0:
                    if p == self.line and p[0] == 0:
                        self.lineno -= 1
                    self.unterminated(start, quotes, size, lineno, line, escaped_quote)
                seen |= <unsigned char>p[0]
                p += 1
        else:
            while not (p[0] == quote and p[1] == quote and p[2] == quote):
                if p[0] == c'\\' and p[1]:
                    flags |= F_BACKSLASH
                    p += 1
                elif p[0] == 0:
                    if p == self.line:
                        self.lineno -= 1
                    self.unterminated(start, quotes, size, lineno, line, False)
                if p[0] == c'\n':
                    self.lineno += 1
                    self.line = p + 1
                seen |= <unsigned char>p[0]
                p += 1
        p += size
        if seen & 128:
            flags |= F_NON_ASCII
        self.emit(T_STRING, start, p)
        token = &self.tokens[self.count - 1]
        token.flags = flags
        token.prefix = <unsigned char>(quotes - start)
        token.lineno = lineno
        token.col = <int>(start - line)
        return p

    cdef int unterminated(self, const char *start, const char *quotes, int size, int lineno,
                          const char *line, bint escaped_quote) except -1:
        cdef FString *outer
        if self.fstrings:
            outer = &self.fstring[self.fstrings - 1]
            if outer.quote == quotes[0] and outer.quote_size == size:
                # the quote was meant to end the f-string around it
                self.fail(SyntaxError, "f-string: expecting '}'", quotes + 1, -2, -2, lineno,
                          line)
        kind = "triple-quoted string" if size == 3 else "string"
        hint = "; perhaps you escaped the end quote?" if escaped_quote and PY313 else ""
        return self.fail(SyntaxError, f"unterminated {kind} literal (detected at line {self.lineno}){hint}",
                         start + 1, -2, -2, lineno, line)

    # ----------------------------------------------------------- f-strings

    cdef const char *start_fstring(self, const char *start, const char *quotes, const char *p, int size,
                                   int flags) except NULL:
        cdef FString *f
        if self.fstrings >= MAX_FSTRINGS:
            self.fail(SyntaxError, "too many nested f-strings", p)
        f = &self.fstring[self.fstrings]
        f.quote = quotes[0]
        f.quote_size = size
        f.level = self.level
        f.flags = flags
        f.lineno = self.lineno
        f.col = <int>(start - self.line)
        f.line = self.line
        f.start = start
        self.fstrings += 1
        self.emit(T_FSTRING_START, start, p)
        self.tokens[self.count - 1].flags = flags
        self.tokens[self.count - 1].prefix = <unsigned char>(quotes - start)
        return p

    cdef const char *middle(self, const char *p) except NULL:
        """Literal text of an f-string or format spec, up to a brace or the end."""
        cdef FString *f = &self.fstring[self.fstrings - 1]
        cdef bint in_spec = self.level > f.level
        cdef const char *start = p
        cdef const char *line = self.line
        cdef int lineno = self.lineno
        cdef int flags = f.flags | (F_SPEC if in_spec else 0)
        cdef unsigned char c
        while True:
            c = p[0]
            if c == <unsigned char>f.quote and (f.quote_size == 1 or (p[1] == f.quote and p[2] == f.quote)):
                self.emit_middle(start, p, flags, lineno, line)
                self.emit(T_FSTRING_END, p, p + f.quote_size)
                self.fstrings -= 1
                return p + f.quote_size
            if c == 0 or (c == c'\n' and f.quote_size == 1):
                if c == 0 and p == self.line:
                    self.lineno -= 1
                self.unterminated_fstring(f)
            if c == c'\n':
                self.lineno += 1
                self.line = p + 1
            elif c == c'{':
                if p[1] == c'{' and not in_spec:
                    flags |= F_BRACES
                    p += 1
                else:
                    self.emit_middle(start, p, flags, lineno, line)
                    return self.open_bracket(p, T_LBRACE, True)
            elif c == c'}':
                if in_spec:
                    self.emit_middle(start, p, flags, lineno, line)
                    return self.close_bracket(p)
                if p[1] != c'}':
                    self.fail(SyntaxError, "f-string: single '}' is not allowed", p + 1)
                flags |= F_BRACES
                p += 1
            elif c == c'\\' and p[1]:
                flags |= F_BACKSLASH
                if p[1] == c'{' or p[1] == c'}':
                    pass        # the brace keeps its meaning
                elif p[1] == c'N' and p[2] == c'{' and not flags & F_RAW:
                    p += 2
                    while p[0] != c'}' and p[0] != f.quote and p[0] != c'\n' and p[0]:
                        p += 1
                    if p[0] != c'}':
                        continue
                else:
                    p += 1
                    if p[0] == c'\n':
                        self.lineno += 1
                        self.line = p + 1
            if c & 128:
                flags |= F_NON_ASCII
            p += 1

    cdef int emit_middle(self, const char *start, const char *end, int flags, int lineno,
                         const char *line) except -1:
        cdef Token *token
        if start == end:
            return 0
        self.emit(T_FSTRING_MIDDLE, start, end)
        token = &self.tokens[self.count - 1]
        token.flags = flags
        token.lineno = lineno
        token.col = <int>(start - line)
        return 0

    cdef int unterminated_fstring(self, FString *f) except -1:
        kind = "f-string" if PY312 else "string"
        if f.quote_size == 3:
            kind = "triple-quoted " + kind
        return self.fail(SyntaxError, f"unterminated {kind} literal (detected at line {self.lineno})", f.start + 1,
                         -2, -2, f.lineno, f.line)


cdef int string_prefix(const char *p, Py_ssize_t length) noexcept:
    """Flags of a string prefix (256 marks an f-string), or -1 when it is none."""
    cdef int flags = 0, flag, c
    cdef Py_ssize_t i
    for i in range(length):
        c = p[i] | 32
        if c == c'r':
            flag = F_RAW
        elif c == c'b':
            flag = F_BYTES
        elif c == c'u':
            flag = F_UNICODE
        elif c == c'f':
            flag = 256
        else:
            return -1
        if flags & flag:
            return -1
        flags |= flag
    if length == 2 and (not flags & F_RAW or flags & F_UNICODE):
        return -1
    return flags
