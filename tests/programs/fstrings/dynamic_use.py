rows = [("apple", 1.5, 10), ("kiwi", 0.25, 200), ("melon", 12.0, 3)]
print("\n".join(f"{name:<10}|{price:>8.2f}|{qty:^5d}|{price * qty:>10,.2f}" for name, price, qty in rows))
print(f"{'Total':-<10}{sum(p * q for _, p, q in rows):->20.1f}")
def table(data, headers):
    widths = [max(len(str(r[i])) for r in [headers, *data]) for i in range(len(headers))]
    line = "+".join("-" * (w + 2) for w in widths)
    fmt = lambda r: "|".join(f" {str(v):{w}} " if isinstance(v, str) else f" {v:>{w}} " for v, w in zip(r, widths))
    return "\n".join([fmt(headers), line, *map(fmt, data)])
print(table(rows, ("name", "price", "qty")))
for i in range(1, 4):
    print(f"{i:>{i * 2}}", f"{i:0{i}b}", f"{i ** 10:,}", f"{1 / i:.{i}f}", f"{'*' * i:^7}", f"{i:{'<>^'[i - 1]}5}|", sep=";")
def hexdump(data):
    for off in range(0, len(data), 8):
        chunk = data[off:off + 8]
        yield f"{off:04x}  {' '.join(f'{b:02x}' for b in chunk):<24} {''.join(chr(b) if 32 <= b < 127 else '.' for b in chunk)}"
print("\n".join(hexdump(b"Hello\x00World\xff!!")))
order = []
class T:
    def __init__(self, n): self.n = n
    def __format__(self, s): order.append(f"fmt{self.n}"); return f"{self.n}{s}"
def mk(n): order.append(f"mk{n}"); return T(n)
print(f"{mk(1)} {mk(2):{mk(3)}} {mk(4)!r:.3}" [:30], order)
text = f"{'a'}" "literal {not}" rf"\{'raw'}" f"{3:>{2 + 2}}"
print(text, len(text))
bal = -1234.5
print(f"{bal:+,.2f} {abs(bal):,.0f} {bal:>+15,.3f} {'CR' if bal < 0 else 'DR'} {bal!r:>10} {-bal:08.1f} {2**64:_} {255:#06x} {0.000123:.2e} {1e6:g} {1e-7:g} {123456789:.3g} {True:d} {True} {1.0:.0f} {1.0}")
print(f"{'é':>4}|{'日本':^6}|{'😀':*<3}|{'ab':\u00e9^6}|{'x':\t>3}|")
import time
print(f"{time.time() > 0}", f"{(lambda: f'{1}{2}')()}", f"{ {**{'a': 1}} }", f"{[*range(3)]!s:>12}", f"{'%d' % 5:>3}", f"{'{}'.format(7):03}")
