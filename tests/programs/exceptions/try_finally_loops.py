log = []
for i in range(5):
    try:
        if i == 1: continue
        if i == 3: break
        log.append(f"body{i}")
    finally:
        log.append(f"fin{i}")
else:
    log.append("else")
print(log)
def ret():
    for i in range(3):
        try:
            return i
        finally:
            log.append("ret fin")
def override():
    try: return "try"
    finally: return "finally"
def swallow():
    try: 1 / 0
    finally: return "swallowed"
def cont():
    r = []
    for i in range(3):
        try: 1 / 0
        finally:
            r.append(i)
            continue
    return r
def brk():
    while True:
        try: return "never"
        finally: break
    return "broke"
def nested():
    out = []
    for i in range(3):
        try:
            try:
                if i == 0: continue
                if i == 1: raise ValueError(i)
                return out
            finally: out.append(("inner", i))
        except ValueError as e: out.append(("caught", str(e)))
        else: out.append(("else", i))
        finally: out.append(("outer", i))
print(ret(), override(), swallow(), cont(), brk(), nested(), log[-1])
def order(v):
    x = [v]
    try: return x
    finally: x.append("mutated"); x = "rebound"
print(order(1))
def loop_else(n):
    for i in range(n):
        try:
            if i == 2: break
        finally: pass
    else: return "no break"
    return "break"
print(loop_else(2), loop_else(5))
def while_try():
    n = 0
    while n < 10:
        n += 1
        try:
            if n % 2: continue
            if n == 6: break
        except Exception: pass
        else: n += 0.5
        finally: n = int(n)
    else: return "else"
    return n
print(while_try())
def in_except():
    for i in range(3):
        try: raise KeyError(i)
        except KeyError:
            if i == 0: continue
            if i == 1: break
        finally: log.append(("ie", i))
    return i
print(in_except(), log[-2:])
