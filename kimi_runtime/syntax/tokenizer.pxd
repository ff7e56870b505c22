# Tokens are plain structs in one array that the Tokenizer owns; offsets are
# bytes into its UTF-8 buffer, lines count from 1, columns are bytes from 0.
# The array always ends in T_END, T_EOF_IN_BRACKET (a bracket is still open) or
# T_ERROR (``error`` holds the exception), none of which a grammar rule accepts.

cdef enum TokenKind:
    T_END = 0
    T_ERROR
    T_EOF_IN_BRACKET
    T_NEWLINE
    T_INDENT
    T_DEDENT
    T_NAME
    T_NUMBER
    T_STRING
    T_FSTRING_START
    T_FSTRING_MIDDLE
    T_FSTRING_END
    T_UNKNOWN           # a character that starts no token: $ ? !
    # brackets and delimiters
    T_LPAR
    T_RPAR
    T_LSQB
    T_RSQB
    T_LBRACE
    T_RBRACE
    T_COLON
    T_COMMA
    T_SEMI
    T_DOT
    T_ELLIPSIS
    T_ARROW
    T_COLONEQUAL
    T_EQUAL
    T_EXCLAMATION       # only in the replacement field of an f-string
    # binary operators
    T_PLUS
    T_MINUS
    T_STAR
    T_SLASH
    T_DOUBLESLASH
    T_PERCENT
    T_AT
    T_DOUBLESTAR
    T_VBAR
    T_AMPER
    T_CIRCUMFLEX
    T_LEFTSHIFT
    T_RIGHTSHIFT
    T_TILDE
    # augmented assignment, in the order of the operators above
    T_PLUSEQUAL
    T_MINUSEQUAL
    T_STAREQUAL
    T_SLASHEQUAL
    T_DOUBLESLASHEQUAL
    T_PERCENTEQUAL
    T_ATEQUAL
    T_DOUBLESTAREQUAL
    T_VBAREQUAL
    T_AMPEREQUAL
    T_CIRCUMFLEXEQUAL
    T_LEFTSHIFTEQUAL
    T_RIGHTSHIFTEQUAL
    # comparisons
    T_EQEQUAL
    T_NOTEQUAL
    T_LESS
    T_LESSEQUAL
    T_GREATER
    T_GREATEREQUAL
    # keywords
    T_FALSE
    T_NONE
    T_TRUE
    T_AND
    T_AS
    T_ASSERT
    T_ASYNC
    T_AWAIT
    T_BREAK
    T_CLASS
    T_CONTINUE
    T_DEF
    T_DEL
    T_ELIF
    T_ELSE
    T_EXCEPT
    T_FINALLY
    T_FOR
    T_FROM
    T_GLOBAL
    T_IF
    T_IMPORT
    T_IN
    T_IS
    T_LAMBDA
    T_NONLOCAL
    T_NOT
    T_OR
    T_PASS
    T_RAISE
    T_RETURN
    T_TRY
    T_WHILE
    T_WITH
    T_YIELD
    T_KIND_COUNT

# Token.flags of strings; for names only F_NON_ASCII is used.
cdef enum TokenFlag:
    F_RAW = 1
    F_BYTES = 2
    F_UNICODE = 4
    F_TRIPLE = 8
    F_BACKSLASH = 16
    F_NON_ASCII = 32
    F_SPEC = 64         # T_FSTRING_MIDDLE in a format spec, or the brace or colon of a field
    F_BRACES = 128      # T_FSTRING_MIDDLE with doubled braces

cdef struct Token:
    unsigned char kind
    unsigned char flags
    unsigned char prefix    # length of a string's prefix
    unsigned char level     # number of open brackets after this token
    int start
    int end
    int lineno
    int col                 # -1 for INDENT, DEDENT and END, as in CPython
    int end_lineno
    int end_col

cdef struct Bracket:
    char opener
    bint is_field           # a replacement field of an f-string
    bint in_spec            # ... whose format spec has begun
    int lineno
    int col

cdef struct FString:
    char quote
    int quote_size
    int level               # brackets open where the f-string starts
    unsigned char flags
    int lineno
    int col
    const char *line        # start of the line of the opening quote
    const char *start

cdef enum:
    MAX_BRACKETS = 200
    MAX_INDENTS = 100
    MAX_FSTRINGS = 150

cdef class Tokenizer:
    cdef const char *buf
    cdef Py_ssize_t size
    cdef Token *tokens
    cdef Py_ssize_t count
    cdef Py_ssize_t capacity
    cdef object owner               # keeps buf alive
    cdef readonly object filename
    cdef readonly object error      # exception that ended the tokens, or None
    cdef bint error_in_fstring
    cdef bint whole_strings         # an f-string is one token, as before 3.12
    cdef bint ends_line             # the last line may do without a newline (mode "exec")
    cdef readonly list warnings     # (category name, message, lineno, col_offset)

    # scanner state
    cdef const char *limit
    cdef const char *line           # start of the current line
    cdef const char *group          # ... of the first line joined to it by a string or backslash
    cdef int lineno
    cdef int level
    cdef Bracket brackets[MAX_BRACKETS]
    cdef int indents
    cdef int indent_col[MAX_INDENTS]
    cdef int indent_alt[MAX_INDENTS]
    cdef int fstrings
    cdef FString fstring[MAX_FSTRINGS]

    cdef int emit(self, int kind, const char *start, const char *end) except -1
    cdef int run(self) except -1
    cdef const char *indentation(self, const char *p) except NULL
    cdef const char *continuation(self, const char *p) except NULL
    cdef int tab_error(self, const char *p) except -1
    cdef str rest_of_line(self, const char *p)
    cdef int finish(self, const char *p, const char *comment) except -1
    cdef int check_identifier(self, const char *start, const char *end) except -1
    cdef int unterminated(self, const char *start, const char *quotes, int size, int lineno, const char *line,
                          bint escaped_quote) except -1
    cdef const char *start_fstring(self, const char *start, const char *quotes, const char *p, int size,
                                   int flags) except NULL
    cdef int emit_middle(self, const char *start, const char *end, int flags, int lineno, const char *line) except -1
    cdef int unterminated_fstring(self, FString *f) except -1
    cdef const char *number(self, const char *p) except NULL
    cdef const char *end_of_number(self, const char *p, str kind) except NULL
    cdef const char *digits(self, const char *p, int base, str name) except NULL
    cdef const char *name_or_string(self, const char *p) except NULL
    cdef const char *string(self, const char *start, const char *p, int flags) except NULL
    cdef const char *middle(self, const char *p) except NULL
    cdef const char *close_bracket(self, const char *p) except NULL
    cdef const char *open_bracket(self, const char *p, int kind, bint is_field) except NULL
    cdef int fail(self, object kind, str message, const char *at, int col=*, int end_col=*, int lineno=*,
                  const char *line=*) except -1
