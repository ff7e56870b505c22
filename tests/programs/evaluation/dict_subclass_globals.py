class D(dict):
    def __missing__(self, k): return 'miss'+k
class G(dict):
    def __getitem__(self, k):
        return 'got'+k
    def __setitem__(self, k, v): dict.__setitem__(self, k, ('set', v))
    def __contains__(self, k): return True
    def __delitem__(self, k): dict.__delitem__(self, k); L.append(k)
L=[]
for C in (D, G):
  for src in ["x","x = 1\nr = x", "def f(): return x\nr = f()", "global y\ny = 2\nr = y", "class K: z = x\nr = K.z", "def f():\n global w\n w = 5\n return w\nr = f()", "len", "def f(): return len\nr=f()", "import sys\nr = sys.__class__.__name__", "x = 1\ndel x", "def f():\n global q\n del q\nf()"]:
    for loc in (None, {}):
        d = C(a=1)
        try:
            exec(src, d, loc) if loc is not None else exec(src, d)
            m = d if loc is None else loc
            print(C.__name__, repr(src), loc is None, repr(dict.get(m,'r')), sorted(k for k in d.keys() if k!='__builtins__'), [dict.get(d,k) for k in sorted(d) if k not in('__builtins__','f','K','sys')])
        except Exception as e: print(C.__name__, repr(src), loc is None, repr(e))
    try: print(C.__name__, eval("x", C()), eval("len", C()), eval("(lambda: x)()", C()), eval("[x for i in '1']", C()))
    except Exception as e: print(repr(e))
