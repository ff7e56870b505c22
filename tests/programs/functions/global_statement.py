x = "module"
count = 0
def read(): return x
def write():
    global x
    x = "written"
def create():
    global made_here
    made_here = [1]
def local_shadow():
    x = "local"
    def inner():
        global x
        return x
    return x, inner()
def both():
    global x, count
    count += 1
    for x in range(3): pass
    return x
print(read()); write(); print(read(), local_shadow())
create(); print(made_here, both(), x, count)
def deleter():
    global made_here
    del made_here
deleter()
try:
    made_here
except NameError as e:
    print(e)
def unbound():
    print(x)
    x = 1
def conditional(flag):
    if flag: y = 1
    return y
def after_del():
    z = 1
    del z
    return z
def loop_var():
    for q in []: pass
    return q
def except_var():
    try: 1 / 0
    except ZeroDivisionError as err: pass
    return err
def aug():
    count += 1
def closure_unbound():
    def inner(): return later
    try:
        inner()
    except NameError as e:
        print(type(e).__name__, e, e.name)
    later = 1
    return inner()
for f in (unbound, lambda: conditional(False), after_del, loop_var, except_var, aug, lambda: nothing_here, lambda: lenn("x")):
    try:
        print(f())
    except NameError as e:
        print(type(e).__name__, e)
print(conditional(True), closure_unbound())
class C:
    global in_class
    in_class = 5
    x = x
print(in_class, hasattr(C, "in_class"), C.x)
def imp():
    global math
    import math
imp(); print(math.floor(2.5))
def nested_def():
    global published
    def published(): return "pub"
    class Local: pass
    global Made
    class Made: pass
nested_def(); print(published(), Made.__qualname__, published.__qualname__)
