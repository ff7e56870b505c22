from decimal import *
import decimal, math
print(Decimal("0.1") + Decimal("0.2"), Decimal(1) / Decimal(7), Decimal("1e10"), Decimal("-0"), Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity"), Decimal((1, (1, 2, 3), -2)), Decimal(0.1), repr(Decimal("3.14")))
print(getcontext())
getcontext().prec = 6
print(Decimal(1) / 3, getcontext().prec, +Decimal("1.23456789"))
with localcontext() as ctx:
    ctx.prec = 30; ctx.rounding = ROUND_DOWN
    print(Decimal(2).sqrt(), Decimal(2).ln(), Decimal(2) ** Decimal("0.5"), Decimal(10).exp(), ctx)
print(Decimal(2).sqrt())
for how in (ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_05UP):
    print(how, [str(Decimal(x).quantize(Decimal("1"), rounding=how)) for x in ("2.5", "-2.5", "1.1", "-1.1", "3.5", "5.01")])
for f in [lambda: Decimal(1) / 0, lambda: Decimal("x"), lambda: Decimal(0) / 0, lambda: Decimal("sNaN") + 1, lambda: Decimal("1e999999") * 10, lambda: Decimal(-1).sqrt(), lambda: Decimal(1) + 1.5, lambda: Decimal("NaN") < 1, lambda: int(Decimal("NaN")), lambda: Decimal("1").quantize(Decimal("1e-50")), lambda: hash(Decimal("sNaN"))]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, [c.__name__ for c in type(e).__mro__][1:4], e)
print(Decimal("1.5") == 1.5, Decimal("1.1") == 1.1, Decimal(3) > 2, Decimal("0.5") < 0.75, hash(Decimal(5)) == hash(5), hash(Decimal("0.5")) == hash(0.5), max(Decimal(1), 2), Decimal("2.50").normalize(), Decimal("100").normalize())
print(f"{Decimal('1234567.891'):,.2f}", f"{Decimal('0.00001'):e}", f"{Decimal('12.3'):>10}|", f"{Decimal('0.25'):%}", format(Decimal("3"), "08.2f"), str(Decimal("1E+3")), Decimal("1E+3").to_eng_string())
d = Decimal("-12.340")
print(d.as_tuple(), d.sign if hasattr(d, "sign") else "", d.adjusted(), d.is_signed(), d.copy_abs(), abs(d), -d, round(d), round(d, 1), math.floor(d), math.ceil(d), math.trunc(d), int(d), float(d), d.to_integral_value(), d % 5, d // 5, divmod(d, 5), d.fma(2, 3), d.scaleb(2), d.as_integer_ratio(), d.compare(Decimal(1)), d.same_quantum(Decimal("0.001")), d.logb(), d.number_class(), d.next_plus(), d.remainder_near(5))
print(d.as_tuple().digits, d.as_tuple()._asdict(), type(d.as_tuple()).__name__)
c = Context(prec=3, rounding=ROUND_HALF_UP, traps=[])
print(c.divide(Decimal(1), Decimal(0)), c.flags[DivisionByZero], c.create_decimal("1.2345"), c.sqrt(Decimal(2)), c.add(1, 2), c.copy().prec, [s.__name__ for s, on in c.flags.items() if on])
setcontext(ExtendedContext); print(Decimal(1) / 0, getcontext().prec, getcontext() is ExtendedContext)
setcontext(Context(prec=5)); print(Decimal(1) / 3)
getcontext().traps[FloatOperation] = True
try:
    Decimal(1.5)
except FloatOperation as e:
    print("FloatOperation", e)
import numbers
from fractions import Fraction
print(isinstance(d, numbers.Number), isinstance(d, numbers.Real), Decimal("0.5") == Fraction(1, 2), Fraction(1, 3) < Decimal("0.5"), Decimal("0.5") in {Fraction(1, 2)}, Fraction(Decimal("0.125")), Fraction.from_decimal(Decimal("1.5")))
class Money(Decimal):
    def __str__(self): return "$" + super().__str__()
m = Money("1.50"); print(m, type(m + 1).__name__, m == Decimal("1.5"), repr(m))
print(sum([Decimal("0.1")] * 3), sorted([Decimal(3), Decimal("1.5"), 2]), decimal.DefaultContext.prec, decimal.BasicContext.rounding, MAX_PREC > 10**8, decimal.__version__)
try:
    getcontext().prec = 0
except ValueError as e:
    print(e)
try:
    getcontext().foo = 1
except AttributeError as e:
    print(e)
print(Decimal.from_float(0.5), Decimal("1_000.5"), Decimal(" 3 "), Decimal("٣"))
setcontext(DefaultContext)
