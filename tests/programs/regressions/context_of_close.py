class M:
    def __enter__(self): print('enter')
    def __exit__(self, k, v, t): print('exit', repr(v), repr(v and v.__context__))
def g():
    with M():
        while True: yield 1
def take(v, n=2):
    for i, item in enumerate(v):
        if i == n: return
        yield item
def take2(v, n=2):
    try:
        for i, item in enumerate(v):
            if i == n: return
            yield item
    except ValueError: raise
def take3(v, n=2):
    k = 0
    for item in v:
        if k == n: return
        k += 1
        yield item
def f(x, t):
    try:
        try: x[9]
        finally:
            if t == 0: [v for v in take(g())]
            elif t == 1: list(take(g()))
            elif t == 2: [v for v in take2(g())]
            elif t == 3: list(take2(g()))
            elif t == 4:
                for v in take(g()): pass
            elif t == 5:
                for v in take3(g()): pass
            elif t == 6:
                h = g(); next(h); del h
            elif t == 7:
                h = g(); next(h); h.close()
            elif t == 8:
                for v in g(): break
            elif t == 9:
                for v in enumerate(g()): break
            elif t == 10: any(g())
            elif t == 11: any(enumerate(g()))
            elif t == 12:
                def inner():
                    h = g(); next(h)
                inner()
            elif t == 13: [v for v in [w for w in take(g())]]
            elif t == 14: [(lambda: i)() for i in [v for v in take(g()) if v]]
            elif t == 15: next(take(g(), 0), None)
            elif t == 16:
                def gg():
                    yield from take(g())
                list(gg())
    except IndexError as e: print(t, e)
for t in range(17): f([], t)
for t in range(17):
    try: f([], t)
    finally: pass
def g2():
    try: yield 1
    except GeneratorExit as e: print(repr(e.__context__)); raise
    finally: print('fin')
def g3():
    try: yield 1
    finally: import sys; print('fin', sys.exc_info()[1].__context__)
for gen in (g, g2, g3):
    try:
        try: [][9]
        finally:
            h = gen(); next(h); h.close()
    except IndexError as e: print(e)
    try: [][9]
    except IndexError as e:
            h = gen(); next(h); h.close()
    try: [][9]
    except IndexError as e:
            h = gen(); next(h); del h
    try: [][9]
    except IndexError as e:
            h = gen(); next(h); 
            try: h.throw(ValueError(1))
            except ValueError as e2: print(repr(e2.__context__))
