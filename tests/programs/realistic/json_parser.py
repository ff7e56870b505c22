class JSONError(ValueError):
    pass

class Decoder:
    ESC = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
    def __init__(self, s):
        self.s, self.i = s, 0
    def fail(self, msg):
        line = self.s.count("\n", 0, self.i) + 1
        col = self.i - self.s.rfind("\n", 0, self.i)
        raise JSONError(f"{msg}: line {line} column {col} (char {self.i})")
    def ws(self):
        while self.i < len(self.s) and self.s[self.i] in " \t\r\n": self.i += 1
    def peek(self): return self.s[self.i] if self.i < len(self.s) else ""
    def value(self):
        self.ws()
        c = self.peek()
        if c == "{": return self.obj()
        if c == "[": return self.arr()
        if c == '"': return self.string()
        if c and c in "-0123456789": return self.number()
        for word, v in (("true", True), ("false", False), ("null", None)):
            if self.s.startswith(word, self.i):
                self.i += len(word)
                return v
        self.fail("expecting value")
    def obj(self):
        out = {}
        self.i += 1
        self.ws()
        if self.peek() == "}": self.i += 1; return out
        while True:
            self.ws()
            if self.peek() != '"': self.fail("expecting property name")
            k = self.string()
            self.ws()
            if self.peek() != ":": self.fail("expecting ':'")
            self.i += 1
            out[k] = self.value()
            self.ws()
            c = self.peek()
            self.i += 1
            if c == "}": return out
            if c != ",": self.i -= 1; self.fail("expecting ',' or '}'")
    def arr(self):
        out = []
        self.i += 1
        self.ws()
        if self.peek() == "]": self.i += 1; return out
        while True:
            out.append(self.value())
            self.ws()
            c = self.peek()
            self.i += 1
            if c == "]": return out
            if c != ",": self.i -= 1; self.fail("expecting ',' or ']'")
    def string(self):
        self.i += 1
        parts = []
        while True:
            c = self.peek()
            if not c: self.fail("unterminated string")
            self.i += 1
            if c == '"': return "".join(parts)
            if c == "\\":
                e = self.peek()
                self.i += 1
                if e == "u":
                    parts.append(chr(int(self.s[self.i:self.i + 4], 16)))
                    self.i += 4
                elif e in self.ESC: parts.append(self.ESC[e])
                else: self.fail("bad escape")
            else: parts.append(c)
    def number(self):
        start = self.i
        while self.peek() and self.peek() in "+-.eE0123456789": self.i += 1
        text = self.s[start:self.i]
        return float(text) if any(c in text for c in ".eE") else int(text)
def loads(s):
    d = Decoder(s)
    v = d.value()
    d.ws()
    if d.i != len(s): d.fail("extra data")
    return v
def dumps(v, indent=None, level=0):
    nl = "\n" + " " * (indent * (level + 1)) if indent else ""
    end = "\n" + " " * (indent * level) if indent else ""
    sep = "," + (nl or " ")
    if v is None: return "null"
    if v is True: return "true"
    if v is False: return "false"
    if isinstance(v, (int, float)): return repr(v)
    if isinstance(v, str): return '"' + "".join({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}.get(c, c if " " <= c < "\x7f" else f"\\u{ord(c):04x}") for c in v) + '"'
    if isinstance(v, dict): return "{" + nl + sep.join(f"{dumps(str(k))}: {dumps(x, indent, level + 1)}" for k, x in v.items()) + end + "}" if v else "{}"
    if isinstance(v, (list, tuple)): return "[" + nl + sep.join(dumps(x, indent, level + 1) for x in v) + end + "]" if v else "[]"
    raise TypeError(f"{type(v).__name__} is not serializable")
text = '{"name": "caf\\u00e9", "n": [1, -2.5, 1e3, []], "ok": true, "none": null, "o": {"q": "a\\"b\\n"}}'
data = loads(text)
print(data)
print(dumps(data))
print(dumps(data, indent=2))
print(loads(dumps(data)) == data, loads(" [ ] "), loads("{}"), loads("12"), loads('"x"'))
for bad in ("", "{", "[1,]", '{"a" 1}', '{"a": 1', "tru", "1 2", '"abc', '{a: 1}', '[1\n, x]', '"\\q"'):
    try: print(loads(bad))
    except JSONError as e: print(repr(bad), e)
try: dumps({"x": {1, 2}})
except TypeError as e: print(e)
