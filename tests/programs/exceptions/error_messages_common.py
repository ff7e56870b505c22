def attempt(*srcs):
    for src in srcs:
        scope = {"x": 5, "s": "str", "l": [1], "d": {"k": 1}, "n": None, "f": lambda a: a, "C": type("C", (), {"attr": 1}), "t": (1,)}
        try:
            exec(src, scope)
            print(src, "ok")
        except Exception as e:
            print(src, "->", type(e).__name__, e)
attempt("x()", "x[0]", "x.y", "x.y = 1", "del x.y", "x[0] = 1", "del x[0]", "for i in x: pass", "x + s", "s + x", "-s", "len(x)", "x in x", "a, b = x", "[*x]", "{**x}", "with x: pass", "raise x", "x @ x", "x < s", "s[x]", "s['a']", "l[s]", "l['a'] = 1", "d['z']", "d[l]", "n.foo", "n()", "n[0]", "n + 1", "f()", "f(1, 2)", "f(b=1)", "f(1, a=2)", "C.zzz", "C().zzz", "C(5)", "C() + 1", "C()[0]", "C()()", "len(C())", "iter(C())", "C() < C()", "-C()", "C().attr.foo", "t[5]", "t[0] = 1", "int('abc')", "float('abc')", "int(n)", "list(x)", "dict(x)", "set(x)", "tuple(x)", "str(1, 2)", "s.foo()", "l.push(1)", "d.foo", "print(undefined)", "import nonexistent_module", "from sys import nonexistent", "s.join(l)", "','.join(x)", "sum(s)", "max(l, 's')", "sorted([1, s])", "abs(s)", "round(s)", "range(s)", "chr(s)", "ord(x)", "'%d' % s", "'{:d}'.format(s)", "f'{s:d}'", "s.index('zz')", "l.index(9)", "l.remove(9)", "[].pop()", "{}.popitem()", "set().pop()", "next(iter([]))", "1 / 0", "1 % 0", "1 // 0", "1.0 / 0", "2.0 ** 10000", "x.real = 1", "s.upper = 1", "int.foo = 1", "f.a.b", "lambda: (yield)", "type('A', (5,), {})", "class A(x): pass", "class A(C, C): pass", "class A(C, metaclass=x): pass", "isinstance(1, x)", "eval('1 +')", "exec('if')", "x = x = y", "global zzz; zzz")
