# requires: 3.12
n, d, xs = 5, {"k": "v"}, ["a", "b"]
print(f"{d["k"]} {", ".join(xs)} {f"{f"{n}"}"} {"\n".join(xs)}")
print(f"{
    n  # a comment inside
    + 1
}")
print(f"{"nested " + f"{n:{"0"}>{n}}"}", f'{'single' + 'quotes'}', f"{xs[0]!r:{">"}{8}}")
print(f"""{
    '''triple''' if n else "x"
} {"""inner"""}""")
print(f"{f"{f"{f"{f"{1 + 1}"}"}"}"}")
print(f"{'\\'} {'\t'}|{'\N{BULLET}'} {"é"}")
print(f"{n:{f"{n}"}}", f"{n!r:>{n + 1}}", f"{{{n}}}", f"{"{"}", f"{"}"}")
print(f"{lambda_ if (lambda_ := 3) else 0}", f"{(lambda x: x * 2)(4)}", f"{ {"a": 1}["a"] }")
print(f"{n=}", f"{ n = }", f"{n = :>4}", f"{d["k"]=}", f"{xs  =}")
