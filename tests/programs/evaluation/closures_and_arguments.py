def outer():
    a = b = 1
    def inner(): return a, b
    return inner
g = outer(); c = g.__closure__
def nofree(): pass
for t in ["exec(g.__code__)", "exec(g.__code__, closure=c)", "exec(g.__code__, closure=c[:1])", "exec(g.__code__, closure=c+c)", "exec(g.__code__, closure=())", "exec(g.__code__, closure=list(c))","exec(g.__code__, closure=(1,2))", "exec(nofree.__code__, closure=())", "exec(nofree.__code__, closure=c)", "exec(nofree.__code__, closure=None)", "exec('1', closure=())", "exec('1', closure=c)", "exec('1', closure=None)", "eval(g.__code__)", "eval('1', closure=())", "eval('1', globals={})", "exec('1', globals={})", "exec('1', x=1)", "exec('1', {}, {}, {})", "eval('1', {}, {}, {})", "exec()", "eval()"]:
    try: print(t, eval(t))
    except TypeError as e: print(t, '|', e)
