class E(Exception):
    def __init__(self, a=0, b=1): super().__init__(a, b); self.a = a
class NotExc: pass
class Meta(type): pass
def attempt(src):
    try:
        exec(src)
    except BaseException as e:
        print(src, "->", type(e).__name__, e.args, repr(e), "|", str(e), "|", repr(e.__cause__), repr(e.__context__), e.__suppress_context__)
for src in ("raise ValueError", "raise ValueError()", "raise ValueError('m')", "raise ValueError('m', 2)", "raise E", "raise E(5)", "raise E(1, 2) from ValueError('c')", "raise KeyError from None", "raise KeyError('k') from KeyError", "raise 5", "raise 's'", "raise NotExc", "raise NotExc()", "raise None", "raise ValueError from 5", "raise ValueError from int", "raise int", "raise", "raise ValueError, 'x'", "raise (ValueError, KeyError)", "raise E(1, 2, 3)", "raise type('Dyn', (Exception,), {})('dynamic')", "raise SystemExit(2)", "raise KeyboardInterrupt", "raise GeneratorExit", "raise Exception(Exception('inner'))", "raise KeyError('a', 'b')", "raise KeyError(5)", "raise OSError(2, 'no file')", "raise OSError(2, 'no file', 'name.txt')", "raise OSError('one')", "raise FileNotFoundError(2, 'x')", "raise UnicodeDecodeError('utf8', b'abc', 1, 2, 'why')", "raise SyntaxError('msg', ('f', 1, 2, 'text'))", "raise ImportError('i', name='n', path='p')", "raise AttributeError('a', name='n', obj=1)", "raise NameError('q', name='z')", "raise StopIteration(9)", "raise BaseException", "raise AssertionError", "raise NotImplementedError('todo')", "raise NotImplemented"):
    attempt(src)
