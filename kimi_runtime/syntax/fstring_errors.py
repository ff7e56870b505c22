"""The messages of Python 3.11 for wrong f-strings.

Before PEP 701 an f-string was one token, whose text was taken apart after the strings
around it had been read: an error is shown at the token after them, or, inside an
expression, in the text of that expression in parentheses.  On a 3.11 host the parser
asks here when it stopped in an f-string.  Returns no error for what only 3.12
allows (comments, backslashes and the f-string's own quotes in an expression), except
where the f-string is wrong for another reason.
"""
import re

from .errors import character_offset, source_line

_SPACE = " \t\n\f\r"
_MAX_NESTING = 200
_STRING_START = re.compile(rb"(?i:[bruf]|br|rb|fr|rf|)(?=['\"])")
# messages that get no prefix: the tokenizer's, and those of an f-string further inside
_OF_TOKENIZER = re.compile(
    "f-string|invalid (non-printable|character|digit|decimal|hexadecimal|octal|binary|imaginary)|leading zeros"
)
_CLOSERS = {")": "(", "]": "[", "}": "{"}


class _Wrong(Exception):
    """A message without a place of its own."""


class _WrongExpression(Exception):
    """A SyntaxError inside an expression of the f-string."""

    def __init__(self, error, offset):
        super().__init__(error)
        self.error = error
        self.offset = offset


def _string_end(data, start):
    """Return (start, end) of the contents of the string literal at ``start``, and its end."""
    quote_at = start
    while data[quote_at : quote_at + 1] not in (b"'", b'"'):
        quote_at += 1
    quote = data[quote_at : quote_at + 1]
    if data[quote_at : quote_at + 3] == quote * 3:
        quote *= 3
    at = first = quote_at + len(quote)
    while at < len(data):
        if data[at : at + 1] == b"\\":
            at += 2
        elif data.startswith(quote, at):
            return first, at, at + len(quote)
        elif len(quote) == 1 and data[at : at + 1] == b"\n":
            return None
        else:
            at += 1
    return None


class _Scanner:
    """One f-string's text; offsets are characters."""

    def __init__(self, text, raw):
        self.text = text
        self.raw = raw
        self.at = 0

    def peek(self):
        return self.text[self.at] if self.at < len(self.text) else ""

    def need(self):
        if self.at >= len(self.text):
            raise _Wrong("f-string: expecting '}'")

    def parts(self, level):
        while True:
            self.literal(level)
            if self.peek() != "{":
                break
            self.field(level)
        if level and self.peek() != "}":
            raise _Wrong("f-string: expecting '}'")

    def literal(self, level):
        """Skip text up to a brace with a meaning."""
        text = self.text
        while self.at < len(text):
            c = text[self.at]
            if c == "\\" and not self.raw and text[self.at + 1 : self.at + 3] == "N{":
                end = text.find("}", self.at)
                if end < 0:
                    self.at = len(text)
                    return
                self.at = end + 1
            elif c == "\\" and text[self.at + 1 : self.at + 2] not in ("{", "}"):
                self.at += 2
            elif c in "{}":
                if level:
                    return
                if text[self.at + 1 : self.at + 2] == c:
                    self.at += 2
                elif c == "}":
                    raise _Wrong("f-string: single '}' is not allowed")
                else:
                    return
            else:
                self.at += 1

    def field(self, level):
        """One replacement field; ``at`` is at its brace."""
        if level >= 2:
            raise _Wrong("f-string: expressions nested too deeply")
        self.at += 1
        start = self.at
        self.expression()
        self.check_expression(start, self.at)
        if self.peek() == "=":
            self.at += 1
            while self.peek() and self.peek() in _SPACE:
                self.at += 1
            self.need()
        if self.peek() == "!":
            self.at += 1
            self.need()
            conversion = self.peek()
            self.at += 1
            if conversion not in "sra":
                raise _Wrong("f-string: invalid conversion character: expected 's', 'r', or 'a'")
        self.need()
        if self.peek() == ":":
            self.at += 1
            self.need()
            self.parts(level + 1)
        if self.peek() != "}":
            raise _Wrong("f-string: expecting '}'")
        self.at += 1

    def expression(self):
        """Find the end of an expression."""
        text = self.text
        quote = ""
        stack = []
        while self.at < len(text):
            c = text[self.at]
            if c == "\\":
                raise _Wrong("f-string expression part cannot include a backslash")
            if quote:
                if text.startswith(quote, self.at):
                    self.at += len(quote)
                    quote = ""
                else:
                    self.at += 1
                continue
            if c in "'\"":
                quote = c * 3 if text.startswith(c * 3, self.at) else c
                self.at += len(quote)
                continue
            if c in "[{(":
                if len(stack) >= _MAX_NESTING:
                    raise _Wrong("f-string: too many nested parenthesis")
                stack.append(c)
            elif c == "#":
                raise _Wrong("f-string expression part cannot include '#'")
            elif not stack and c in "!:}=<>":
                if c in "!=<>" and text[self.at + 1 : self.at + 2] == "=":
                    self.at += 2
                    continue
                if c not in "<>":
                    break
            elif c in ")]}":
                if not stack:
                    raise _Wrong(f"f-string: unmatched '{c}'")
                opener = stack.pop()
                if opener != _CLOSERS[c]:
                    raise _Wrong(
                        f"f-string: closing parenthesis '{c}' does not match opening parenthesis '{opener}'"
                    )
            self.at += 1
        if quote:
            raise _Wrong("f-string: unterminated string")
        if stack:
            raise _Wrong(f"f-string: unmatched '{stack[-1]}'")
        self.need()

    def check_expression(self, start, end):
        from .parser import parse

        text = self.text[start:end]
        if not text.strip(_SPACE):
            after = self.peek()
            if after in "!:=":
                raise _Wrong(f"f-string: expression required before '{after}'")
            raise _Wrong("f-string: empty expression not allowed")
        inner = f"({text})"
        try:
            parse(inner + "\n", "<fstring>", "eval")
        except SyntaxError as error:
            raise _WrongExpression(error, start) from None


def _next_token(data, at, in_bracket):
    """Skip further strings, blanks and comments: return the place of the next token."""
    while at < len(data):
        c = data[at : at + 1]
        if c in (b" ", b"\t", b"\f") or (in_bracket and c == b"\n"):
            at += 1
        elif c == b"#":
            end = data.find(b"\n", at)
            if not in_bracket:
                return at, (end if end >= 0 else len(data))
            at = end if end >= 0 else len(data)
        elif c == b"\\" and data[at + 1 : at + 2] == b"\n":
            at += 2
        elif _STRING_START.match(data, at):
            ends = _string_end(data, at)
            if ends is None:
                return None
            at = ends[2]
        else:
            break
    word = re.compile(rb"[\w\x80-\xff]+").match(data, at)
    return at, word.end() if word else at + (data[at : at + 1] not in (b"\n", b""))


def find_fstring_error(source, filename, start, lineno, in_bracket, ends_line):
    """Return the SyntaxError of 3.11 for the f-string at byte ``start``, or None.

    Args:
        source: the text.
        filename: name for errors.
        start: offset of the prefix of the f-string in the UTF-8 bytes.
        lineno: its line.
        in_bracket: it stands inside a bracket, where newlines mean nothing.
        ends_line: the last line counts as ended by a newline.
    """
    data = source.encode()
    ends = _string_end(data, start)
    if ends is None:
        return None
    first, last, after = ends
    text = data[first:last].decode()
    raw = b"r" in data[start:first].lower()
    try:
        _Scanner(text, raw).parts(0)
    except _Wrong as wrong:
        return _error_after(str(wrong), source, data, filename, after, in_bracket, ends_line)
    except _WrongExpression as wrong:
        return _error_inside(wrong, filename, lineno + text.count("\n", 0, wrong.offset))
    return None


def _error_after(message, source, data, filename, after, in_bracket, ends_line):
    place = _next_token(data, after, in_bracket)
    if place is None or (in_bracket and place[0] >= len(data)):
        return None
    at, end = place
    line = data.count(b"\n", 0, at) + 1
    line_start = data.rfind(b"\n", 0, at) + 1
    text = source_line(source, line)
    offset = character_offset(text, at - line_start) + 1
    end_offset = character_offset(text, end - line_start) + 1
    if at == len(data) and not ends_line:
        offset, end_offset = offset - 1, -1
    return SyntaxError(message, (filename, line, offset, text, line, end_offset))


def _error_inside(wrong, filename, lineno):
    error = wrong.error
    message = error.msg
    if not _OF_TOKENIZER.match(message):
        message = "f-string: " + message
    if error.lineno is None:
        return type(error)(message, (filename, lineno, 0, None, lineno, 0))
    last = error.end_lineno
    return type(error)(
        message,
        (filename, lineno + error.lineno - 1, error.offset, error.text,
         lineno + last - 1 if last is not None else None, error.end_offset),
    )
