c = compile("1 + 2", "file.py", "eval")
print(eval(c), type(c).__name__, c.co_filename, c.co_name)
c = compile("a = 5\nb = a * 2", "f", "exec")
ns = {}; exec(c, ns); print(ns["b"], eval(c, {}))
c = compile("1 + 1", "f", "single"); exec(c)
exec(compile("x = 5", "f", "single")); print(x)
exec(compile("x; 'shown'; None; print('p'); [1]", "f", "single"))
exec(compile("for i in range(2): i * 10\n", "f", "single"))
exec(compile("def g():\n    5\n    return 6\n", "f", "single")); print(g())
exec(compile("if 1:\n    'in if'\n", "f", "single"))
try: compile("a = 1\nb = 2", "f", "single")
except SyntaxError as e: print(e.msg)
f = compile("def fn(a, b=2, *c, d, **e):\n    'doc'\n    return a", "mod", "exec")
ns = {}; exec(f, ns)
print(ns["fn"].__doc__, ns["fn"].__code__.co_filename, ns["fn"].__code__.co_varnames, ns["fn"].__code__.co_firstlineno)
for args in (("1",), ("1", "f"), ("1", "f", "bad"), (1, "f", "eval"), ("1", 5, "eval"), ("x = 1", "f", "eval"), ("a b", "f", "exec"), ("1", "f", "exec", "flags"), (b"1 + 1", "f", "eval"), ("\0", "f", "exec"), (None, None, None)):
    try: print(args, type(compile(*args)).__name__)
    except Exception as e: print(args, type(e).__name__, e)
try:
    exec(compile("\n\nraise ValueError('line 3')", "myfile.py", "exec"))
except ValueError as e:
    import traceback
    last = traceback.extract_tb(e.__traceback__)[-1]
    print(last.lineno, last.filename)
try: compile("a\nb c\n", "named.py", "exec")
except SyntaxError as e: print(e.filename, e.lineno, e.offset, repr(e.text), e.msg)
print(eval(compile("__debug__", "f", "eval")), compile("pass", "f", "exec", dont_inherit=True, optimize=0).co_name)
