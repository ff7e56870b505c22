# Character classes. A test of one character is a kind and an argument (enum Kind); sets have a table of the first 256
# characters and their words, which are looked through for other characters and for what depends on the locale.

cdef extern from *:
    """
    #include <ctype.h>
    #define K_DIGIT(c) ((c) <= '9' && (c) >= '0')
    #define K_SPACE(c) ((c) == ' ' || ((c) >= 9 && (c) <= 13))
    #define K_WORD(c) ((c) < 128 && (Py_ISALNUM((unsigned char)(c)) || (c) == '_'))
    #define K_LOC_WORD(c) ((c) < 256 && (isalnum((int)(c)) || (c) == '_'))
    #define K_UNI_DIGIT(c) (Py_UNICODE_ISDECIMAL(c) != 0)
    #define K_UNI_SPACE(c) (Py_UNICODE_ISSPACE(c) != 0)
    #define K_UNI_WORD(c) (Py_UNICODE_ISALNUM(c) || (c) == '_')
    #define K_UNI_BREAK(c) (Py_UNICODE_ISLINEBREAK(c) != 0)
    #define K_LOWER_ASCII(c) ((c) - 'A' < 26u ? (c) + 32 : (c))
    #define K_LOWER_LOC(c) ((c) < 256 ? (uint32_t)tolower((int)(c)) : (c))
    #define K_UPPER_LOC(c) ((c) < 256 ? (uint32_t)toupper((int)(c)) : (c))
    #define K_LOWER_UNI(c) ((uint32_t)Py_UNICODE_TOLOWER(c))
    #define K_UPPER_UNI(c) ((uint32_t)Py_UNICODE_TOUPPER(c))
    """
    bint K_DIGIT(uint32_t c) noexcept nogil
    bint K_SPACE(uint32_t c) noexcept nogil
    bint K_WORD(uint32_t c) noexcept nogil
    bint K_LOC_WORD(uint32_t c) noexcept nogil
    bint K_UNI_DIGIT(uint32_t c) noexcept nogil
    bint K_UNI_SPACE(uint32_t c) noexcept nogil
    bint K_UNI_WORD(uint32_t c) noexcept nogil
    bint K_UNI_BREAK(uint32_t c) noexcept nogil
    uint32_t K_LOWER_ASCII(uint32_t c) noexcept nogil
    uint32_t K_LOWER_LOC(uint32_t c) noexcept nogil
    uint32_t K_UPPER_LOC(uint32_t c) noexcept nogil
    uint32_t K_LOWER_UNI(uint32_t c) noexcept nogil
    uint32_t K_UPPER_UNI(uint32_t c) noexcept nogil

ctypedef fused Char:
    uint8_t
    uint16_t
    uint32_t

cdef enum Kind:
    K_NONE = 0      # no test: any text, also its end
    K_ANY = 1       # not a newline
    K_ALL = 2       # any character
    K_LIT = 3       # the character arg
    K_NOT = 4       # any other character than arg
    K_SET = 5       # in the set number arg
    K_DYN = 6       # the same, and the locale matters: no table

cdef enum SetWord:      # words of a set; ends with SET_END
    SET_END = 0
    SET_LITERAL = 1     # character
    SET_RANGE = 2       # from, to
    SET_RANGE_IGNORE = 3
    SET_NEGATE = 4      # what follows is what is not in the set
    SET_CATEGORY = 5    # Category
    SET_BITS = 6        # 8 words: a bit for each of 256 characters
    SET_BLOCKS = 7      # number of blocks, 256 bytes with the block of each 256 characters, blocks of 8 words

cdef enum Category:
    CAT_DIGIT = 0
    CAT_SPACE = 1
    CAT_WORD = 2
    CAT_LINEBREAK = 3
    CAT_LOC_WORD = 4
    CAT_UNI_DIGIT = 5
    CAT_UNI_SPACE = 6
    CAT_UNI_WORD = 7
    CAT_UNI_LINEBREAK = 8
    CAT_NOT = 16        # added: characters that are not in it

cdef enum SetMode:      # what is looked up in the words
    MODE_PLAIN = 0
    MODE_ASCII = 1      # the character in lower case, of ASCII letters
    MODE_UNICODE = 2
    MODE_LOCALE = 3     # either case
    MODE_LOCALE_LITERAL = 4

ctypedef struct Set:
    uint8_t table[256]
    uint32_t words      # where they begin in the pool
    uint32_t length
    uint32_t weight     # parts that may have to be looked at for a character above 255
    uint8_t mode
    uint8_t negate
    uint8_t dynamic     # depends on the locale


cdef inline bint in_category(uint32_t category, uint32_t c) noexcept nogil:
    cdef bint found
    cdef uint32_t plain = category & 15
    if plain == CAT_UNI_WORD:
        found = K_UNI_WORD(c)
    elif plain == CAT_UNI_DIGIT:
        found = K_UNI_DIGIT(c)
    elif plain == CAT_UNI_SPACE:
        found = K_UNI_SPACE(c)
    elif plain == CAT_UNI_LINEBREAK:
        found = K_UNI_BREAK(c)
    elif plain == CAT_DIGIT:
        found = K_DIGIT(c)
    elif plain == CAT_SPACE:
        found = K_SPACE(c)
    elif plain == CAT_WORD:
        found = K_WORD(c)
    elif plain == CAT_LINEBREAK:
        found = c == 10
    else:
        found = K_LOC_WORD(c)
    return found != (category >= CAT_NOT)


cdef bint in_words(const uint32_t *w, uint32_t c) noexcept nogil:
    """Whether a character is in the set that the words describe."""
    cdef bint yes = True
    cdef uint32_t upper
    cdef uint32_t block
    while True:
        if w[0] == SET_LITERAL:
            if c == w[1]:
                return yes
            w += 2
        elif w[0] == SET_RANGE:
            if w[1] <= c <= w[2]:
                return yes
            w += 3
        elif w[0] == SET_CATEGORY:
            if in_category(w[1], c):
                return yes
            w += 2
        elif w[0] == SET_BITS:
            if c < 256 and (w[1 + (c >> 5)] >> (c & 31)) & 1:
                return yes
            w += 9
        elif w[0] == SET_BLOCKS:
            if c < 0x10000:
                block = (<const uint8_t *>(w + 2))[c >> 8]
                if (w[66 + block * 8 + ((c & 255) >> 5)] >> (c & 31)) & 1:
                    return yes
            w += 66 + 8 * <size_t>w[1]
        elif w[0] == SET_RANGE_IGNORE:
            if w[1] <= c <= w[2]:
                return yes
            upper = K_UPPER_UNI(c)
            if w[1] <= upper <= w[2]:
                return yes
            w += 3
        elif w[0] == SET_NEGATE:
            yes = not yes
            w += 1
        else:
            return not yes


cdef bint in_set(const Set *s, const uint32_t *pool, uint32_t c) noexcept nogil:
    """Whether a character is in a set, without its table."""
    cdef const uint32_t *w = pool + s.words
    cdef bint found
    cdef uint32_t lower, upper
    if s.mode == MODE_PLAIN:
        found = in_words(w, c)
    elif s.mode == MODE_ASCII:
        found = in_words(w, K_LOWER_ASCII(c))
    elif s.mode == MODE_UNICODE:
        found = in_words(w, K_LOWER_UNI(c))
    elif s.mode == MODE_LOCALE:
        lower = K_LOWER_LOC(c)
        found = in_words(w, lower)
        if not found:
            upper = K_UPPER_LOC(c)
            found = upper != lower and in_words(w, upper)
    else:
        found = c == w[1] or K_LOWER_LOC(c) == w[1] or K_UPPER_LOC(c) == w[1]
    return found != s.negate


cdef void fill_table(Set *s, const uint32_t *pool) noexcept nogil:
    cdef uint32_t c
    for c in range(256):
        s.table[c] = in_set(s, pool, c)


cdef inline bint has(const Set *s, const uint32_t *pool, uint32_t c) noexcept nogil:
    """The same by the table."""
    if c < 256:
        return s.table[c]
    return in_set(s, pool, c)


cdef inline bint passes(const Program *p, int kind, uint32_t arg, uint32_t c) noexcept nogil:
    """Whether a character passes a test; K_NONE is not asked."""
    if kind == K_LIT:
        return c == arg
    elif kind == K_SET:
        return has(&p.sets[arg], p.pool, c)
    elif kind == K_ANY:
        return c != 10
    elif kind == K_NOT:
        return c != arg
    elif kind == K_DYN:
        return in_set(&p.sets[arg], p.pool, c)
    return True
