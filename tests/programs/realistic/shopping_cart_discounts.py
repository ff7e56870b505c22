class Item:
    def __init__(self, name, cents, qty=1, *, category="misc"): self.name, self.cents, self.qty, self.category = name, cents, qty, category
    @property
    def total(self): return self.cents * self.qty
def money(c): return f"{'-' if c < 0 else ''}{abs(c) // 100}.{abs(c) % 100:02}"
class Discount:
    rules = []
    def __init_subclass__(cls, order=0, **kw): super().__init_subclass__(**kw); Discount.rules.append((order, cls.__name__, cls())); Discount.rules.sort(key=lambda r: r[:2])
    def amount(self, cart): raise NotImplementedError
class TwoForOne(Discount, order=1):
    def amount(self, cart): return sum(i.cents * (i.qty // 2) for i in cart if i.category == "snack")
class Bulk(Discount, order=2):
    def amount(self, cart): return sum(round(i.total * 0.1) for i in cart if i.qty >= 10)
class Coupon(Discount, order=3):
    codes = {"TEN": lambda t: t // 10, "FIVER": lambda t: min(t, 500), "BOGUS": lambda t: t["x"]}
    def amount(self, cart):
        if not cart.coupon: return 0
        return self.codes[cart.coupon](cart.subtotal)
class Cart:
    def __init__(self, coupon=None): self._items, self.coupon = {}, coupon
    def __iadd__(self, item):
        if not isinstance(item, Item): return NotImplemented
        if item.qty <= 0: raise ValueError(f"quantity of {item.name} must be positive")
        if old := self._items.get(item.name): old.qty += item.qty
        else: self._items[item.name] = item
        return self
    def __delitem__(self, name): del self._items[name]
    def __iter__(self): return iter(self._items.values())
    def __len__(self): return sum(i.qty for i in self)
    def __bool__(self): return bool(self._items)
    subtotal = property(lambda self: sum(i.total for i in self))
    def receipt(self):
        yield f"{'item':<10}{'qty':>4}{'each':>8}{'total':>9}"
        for i in sorted(self, key=lambda i: (i.category, -i.total)): yield f"{i.name:<10}{i.qty:>4}{money(i.cents):>8}{money(i.total):>9}"
        due = self.subtotal
        for _, name, rule in Discount.rules:
            try: cut = rule.amount(self)
            except KeyError as e: yield f"  ! {name}: unknown {e}"; continue
            except Exception as e: yield f"  ! {name}: {type(e).__name__}"; continue
            if cut: due -= cut; yield f"{name:<22}{money(-cut):>9}"
        tax = round(due * 0.19)
        yield f"{'tax':<22}{money(tax):>9}"
        yield f"{'due':<22}{money(due + tax):>9}"
for coupon in (None, "TEN", "NOPE", "BOGUS"):
    cart = Cart(coupon)
    cart += Item("chips", 199, 3, category="snack"); cart += Item("pens", 50, 12); cart += Item("lamp", 4999, category="home"); cart += Item("chips", 199)
    print(len(cart), money(cart.subtotal), coupon)
    print(*cart.receipt(), sep="\n")
for f in (lambda c: c.__iadd__(5), lambda c: exec("c += 5", {"c": c}), lambda c: exec("c += I('x', 1, 0)", {"c": c, "I": Item}), lambda c: c.__delitem__("zz"), lambda c: setattr(c, "subtotal", 0)):
    try: print(f(cart))
    except Exception as e: print(type(e).__name__, e)
print(bool(Cart()), *Cart().receipt(), sep="\n")
