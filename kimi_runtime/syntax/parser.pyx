"""Parser: tokens to AST nodes, by recursive descent with precedence climbing.

Reading map: this file holds the parser state, the entry point and what the parts
share; ``expressions.pxi``, ``strings.pxi`` (constants and f-strings), ``patterns.pxi``,
``statements.pxi``, ``definitions.pxi`` (functions, classes) hold the grammar, one function per rule.

A rule that can't go on calls ``fail``, which unwinds with ParseFailure.  The source is
then parsed a second time with ``p.diagnose`` set: the rules then look for the known mistakes
(``invalid.pxi``) and raise the SyntaxError that CPython raises for them, or else
the generic "invalid syntax" at the furthest token of the first pass.

Nodes are created with ``X.__new__(X)`` and field assignments.  ``start`` is always the
first token of the node being built; its last token is the one before ``p.tok``.
"""
import sys
import unicodedata
cimport cython
from libc.string cimport memcmp, memchr, memset
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF, Py_XDECREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.long cimport PyLong_FromLong

from .tokenizer cimport *
from .nodes cimport *
from .alarm cimport look_at_alarm
from .errors import syntax_error

cdef extern from "stack.h":
    char *k_thread_stack_floor() noexcept
    char *k_stack_here() noexcept

cdef extern from "Python.h":
    void PyUnicode_InternInPlace(PyObject **text)
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    double PyOS_string_to_double(const char *text, char **end, PyObject *overflow) except? -1.0
    int PyGC_Disable()
    int PyGC_Enable()
    object PyLong_FromString(const char *text, char **end, int base)

cdef enum:
    # CPython's bound on the depth of a tree: the recursion limit times three
    MAX_DEPTH = 3000
    STACK_FOR_NODE = 256        # bytes to release one node inside another, with room to spare

cdef enum Precedence:
    PREC_NONE = 0
    PREC_OR
    PREC_AND
    PREC_NOT
    PREC_COMPARE
    PREC_BITOR
    PREC_BITXOR
    PREC_BITAND
    PREC_SHIFT
    PREC_SUM
    PREC_TERM

cdef bint PY312 = sys.version_info >= (3, 12)
cdef bint PY313 = sys.version_info >= (3, 13)

cdef unsigned char PRECEDENCE[256]      # of a token as infix operator
cdef unsigned char OPERATOR[256]        # BinOp or AugAssign kind of a token
cdef unsigned char COMPARISON[256]
cdef unsigned char STARTS_EXPRESSION[256]


cdef int fill_operators() except -1:
    memset(PRECEDENCE, 0, sizeof(PRECEDENCE))
    memset(STARTS_EXPRESSION, 0, sizeof(STARTS_EXPRESSION))
    for token, precedence, operator in (
        (T_PLUS, PREC_SUM, OP_Add), (T_MINUS, PREC_SUM, OP_Sub), (T_STAR, PREC_TERM, OP_Mult),
        (T_SLASH, PREC_TERM, OP_Div), (T_DOUBLESLASH, PREC_TERM, OP_FloorDiv),
        (T_PERCENT, PREC_TERM, OP_Mod), (T_AT, PREC_TERM, OP_MatMult), (T_DOUBLESTAR, PREC_NONE, OP_Pow),
        (T_VBAR, PREC_BITOR, OP_BitOr), (T_AMPER, PREC_BITAND, OP_BitAnd),
        (T_CIRCUMFLEX, PREC_BITXOR, OP_BitXor), (T_LEFTSHIFT, PREC_SHIFT, OP_LShift),
        (T_RIGHTSHIFT, PREC_SHIFT, OP_RShift),
    ):
        PRECEDENCE[<int>token] = precedence
        OPERATOR[<int>token] = operator
        OPERATOR[<int>token + T_PLUSEQUAL - T_PLUS] = operator
    for token, operator in (
        (T_EQEQUAL, CMP_Eq), (T_NOTEQUAL, CMP_NotEq), (T_LESS, CMP_Lt), (T_LESSEQUAL, CMP_LtE),
        (T_GREATER, CMP_Gt), (T_GREATEREQUAL, CMP_GtE), (T_IN, CMP_In), (T_IS, CMP_Is), (T_NOT, CMP_NotIn),
    ):
        PRECEDENCE[<int>token] = PREC_COMPARE
        COMPARISON[<int>token] = operator
    PRECEDENCE[<int>T_OR] = PREC_OR
    PRECEDENCE[<int>T_AND] = PREC_AND
    for token in (
        T_NAME, T_NUMBER, T_STRING, T_FSTRING_START, T_LPAR, T_LSQB, T_LBRACE, T_ELLIPSIS, T_PLUS, T_MINUS,
        T_TILDE, T_FALSE, T_NONE, T_TRUE, T_AWAIT, T_LAMBDA, T_NOT,
    ):
        STARTS_EXPRESSION[<int>token] = 1
    return 0


fill_operators()


class ParseFailure(Exception):
    """Internal: no rule accepts the token at hand."""


class Exhausted(Exception):
    """Internal: the second pass has tried too much (its work must stay linear)."""


@cython.final
@cython.no_gc
cdef class Parser:
    """State of one parse."""
    cdef Tokenizer lexer
    cdef const char *buf
    cdef Token *tok             # the next token
    cdef Token *furthest        # the last token that a failing rule looked at
    cdef int depth              # rules being parsed inside each other
    cdef int height             # height of the node made last
    cdef int most_height        # trees are walked and released by recursion: the C stack bounds them
    cdef char *floor            # see vm/stack.h
    cdef bint diagnose          # second pass: look for known mistakes
    cdef bint backtrack         # second pass: give back what a failing rule has taken
    cdef Py_ssize_t work        # tokens looked at by ``attempt``
    cdef int attempts           # ... running inside each other
    cdef object filename
    cdef object tokenizer_error


cdef object fail(Parser p):
    """Give up at the next token."""
    if p.tok > p.furthest:
        p.furthest = p.tok
    if p.backtrack and p.tok.kind <= T_EOF_IN_BRACKET:
        end_error(p)
    raise ParseFailure


cdef object too_deep():
    raise RecursionError("maximum recursion depth exceeded during compilation")


cdef inline int enter(Parser p) except -1:
    """Begin a rule that can contain itself; the caller decrements ``p.depth``."""
    p.depth += 1
    if p.depth > MAX_DEPTH or k_stack_here() < p.floor:
        too_deep()
    look_at_alarm()
    return 0


cdef inline int grow(Parser p, int other) except -1:
    """The node made now has a child of height ``other`` and the one made last."""
    if other > p.height:
        p.height = other
    p.height += 1
    if p.height > p.most_height:
        too_deep()
    return 0


cdef inline Token *expect(Parser p, int kind) except NULL:
    cdef Token *token = p.tok
    if token.kind != kind:
        fail(p)
    p.tok += 1
    return token


cdef inline bint accept(Parser p, int kind) noexcept:
    if p.tok.kind == kind:
        p.tok += 1
        return True
    return False


cdef inline void span(Parser p, Node node, Token *start) noexcept:
    """Position of a node from ``start`` to the token before ``p.tok``."""
    cdef Token *last = p.tok - 1
    node.lineno = start.lineno
    node.col_offset = start.col
    node.end_lineno = last.end_lineno
    node.end_col_offset = last.end_col


cdef inline void span_statement(Parser p, Node node, Token *start) noexcept:
    """The same for a statement that ends in a block: stop at its last visible token."""
    cdef Token *last = p.tok - 1
    while T_NEWLINE <= last.kind <= T_DEDENT:
        last -= 1
    node.lineno = start.lineno
    node.col_offset = start.col
    node.end_lineno = last.end_lineno
    node.end_col_offset = last.end_col


cdef inline void span_token(Node node, Token *token) noexcept:
    node.lineno = token.lineno
    node.col_offset = token.col
    node.end_lineno = token.end_lineno
    node.end_col_offset = token.end_col


# ------------------------------------------------------------------- names

cdef enum:
    NAME_SLOTS = 4096
    MAX_CACHED_NAME = 40

# Direct-mapped cache of interned names, shared by all parses.
cdef PyObject *NAMES[NAME_SLOTS]


cdef str name_text(Parser p, Token *token):
    """The interned (and normalized) text of a name."""
    cdef const char *text = p.buf + token.start
    cdef Py_ssize_t length = token.end - token.start
    cdef Py_ssize_t i
    cdef unsigned int slot = <unsigned int>length
    cdef PyObject *made
    cdef str result
    if token.flags & F_NON_ASCII:
        result = sys.intern(unicodedata.normalize("NFKC", PyUnicode_DecodeUTF8(text, length, NULL)))
        return result
    for i in range(length):
        slot = slot * 31 + <unsigned char>text[i]
    slot = (slot ^ (slot >> 12)) & (NAME_SLOTS - 1)
    made = NAMES[slot]
    if made != NULL:
        result = <str>made
        if PyUnicode_GET_LENGTH(result) == length and memcmp(PyUnicode_DATA(result), text, length) == 0:
            return result
    result = PyUnicode_DecodeUTF8(text, length, NULL)
    made = <PyObject *>result
    Py_INCREF(result)
    PyUnicode_InternInPlace(&made)
    result = <str>made
    if length > MAX_CACHED_NAME:
        Py_XDECREF(made)
        return result
    Py_XDECREF(NAMES[slot])
    NAMES[slot] = made
    return result


cdef inline bint is_word(Parser p, Token *token, const char *word, int length) noexcept:
    return (token.kind == T_NAME and token.end - token.start == length
            and memcmp(p.buf + token.start, word, length) == 0)


include "expressions.pxi"
include "strings.pxi"
include "patterns.pxi"
include "statements.pxi"
include "definitions.pxi"
include "invalid.pxi"


# ------------------------------------------------------------- entry point

cdef Node parse_mode(Parser p, str mode):
    cdef Module module
    cdef Expression expr
    cdef Interactive interactive
    if mode == "exec":
        module = Module.__new__(Module)
        module.body = []
        module.type_ignores = []
        while p.tok.kind != T_END:
            statement(p, module.body)
        return module
    if mode == "eval":
        expr = Expression.__new__(Expression)
        expr.body = expressions(p)
        while p.tok.kind == T_NEWLINE:
            p.tok += 1
        expect(p, T_END)
        return expr
    interactive = Interactive.__new__(Interactive)
    interactive.body = []
    statement_of_session(p, interactive.body)
    return interactive


cdef int statement_of_session(Parser p, list body) except -1:
    """The one statement of mode "single"."""
    cdef Token *mark
    if p.tok.kind == T_END:
        raise SyntaxError("invalid syntax", (p.filename, p.tok.lineno if p.lexer.size else 0, 0, p.lexer.owner,
                                             p.tok.lineno if p.lexer.size else 0, 0))
    simple_line = not is_compound(p)
    statement(p, body)
    mark = p.tok - 1
    if simple_line:
        while p.tok.kind == T_NEWLINE:
            p.tok += 1
        while p.tok.kind > T_EOF_IN_BRACKET and p.tok.start == p.lexer.size:
            p.tok += 1              # the indentation that blanks at the end make
        if p.tok.kind > T_EOF_IN_BRACKET:
            raise syntax_error("multiple statements found while compiling a single statement", p.filename,
                               p.lexer.owner, mark.lineno, mark.col, mark.lineno, mark.end_col)
    elif mark.kind == T_NEWLINE and p.tok.kind == T_END and p.lexer.limit[-1] != c'\n':
        # the body is on the line of its colon, and that line may still go on
        raise SyntaxError("invalid syntax", (p.filename, p.tok.lineno, 0, p.lexer.owner, p.tok.lineno, 0))
    expect(p, T_END)
    return 0


def parse(source, filename="<string>", mode="exec", warnings=None):
    """Parse Python source (the grammar of 3.14, on every host) to a tree of nodes.

    Args:
        source: str, or bytes with an optional encoding cookie or byte order mark.
        filename: name for errors.
        mode: "exec" gives Module, "eval" Expression, "single" Interactive.
        warnings: a list that receives ``(category name, message, lineno, col_offset)``
            for each warning, such as an invalid escape sequence.

    Returns:
        The root node.

    Raises:
        SyntaxError, IndentationError, TabError: with CPython's message and location.
        RecursionError: the tree would be deeper than 3000 levels.
        UnicodeEncodeError: a str with lone surrogates.
        ValueError: unknown mode.
    """
    cdef Parser p
    cdef Node tree
    if mode not in ("exec", "eval", "single"):
        raise ValueError(f"mode must be 'exec', 'eval' or 'single', not {mode!r}")
    p = Parser.__new__(Parser)
    p.floor = k_thread_stack_floor()
    p.most_height = MAX_DEPTH
    if p.floor != NULL and (k_stack_here() - p.floor) // STACK_FOR_NODE < MAX_DEPTH:
        p.most_height = max(<int>((k_stack_here() - p.floor) // STACK_FOR_NODE), 1)
    p.lexer = Tokenizer(source, filename, mode == "exec")
    p.filename = filename
    p.buf = p.lexer.buf
    p.tok = p.furthest = p.lexer.tokens
    # A tree has no cycles, but its lists would set off collection after collection
    # (measured on 10 MB: four fifths of the time).
    collecting = PyGC_Disable()
    try:
        tree = parse_mode(p, mode)
    except ParseFailure:
        error = shown_error(p, mode, None)
    except SyntaxError as raised:
        error = shown_error(p, mode, raised)
    else:
        if warnings is not None:
            warnings.extend(p.lexer.warnings)
        return tree
    finally:
        if collecting:
            PyGC_Enable()
    error.__context__ = None    # the search began in a handler of ours
    raise error
