class CellError(Exception): pass
class Sheet:
    FUNCS = {"SUM": sum, "MAX": max, "MIN": min, "AVG": lambda v: sum(v) / len(v), "COUNT": len}
    def __init__(self): self.cells, self.cache, self.evals = {}, {}, 0
    def __setitem__(self, ref, v): self.cells[ref] = v; self.cache.clear()
    def __getitem__(self, ref): return self.value(ref, ())
    def value(self, ref, stack):
        if ref in stack: raise CellError("cycle " + "->".join((*stack[stack.index(ref):], ref)))
        if ref not in self.cache:
            raw = self.cells.get(ref, 0)
            self.evals += 1
            self.cache[ref] = self.formula(raw[1:], (*stack, ref)) if isinstance(raw, str) and raw.startswith("=") else raw
        return self.cache[ref]
    @staticmethod
    def expand(rng):
        a, b = rng.split(":")
        for c in range(ord(a[0]), ord(b[0]) + 1):
            for r in range(int(a[1:]), int(b[1:]) + 1): yield f"{chr(c)}{r}"
    def formula(self, src, stack):
        out, i = [], 0
        while i < len(src):
            j = i
            while j < len(src) and (src[j].isalnum() or src[j] == ":"): j += 1
            word = src[i:j]
            if word in self.FUNCS:
                k = src.index(")", j)
                vals = []
                for part in src[j + 1:k].split(","):
                    part = part.strip()
                    refs = self.expand(part) if ":" in part else [part]
                    vals += [v for r in refs if isinstance(v := (self.value(r, stack) if r[0].isalpha() else float(r)), (int, float))]
                out.append(repr(self.FUNCS[word](vals)))
                j = k + 1
            elif word and word[0].isalpha(): out.append(repr(self.value(word, stack)))
            else: j = max(j, i + 1); out.append(src[i:j])
            i = j
        try: return eval("".join(out))
        except ZeroDivisionError: return "#DIV/0"
        except (SyntaxError, TypeError) as e: raise CellError(f"{stack[-1]}: {type(e).__name__}") from e
    def show(self, cols, rows):
        for r in range(1, rows + 1): yield "|".join(f"{self[f'{c}{r}']!s:>8.8}" if f"{c}{r}" in self.cells else " " * 8 for c in cols)
s = Sheet()
for i, (q, p) in enumerate([(3, 1.5), (10, 0.25), (2, 20)], 1): s[f"A{i}"] = q; s[f"B{i}"] = p; s[f"C{i}"] = f"=A{i}*B{i}"
s["C4"] = "=SUM(C1:C3)"; s["D4"] = "=C4/COUNT(C1:C3)"; s["A4"] = "total"; s["E1"] = "=MAX(A1:B3)-MIN(A1:A3, 1)"; s["E2"] = "=A1/Z9"; s["E3"] = "=(A1+A2)*2**3"
print(*s.show("ABCDE", 4), sep="\n")
n = s.evals; s["D4"]; print(s.evals == n, n)
s["A1"] = 100; print(s["C4"], s["D4"], s.evals > n)
s["X1"] = "=X2+1"; s["X2"] = "=X3"; s["X3"] = "=X1*2"; s["Y1"] = "=A4+1"; s["Y2"] = "=1+*2"
for ref in ("X1", "Y1", "Y2"):
    try: print(s[ref])
    except CellError as e: print(ref, e, repr(e.__cause__)[:40])
