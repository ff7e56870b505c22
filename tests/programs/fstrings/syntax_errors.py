for src in ("f'{'", "f'}'", "f'{}'", "f'{ }'", "f'{n!}'", "f'{n!x}'", "f'{n!r'", "f'{n:'", "f'{a b}'", "f'{!r}'", "f'{:5}'", "f'{=}'", "f'{n'", "f'{lambda x: 1}'", "f'{n:{m}'", "f'{*}'", "f'{,}'", "f'{def}'", "f'{1 +}'", "f'{a[}'", "f'{(}'", "f'{)}'", "f'{x = 5}'", "f'{yield}'", "f'{n!rr}'", "f'{n! r}'", "f'{n !r}'", "f'{#}'", "f'abc", "f'{for}'", "f'{if 1}'", "f'{\"a\"}'", "f'{n:}}'", "f'{{}'", "f'{}}'", "f'{{n}}'", "bf'x'", "fb'x'", "uf'x'", "ff'x'", "f'a' b'b'", "b'a' f'b'", "f'{a}' = 1", "f'{a}': int", "del f'x'", "f'{:=5}'", "f'{a:=5}'", "f'{(a:=5)}'"):
    try:
        compile(src, "<f>", "eval" if " = " not in src and not src.startswith("del") and ": int" not in src else "exec")
        print(src, "compiles")
    except SyntaxError as e:
        print(src, "SyntaxError")
n, m, a, b, c = 1, 2, 3, "x", 4
print(f"{{", f"}}", f"{{{{}}}}", f"{{n}}", f"{{{n}}}", f"{n}}}", f"{'{'}", f"{'}'}", f"{chr(123)}", f"{n:>{m}}", f"{a!r:{c}}")
def g():
    x = f"{yield 1}"
    return x
it = g(); next(it)
try: it.send("sent")
except StopIteration as s: print(s.value)
def doc(): f"not a doc {n}"
print(doc.__doc__)
class K:
    f"""also not"""
print(K.__doc__)
