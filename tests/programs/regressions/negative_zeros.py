"""Signs of zeros, computed while compiling and while running."""
print(0.0 * -2)
print(0.0 * -2.0)
print(-5.0 * 0)
print(-5.0 * 0.0)
print(5 * -0.0)
print(-0.0 + 0.0)
print(-0.0 + 0)
print(-0.0 - 0)
print(0.0 / -3, 0.0 // -3, 0.0 ** 1, 0.0 % -3, -0.0 % 3, 0 * -0.5, 0.0 // -3.0)
print(sum([-0.0]), sum([-0.0, -0.0]), sum([0, -0.0]), sum([], -0.0), sum([0, 0], -0.0), sum((0,), -0.0), max(0.0,-0.0), min(0, -0.0), round(-0.0), round(-0.4), abs(-0.0), divmod(-0.0, 3), pow(-0.0, 3), sum(x for x in [-0.0]), sum(x for x in [0, -0.0]), sum((x for x in [0]), -0.0))
a=0.0; b=-2; c=0; d=-0.0
print(a*b, a*-2, -2*a, d+c, c+d, d-c, c-d, d+0, 0+d, 0-d, d-0, d*0, 0*d, -a, -d, d*8, a/b, a//b, a%b, d%3, d**3)
def f(a,b,c,d):
    a *= b; d += c
    return a, d, c*b, a*b, d+c, c+d, -a, -d, [a*i for i in (-1,0,1)]
print(f(0.0,-2,0,-0.0))
print([x * -1 for x in (0.0, -0.0)], complex(-0.0, 0) * 1, -0.0 + 0j, 0j * -1, (-0.0).__mul__(-8))
