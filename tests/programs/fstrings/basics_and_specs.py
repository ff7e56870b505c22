name, n, x, d, l = "Ann", 42, 3.14159, {"k": "v", "n": 1}, [1, 2, 3]
print(f"{name} {n} {x} {d['k']} {l[0]} {l[-1]} {name!r} {name!s} {name!a} {n + 1} {n * 2 if n else 0} {len(l)} {name.upper()} {{}} {{{n}}}")
print(f"{n:5}|{n:<5}|{n:^5}|{n:>5}|{n:05}|{n:+}|{n:x}|{n:#b}|{n:,}|{n:e}|{name:>6}|{name:.2}|{name:*^9}|{x:.2f}|{x:8.3f}|{x:g}|{x:%}|{n!r:>6}|{name!r:^8}")
w, p, fill, align = 10, 3, "*", "^"
print(f"{x:{w}.{p}f}|{x:{w}}|{name:{fill}{align}{w}}|{n:{'0'}{w}}|{x:.{p}}|{n:{w - 5}}|{name:{align}{w}}|{n:{'x'}}|{'a':{'>'}{'4'}}")
print(f"{n=} {n = } {n =:>5} {n=!s} {name=} {name=!s} {x=:.2f} {l[0]=} {n+1=} {len(name) = :03d} {d['k']=}")
print(f"" f"a" "b" f"{n}" 'c', f"{'nested'}", f'{"quoted"}', f"{f'{n}'}", f"""{
    n
}""", f"{ n }", f"{n:}", f"{(lambda v: v * 2)(3)}", f"{[i for i in range(3)]}", f"{ {'a': 1}['a'] }", f"{ {1, 1} }", f"{(1, 2)}", f"{n if n > 1 else 'x'}", f"{None} {True} {...}")
print(rf"\n{n}\d", fr"{name}\t", f"\n".encode(), f"tab\t{n}", f"\x41{n}\u00e9", f"{n}%", f"{n!r}" f"{n!s:>4}", F"{n}", f'{n}' "{n}")
class O:
    def __str__(self): return "STR"
    def __repr__(self): return "REPR"
    def __format__(self, s): return f"FMT({s})"
o = O()
print(f"{o} {o!s} {o!r} {o!a} {o:spec} {o!s:>6} {o!r:<6}| {o=} {o=!s} {o=:z} {o:{n}} {o:a{n}b} {[o]}")
a, b = 1, 2
print(f"{a}{b}{a+b}", f"{a < b}", f"{a != b}", f"{a == b}", f"{(y := 5)}", y, f"{a:=5}", f"{a and b}", f"{not a}", f"{a,b}", f"{*l,}", f"{a,}", f"{-a}", f"{~a}", f"{a if a else b}", f"{'a' 'b'}", f"{b'x'}", f"{1_000}", f"{0x1F}", f"{1e3}", f"{3j}")
for src in ("f'{n:d} {name:d}'", "f'{undefined}'", "f'{1/0}'", "f'{d[\"zz\"]}'", "f'{name:q}'", "f'{n:{name}}'", "f'{l:>5}'", "f'{None:5}'", "f'{n.foo}'", "f'{x:d}'", "f'{name:{-1}}'"):
    try: print(eval(src))
    except Exception as e: print(src, type(e).__name__, e)
