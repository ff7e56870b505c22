class Flaky:
    def __init__(self, *plan): self.plan, self.calls = list(plan), 0
    def __call__(self, x):
        self.calls += 1
        step = self.plan.pop(0) if self.plan else None
        if isinstance(step, type) and issubclass(step, BaseException): raise step(f"call {self.calls}")
        if isinstance(step, BaseException): raise step
        return x if step is None else step
def retry(times, *types, fallback=...):
    def deco(f):
        def w(*a, **k):
            errors = []
            for attempt in range(1, times + 1):
                try: result = f(*a, **k)
                except types as e:
                    e.add_note(f"attempt {attempt}")
                    errors.append(e)
                    continue
                else: return result, attempt
                finally: log.append(attempt)
            if fallback is not ...: return fallback, len(errors)
            raise ExceptionGroup("all attempts failed", errors) from errors[-1]
        return w
    return deco
log = []
def test(plan, *types, **k):
    log.clear()
    try: print(retry(3, *types, **k)(Flaky(*plan))("ok"), log)
    except* ValueError as g: print("group", [(str(e), e.__notes__) for e in g.exceptions], repr(g.__cause__), log)
    except* Exception as g: print("other", [repr(e) for e in g.exceptions], log)
test([ValueError, None], ValueError); test([ValueError, KeyError], ValueError, KeyError); test([ValueError] * 5, ValueError); test([OSError], ValueError); test([ValueError] * 5, ValueError, fallback="fb"); test(["value"], ValueError); test([KeyError("same")] * 3, KeyError)
def process(items):
    good, bad = [], {}
    for i, item in enumerate(items):
        try:
            n = int(item)
            if n < 0: raise ArithmeticError("negative")
            good.append(100 // n)
        except ValueError as e: bad.setdefault("value", []).append((i, str(e)))
        except ZeroDivisionError: bad.setdefault("zero", []).append(i); continue
        except (TypeError, ArithmeticError) as e: bad[type(e).__name__] = i
        else:
            if len(good) == 3: break
        finally: bad["last"] = i
    else: bad["complete"] = True
    return good, bad
print(process(["5", "x", 0, None, "-1", "20"])); print(process(["1", 2, "3", "never"]))
def cascade(n):
    try:
        try:
            try: 1 / n
            except ZeroDivisionError: raise KeyError("a") from None
        except KeyError as k: raise IndexError("b") from k
        else: return "fine"
    except LookupError as e: return repr(e), repr(e.__cause__), e.__cause__.__suppress_context__
print(cascade(0), cascade(1))
total = 0
for i in range(500):
    try:
        try:
            if i % 3 == 0: raise KeyError(i)
            if i % 5 == 0: raise ValueError(i)
        finally: total += 1
    except KeyError as e: total += e.args[0]
    except ValueError: total -= 1
print(total)
