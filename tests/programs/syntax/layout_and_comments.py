# leading comment
x = 1; y = 2; print(x, y);
if x: print("one line if"); print("second")
else: print("no")
for i in range(2): print(i, end=" "); print("|", end="")
print()
while x < 3: x += 1
def f(): return 1
class C: a = 1; b = 2
print(x, f(), C.a, C.b)
if (x == 3 and
        y == 2):  # trailing comment
    # only comment in block

    print("continued")
        # oddly indented comment
total = 1 + \
    2 + \
    3
print(total, [
    1,  # one
    2,

    3
], {
    "a": 1,
  "b": 2 }, (
"odd"
))
def g(a,
      b=2,
      *args,
      c=3,
      ):
    """doc

    string"""
    return a, b, args, c
print(g(1,
        ), g.__doc__)
if True:
        print("eight spaces")
        if True:
         print("nine")
if True:
	print("tab")
	if True:
		print("two tabs")
try: pass
finally: print("fin")
with memoryview(b"a") as m: print(m[0])
@(lambda f: f)
# comment after decorator
def h(): ...
print(h(), ...)
pass; pass
if 1:

    # blank lines inside

    pass

else:
    pass
lambda: (
    1,
    2)
print("end")
# no newline at the end
