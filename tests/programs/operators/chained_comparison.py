def probe(name, value):
    print("eval", name, end=" ")
    return value
print(probe("a", 1) < probe("b", 2) < probe("c", 3))
print(probe("a", 1) > probe("b", 2) > probe("c", 3))
print(probe("a", 1) == probe("b", 1) != probe("c", 3) in probe("d", [3]))
x = 5
print(1 < x < 10, 1 < x > 2, 0 < x == 5, x == 5 == 5.0, 1 < 2 < 3 < 4 < 5, 1 < 2 < 3 < 3 < 5)
print(None is None is None, x in [5] in [[5]], 1 in [1] == True, (1 in [1]) == True, not 1 < x < 3)
class Odd:
    def __init__(self, v): self.v = v
    def __lt__(self, o): return [] if o == 0 else ["yes", o]
print(Odd(1) < 0 < 5, Odd(1) < 1 < 5, Odd(1) < 7)
if 0 <= x < 3: print("low")
elif 3 <= x < 6: print("mid")
while 0 < x <= 5: x -= 2
print(x)
print([y for y in range(20) if 3 < y < 9 != 7])
