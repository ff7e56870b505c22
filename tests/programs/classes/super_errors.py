class A:
    def f(): return super()
    def g(self): del self; return super()
    @staticmethod
    def h(): return super().x
    def i(*a): return super()
    def j(self): return super().nope
    def k(self): return super(A, 5)
    def l(self):
        def inner(x): return super()
        return inner(5)
    def n(self): 
        self = 5
        return super().x
    def o(self): return super(5)
    def p(self): return super(A, self, 1)
    def q(self): return super(a=1)
    def r(self): return super().__init__(1)
    @classmethod
    def s(cls): return super().nope
    def t(self): super().x = 5
    def u(self): super()[0]
def f(self): return super()
def g(): return super()
for c in ["A.f()","A().g()","A.h()","A.i()","A().i()","A().j()","A().k()","A().l()","A().n()","A().o()","A().p()","A().q()","A().r()","A.s()","A().t()","A().u()","f(1)","g()","super()", "super(A)", "super(A).x", "super(A, A()).x", "super(int, A())", "super(A, B)", "super(5, A())", "super.x", "super(A, A()).__self__ is None", "repr(super(A, A()))[:30]", "repr(super(A))"]:
    try: print(c, eval(c))
    except Exception as e: print(c, type(e).__name__, e)
