"""Objects of running guests: each program prints the same and ends the same as on CPython."""
import contextlib
import io
import linecache
import traceback

import pytest
from kimi_runtime.bytecode.compiler import compile_source

from kimi_runtime import _core
from kimi_runtime.objects import context, tracebacks

NAME = "<guest>"


def run_host(source):
    out, error = io.StringIO(), ""
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, NAME, "exec"), {"__name__": "__main__"})
        except Exception as e:
            linecache.cache[NAME] = (len(source), None, source.splitlines(True), NAME)
            error = "".join(traceback.format_exception(type(e), e, e.__traceback__.tb_next))
            del linecache.cache[NAME]
    return out.getvalue() + error


def run_guest(source):
    run, error = context.RunContext(), ""
    try:
        _core.run_code(compile_source(source, NAME, "exec"),
                       {"__name__": "__main__", "__builtins__": context.make_builtins(run)})
    except Exception as e:
        error = tracebacks.format_exception(e)
    return "".join(run.stdout_parts) + error


PROGRAMS = [
"""
def f(a, b=2, *args, c, d=4, **kw) -> int:
    'doc'
    x = 1
    def g(): return x
    return g
print(f.__name__, f.__qualname__, f.__module__, f.__doc__, f.__defaults__, f.__kwdefaults__, f.__annotations__, f.__dict__)
print(f.__code__.co_varnames, f.__code__.co_argcount, f.__code__.co_kwonlyargcount, f.__code__.co_cellvars, f.__code__.co_name, f.__code__.co_firstlineno, f.__code__.co_flags)
g = f(1, c=3)
print(g.__closure__[0].cell_contents, g.__code__.co_freevars, g.__qualname__)
print(f.__globals__ is globals())
f.__defaults__ = (10, 20)
print(f(c=3).__name__)
try: f()
except TypeError as e: print(e)
try: f(1, zz=3)
except TypeError as e: print(e)
f.attr = 5
print(f.attr, f.__dict__, vars(f))
del f.attr
try: f.attr
except AttributeError as e: print(e)
print(type(f), type(f).__name__, callable(f), f == f, hash(f) == hash(f))
m = f.__get__(5)
print(m.__self__, m.__func__ is f)
""",
"""
class M(type):
    def __new__(mcs, name, bases, ns, **kw):
        print(sorted(set(ns) - {'__module__'}), kw)
        return super().__new__(mcs, name, bases, ns)
    def __init__(cls, name, bases, ns, **kw):
        super().__init__(name, bases, ns)
    def __call__(cls, *a):
        print('call', a)
        return super().__call__(*a)
    @classmethod
    def __prepare__(mcs, name, bases, **kw):
        print('prep', name, bases, kw)
        return {'extra': 1}
class A(metaclass=M, opt=2):
    x = 1
    def __init__(self, v): self.v = v
    def __init_subclass__(cls, **kw): print('is', cls.__name__, kw, __class__)
    def me(self): return __class__
class B(A, k=5): pass
print(B(1).v, B.extra, B.me(1), type(B), B.__mro__)
class Set:
    def __set_name__(self, owner, name): print('sn', owner, name, owner.q(3) if hasattr(owner, 'q') else None)
class C:
    s = Set()
    def q(self): return __class__
print(C().q())
X = type('X', (A,), {'__init_subclass__': lambda cls: print('lam', cls), '__new__': lambda cls, *a: object.__new__(cls)})
class Y(X): pass
print(X.__module__, Y.__name__, type(X.__dict__["__new__"]))
""",
"""
class Meta1(type): pass
class Meta2(type): pass
class A(metaclass=Meta1): pass
class B(metaclass=Meta2): pass
try:
    class C(A, B): pass
except TypeError as e: print(e)
class P:
    def __mro_entries__(self, bases): return (int,)
class D(P()): pass
print(D.__bases__, len(D.__orig_bases__))
class E1:
    def __mro_entries__(self, bases): return 5
try:
    class F(E1()): pass
except TypeError as e: print(e)
class M(type):
    def __new__(m, n, b, ns):
        ns.pop('__classcell__', None)
        return super().__new__(m, n, b, ns)
try:
    class G(metaclass=M):
        def f(self): return __class__
except RuntimeError as e: print(e)
class M(type):
    def __new__(m, n, b, ns):
        ns['__classcell__'] = 5
        return super().__new__(m, n, b, ns)
try:
    class G(metaclass=M):
        def f(self): return __class__
except TypeError as e: print(e)
class M(type):
    def __new__(m, n, b, ns):
        cls = super().__new__(m, n, b, ns)
        return type.__new__(m, n+'2', b, ns)
try:
    class G(metaclass=M):
        def f(self): return __class__
    print(G)
except TypeError as e: print(e)
try:
    class H(1): pass
except TypeError as e: print(e)
class Fn:
    pass
def meta(name, bases, ns, **kw):
    print(name, bases, sorted(ns), kw); return 42
class I(metaclass=meta, z=1):
    y = 3
print(I)
class Bad:
    @staticmethod
    def __prepare__(*a): return 5
try:
    class J(metaclass=Bad): pass
except TypeError as e: print(e)
try: __build_class__()
except TypeError as e: print(e)
try: __build_class__(1, 2)
except TypeError as e: print(e)
""",
"""
def g():
    try:
        r = yield 1
        print('got', r)
        yield 2
    except ValueError as e:
        print('caught', e, repr(e.__context__))
        yield 3
    finally:
        print('finally')
    return 9
it = g()
print(next(it), it.send('x'))
try: next(it)
except StopIteration as e: print('stop', e.value)
it = g(); next(it)
print(it.throw(ValueError('v')))
it.close()
it = g()
try: it.throw(KeyError('k'))
except KeyError as e: print(repr(e))
print(it.gi_frame, it.gi_running, it.gi_code.co_name)
it = g()
try: it.send(1)
except TypeError as e: print(e)
try: it.throw(5)
except TypeError as e: print(e)
try: it.throw()
except TypeError as e: print(e)
def bad():
    try: yield 1
    except GeneratorExit: yield 2
b = bad(); next(b)
try: b.close()
except RuntimeError as e: print(e)
def selfie():
    yield next(me)
me = selfie()
try: next(me)
except ValueError as e: print(e)
def outer():
    r = yield from inner()
    print('inner returned', r)
    yield 'end'
def inner():
    try:
        x = yield 'a'
        print('inner got', x)
    except KeyError as e:
        print('inner caught', repr(e))
        yield 'recovered'
    return 'ret'
o = outer(); print(next(o), o.gi_yieldfrom.__name__, o.send(7))
o = outer(); print(next(o), o.throw(KeyError(1)), next(o))
o = outer(); next(o); o.close()
def stop():
    yield 1
    raise StopIteration(5)
s = stop(); next(s)
try: next(s)
except RuntimeError as e: print(e, repr(e.__cause__), repr(e.__context__))
print(list(x for x in range(3)), (x for x in ()).__name__, (x for x in ()).__qualname__)
class It:
    def __iter__(self): return self
    def __next__(self): return 1
    def throw(self, *a): print('throw', a); raise StopIteration('tv')
    def close(self): print('close')
def d():
    r = yield from It()
    print('r', r)
    yield 'after'
x = d(); next(x); print(x.throw(ValueError, ValueError('p')))
x = d(); next(x); x.close()
def f2():
    with C(): yield 1
class C:
    def __enter__(self): print('enter')
    def __exit__(self, *a): print('exit', a[0])
y = f2(); next(y); del y
""",
"""
x = 5
def f(a):
    b = a
    print(sorted(locals()), dir(), vars() == locals(), 'x' in globals())
    return eval('a + b + x'), eval('a', {'a': 9}), eval('a + q', {}, {'a': 1, 'q': 2})
print(f(3))
ns = {}
exec('def g(): return 42\\nz = g()', ns)
print(ns['z'], sorted(k for k in ns if k != '__builtins__'))
exec('x = 7'); print(x)
def h():
    exec('x = 8'); return x
print(h())
for bad in ['eval(1)', 'exec(1)', 'eval("1", 1)', 'eval("1", {}, 1)', 'exec("1", 1)', 'exec("1", {}, 1)', 'eval()', 'exec()', 'eval("1 +")', 'compile("1", "f", "bad")', 'compile(1, "f", "exec")', 'eval("x = 1")', 'exec("1", closure=())', 'compile()', 'compile("1", 1, "exec")']:
    try: print(eval(bad))
    except Exception as e: print(bad, type(e).__name__, e)
c = compile('x + 1', 'f', 'eval'); print(eval(c), eval(c, {'x': 1}))
c = compile('a = 1; b = a', 'f', 'exec'); d = {}; exec(c, d); print(d['b'])
exec(compile('1 + 1', 'f', 'single'))
print(eval('  1'), eval(b'2'), eval('[a for a in (1,2)]'), eval('lambda: x')())
print(repr(print), repr(eval), repr(len), print.__name__, print.__module__, eval.__module__)
import math, sys
print(math.pi, math.floor(2.5), sys.maxsize)
from math import sqrt, cos as c
print(sqrt(4), c(0))
try: import notthere
except ImportError as e: print(type(e).__name__, e, e.name)
try: from math import nothing
except ImportError as e: print(str(e)[:40], e.name)
try: import math.foo
except ImportError as e: print(e)
try: from . import x
except ImportError as e: print(e)
print(1, 2, sep='', end='|\\n'); print(*[], sep='x'); print('a', file=None)
sys.stdout.write('w\\n')
try: print(sep=1)
except TypeError as e: print(e)
class F:
    def write(self, s): L.append(s)
L = []
print(1, 'b', file=F()); print(L)
old = sys.stdout; sys.stdout = F(); print('captured'); sys.stdout = old; print(L)
""",
]


PROGRAMS += [
"""
class S: __subclasses__ = staticmethod(lambda: 'mine')
print(S.__subclasses__())
class M(type):
    def __subclasses__(cls): return ['meta']
class T(metaclass=M): pass
class U: pass
class V(U): pass
print(T.__subclasses__(), type.__subclasses__(T), type.__subclasses__(U), U.__subclasses__())
for call in (lambda: type.__subclasses__(), lambda: type.__subclasses__(1), lambda: type.__subclasses__(U, 1), lambda: U.__subclasses__(1)):
    try: call()
    except TypeError as e: print(e)
class W:
    __dict__ = 5
    __self__ = 6
    def __getattribute__(self, n): return 'got ' + n
print(W().__self__, W().__dict__, W.__dict__['__dict__'], W().__globals__)
""",
"""
class Meta(type):
    def __eq__(self, o): return True
    __hash__ = None
class A(metaclass=Meta):
    def __init__(self): self.x = 1
    def m(self): return self.x
print(A().m(), A == 5)
""",
"""
def function_without_closures():
    return 3 * 5
result = 0
def make_closure_functions():
    two = 2
    three = 3
    four = 4
    five = 5
    def three_freevars():
        nonlocal result
        nonlocal two
        nonlocal three
        result = two * three
    def four_freevars():
        nonlocal result
        result = two * three * four * five
    result = 1
    return three_freevars, four_freevars
three_freevars, four_freevars = make_closure_functions()
exec(three_freevars.__code__, three_freevars.__globals__, closure=three_freevars.__closure__)
print(three_freevars.__closure__[0].cell_contents)
for a in [(function_without_closures.__code__,), ('pass',), (three_freevars.__code__,)]:
    for c in [None, (), three_freevars.__closure__, list(three_freevars.__closure__), (5, 5, 5), four_freevars.__closure__]:
        try: exec(*a, {}, closure=c); print('ok')
        except Exception as e: print(type(e).__name__, e)
try: eval(three_freevars.__code__)
except TypeError as e: print(e)
print(eval(function_without_closures.__code__))
""",
"""
import sys
def f(): return sys._getframe(1).f_code.co_name
print(f())
try: sys._getframe(100)
except ValueError as e: print(e)
class A:
    def __init_subclass__(cls, /, x=None, **kw): print(cls.__name__, x, kw)
class B(A, x=5): pass
try:
    class C(A, y=5): pass
except TypeError as e: print(e)
try:
    class D(x=5): pass
except TypeError as e: print(e)
class E:
    def __class_getitem__(cls, i): return cls.__name__, i
print(E[int], E.__class_getitem__(3), type(E.__dict__['__class_getitem__']).__name__, type(A.__dict__['__init_subclass__']).__name__)
print(type(E)('Dyn', (E,), {})[1], E().__class__)
class F:
    def __new__(cls): return super().__new__(cls)
f = F(); print(f.__new__ is F.__new__, type(F.__dict__['__new__']).__name__)
""",
"""
def f(): pass
for n in ('__code__', '__defaults__', '__kwdefaults__', '__name__', '__qualname__', '__dict__', '__globals__', '__closure__', '__annotations__', '__module__', '__doc__'):
    for v in (1, None, 'x', {}, (), f):
        try: setattr(f, n, v); print(n, 'set', type(v).__name__)
        except Exception as e: print(n, type(v).__name__, type(e).__name__, e)
    try: delattr(f, n); print(n, 'deleted')
    except Exception as e: print(n, type(e).__name__, e)
def a(x, y=2): return x, y
def b(*, k=1): return k
a.__code__ = b.__code__
try: print(a())
except Exception as e: print(e)
a.__kwdefaults__ = {'k': 9}; print(a())
import sys
print(a.__get__(None, int) is a, a.__get__(5).__self__)
try: type(a)()
except TypeError as e: print(str(e)[:30])
print(hasattr(a, '__wrapped__'), a.__type_params__ if sys.version_info >= (3, 12) else ())
print(type(a)(b.__code__, {'__builtins__': {}}, 'newname', None, None).__name__)
for args in [(), (1,), (b.__code__,), (b.__code__, 1), (b.__code__, {}, 1), (b.__code__, {}, 'n', 1), (b.__code__, {}, 'n', (), 1), (b.__code__, {}, 'n', (), (1,))]:
    try: print(type(a)(*args).__name__)
    except Exception as e: print(type(e).__name__, e)
""",
"""
def gen():
    try: yield 1
    finally: print('cleanup')
g = gen()
print(g.__name__, g.__qualname__, g.gi_code.co_name, g.gi_frame.f_lineno, g.gi_running, g.gi_suspended, g.gi_yieldfrom)
next(g)
print(g.gi_frame.f_lineno, g.gi_suspended, sorted(g.gi_frame.f_locals), g.gi_frame.f_code is gen.__code__)
g.__name__ = 'other'; g.__qualname__ = 'q.other'
print(repr(g)[:24], g.__name__)
for n, v in (('__name__', 1), ('__qualname__', 1), ('gi_running', 1), ('gi_frame', 1), ('x', 1)):
    try: setattr(g, n, v)
    except Exception as e: print(n, type(e).__name__, e)
try: type(g)()
except TypeError as e: print(e)
try: g.send()
except TypeError as e: print(e)
try: g.send(1, 2)
except TypeError as e: print(e)
try: g.close(1)
except TypeError as e: print(e)
try: next(g, 1, 2)
except TypeError as e: print(e)
try: g.throw(ValueError, 'a', 5)
except TypeError as e: print(e)
try: g.throw(ValueError('x'), 'y')
except TypeError as e: print(e)
try: g.throw(int)
except TypeError as e: print(e)
try: g.throw('x')
except TypeError as e: print(e)
g.close(); print(g.gi_frame)
print(iter(g) is g, [n for n in dir(g) if not n.startswith('__')])
""",
"""
import sys
def f():
    try: raise KeyError('a')
    except KeyError:
        print(sys.exc_info()[0].__name__)
        try: raise ValueError('b')
        except ValueError as e: print(repr(e.__context__), sys.exc_info()[1] is e)
        print(sys.exc_info()[1].args)
    print(sys.exc_info())
f()
def g():
    try:
        yield sys.exc_info()[0]
    finally:
        print('fin', sys.exc_info()[0])
try: raise TypeError
except TypeError:
    x = g(); print(next(x)); x.close()
""",
"""
import sys
def f():
    x = 1
    print(sys._getframe().f_lineno, sorted(sys._getframe().f_locals))
    frame = sys._getframe()
    print(frame.f_code.co_name, frame.f_locals["x"])
    print(frame.f_back.f_code.co_name, frame.f_back.f_lineno)
    return sys._getframe(1).f_code.co_name
def g():
    return f()
print(g())
""",
"""
class Meta(type):
    def __call__(cls, *a): return super().__call__(*a)
class M(metaclass=Meta):
    def __new__(cls, *a): return super().__new__(cls)
    def cl(self): return __class__
print(M().cl() is M)
class Star(type):
    def __new__(mcs, *args, **kw): return super().__new__(mcs, *args, **kw)
class S(metaclass=Star):
    def cl(self): return __class__
    def __init_subclass__(cls): print('sub', cls.__name__, __class__.__name__)
class T(S): pass
print(S().cl() is S)
class Explicit(type):
    def __new__(mcs, name, bases, ns): return type.__new__(mcs, name, bases, dict(ns))
class E(metaclass=Explicit):
    def cl(self): return __class__
print(E().cl() is E)
class Call(type):
    def __new__(mcs, name, bases, ns):
        new = super().__new__
        return new(mcs, name, bases, ns)
class C(metaclass=Call):
    def cl(self): return __class__
print(C().cl() is C)
class Keep(type):
    def __new__(mcs, name, bases, ns):
        mcs.kept = ns
        return super().__new__(mcs, name, bases, ns)
class K(metaclass=Keep):
    def cl(self): return __class__
print(K.kept['__classcell__'] is K.cl.__closure__[0], K.cl.__closure__[0].cell_contents is K)
class First(type):
    def __new__(mcs, name, bases, ns):
        return ns
ns = First.__new__(First, 'X', (), {})
class D(metaclass=First):
    def cl(self): return __class__
try: D['cl'](None)
except NameError as e: print(e)
made = type('Made', (), D)
print(made().cl() is made)
Sub = Explicit('Sub', (E,), {'__init_subclass__': lambda cls: print('hook', cls.__name__)})
class SubSub(Sub): pass
print([t.__name__ for t in map(lambda n: type(n, (), {}), ['A1', 'B1'])], list(map(type, ['n'], [()], [{}]))[0].__name__)
""",
"""
for n in range(4):
    def f():
        try: yield n
        finally: print("finally", n)
    g = f(); next(g)
    del g
""",
"""
def f(n):
    if n == 0:
        1 / 0
    f(n - 1)
saved = []
for n in (1, 2):
    try: f(n)
    except ZeroDivisionError as e: saved.append(e)
for e in saved:
    tb = e.__traceback__.tb_next
    while tb:
        print(tb.tb_lineno, tb.tb_lasti >= 0)
        tb = tb.tb_next
""",
]


@pytest.mark.parametrize("source", PROGRAMS, ids=range(len(PROGRAMS)))
def test_program(source):
    assert run_guest(source) == run_host(source)


def test_recursion_limit_belongs_to_the_run():
    run_guest("import sys\nsys.setrecursionlimit(50)")
    assert run_guest("import sys\nprint(sys.getrecursionlimit())\nsys.setrecursionlimit(77)\n"
                     "print(sys.getrecursionlimit())\ntry: sys.setrecursionlimit(0)\n"
                     "except ValueError as e: print(e)") == f"{_core.get_recursion_limit()}\n77\n" \
        "recursion limit must be greater or equal than 1\n"


def test_unraisable_goes_to_the_guest():
    run = context.RunContext()
    source = "def g():\n    try: yield\n    finally: 1 / 0\nx = g()\nnext(x)\ndel x\n"
    _core.run_code(compile_source(source, NAME), {"__name__": "__main__", "__builtins__": context.make_builtins(run)})
    text = "".join(run.stderr_parts)
    assert text.startswith("Exception ignored in: <generator object g at ") and text.endswith("division by zero\n")
    assert f'  File "{NAME}", line 3, in g\n' in text and "pxi" not in text


def test_errors_of_del_go_to_the_guest():
    run = context.RunContext()
    source = ("class A:\n    def __del__(self): 1 / 0\nclass B(A): pass\nclass C:\n    __del__ = staticmethod(lambda: print('static'))\n"
              "for cls in (A, B, C):\n    x = cls()\n    del x\nclass D(A):\n    def __del__(self): print('fine')\nx = D()\ndel x\n")
    _core.run_code(compile_source(source, NAME), {"__name__": "__main__", "__builtins__": context.make_builtins(run)})
    text = "".join(run.stderr_parts)
    assert text.count("Exception ignored in: <function A.__del__ at ") == 2 == text.count("division by zero\n")
    assert "".join(run.stdout_parts) == "static\nfine\n"


def test_guest_hook_for_unraisable_exceptions():
    run = context.RunContext()
    source = ("import sys\nsys.unraisablehook = lambda u: print(u.exc_type.__name__, u.object is D)\nclass A:\n"
              "    def __del__(self): 1 / 0\nD = A.__dict__['__del__']\nx = A()\ndel x\nsys.unraisablehook = sys.__unraisablehook__\n"
              "x = A()\ndel x\n")
    _core.run_code(compile_source(source, NAME), {"__name__": "__main__", "__builtins__": context.make_builtins(run)})
    assert "".join(run.stdout_parts) == "ZeroDivisionError True\n"
    assert "".join(run.stderr_parts).count("Exception ignored in") == 1
