"""One site of an attribute, a method or a store sees objects of many kinds, and classes that change."""

def get(o): return o.x
def call(o): return o.m()
def put(o, v): o.x = v
def const(o): return o.K
class A:
    K = 'ka'
    def __init__(s, x): s.x = x
    def m(s): return ('A.m', s.x)
    @classmethod
    def cm(cls): return ('cm', cls.__name__)
    @staticmethod
    def sm(): return 'sm'
class B(A):
    K = 'kb'
    def m(s): return ('B.m', s.x)
class C:
    x = 'class x'
    K = 'kc'
    def m(self): return 'C.m'
class L(list):
    K = 'kl'
    def __init__(s, x): s.x = x
    def m(s): return ('L.m', s.x, len(s))
class D(dict):
    x = 'dx'
    K = 'kd'
    def m(s): return 'D.m'
class S:
    __slots__ = ('x',)
    K = 'ks'
    def m(s): return ('S.m', s.x)
class P:
    K = 'kp'
    @property
    def x(s): return 'px'
    @x.setter
    def x(s, v): s.__dict__['y'] = v
    def m(s): return ('P.m', s.__dict__.get('y'))
class G:
    K = 'kg'
    def __getattr__(s, n): return ('ga', n)
class E(Exception):
    K='ke'
    def m(s): return 'E.m'
def t():
    out=[]
    def objs():
        a=A(1); b=B(2); c=C(); l=L(3); d=D(); s=S(); s.x=5; p=P(); g=G(); e=E(); e.x=9
        f=A(7); f.__dict__          # a dict of its own
        h=A(8); h.__dict__['zz']=1; h.x=80
        i=A(9); i.m=lambda: 'own m'
        j=A(10); j.__dict__['m']=lambda: 'dict m'; j.__dict__['K']='own K'
        k=C(); k.x='own'
        q=L(4); q.__dict__['m']=lambda: 'L own'
        r=A(11); r.__dict__={'x': 'replaced'}
        return [a,b,c,l,d,s,p,e,f,h,i,j,k,q,r]
    for round in range(4):
        os=objs()
        for o in os+os[::-1]:
            for f in (get, call, const):
                try: out.append(f(o))
                except Exception as ex: out.append(repr(ex))
            put(o, round)
            out.append(get(o)); 
            try: out.append(sorted(map(str,o.__dict__)) if round==3 else 0)
            except AttributeError as ex: out.append(str(ex))
    g=G(); out.append((get(g), const(g)))
    # class changes
    a=A(1); get(a); call(a); const(a)
    for _ in range(5): out.append((get(a),call(a),const(a)))
    A.m=lambda s:'new m'; A.K='new K'; out.append((call(a),const(a),call(B(3))))
    A.x=property(lambda s:'prop', lambda s,v: out.append(('set',v))); out.append(get(a)); put(a,5); out.append(get(a))
    del A.x; out.append(get(a)); put(a,6); out.append(get(a)); del a.x
    for _ in range(3):
        try: out.append(get(a))
        except AttributeError as ex: out.append(str(ex))
    put(a,[1]); out.append(get(a))
    # classmethods on classes
    def cm(c): return c.cm()
    for c in (A,B,A,B,A): out.append(cm(c))
    out.append(cm(A(1)))
    A.cm=classmethod(lambda cls: 'changed'); out.append(cm(A)); out.append(cm(B))
    B.cm=lambda: 'plain'; out.append(cm(B)); out.append(cm(A))
    for c in (A,B): out.append(c.sm())
    # many instances, late attributes: instances get dicts
    many=[A(i) for i in range(100)]
    for i,o in enumerate(many): o.late=i; o.later=[i]
    for o in many[:5]+many[-5:]: out.append((o.late,o.later,o.x,call(o)))
    for o in many: o.late=o.late+1; o.later=None
    out.append(sum(o.late for o in many)); out.append([*vars(many[3])])
    for o in many: del o.late
    try: many[0].late
    except AttributeError as ex: out.append(str(ex))
    for o in many: o.late={}
    out.append(many[5].late)
    # polymorphism beyond 200 changes
    kinds=[type('T%d'%i,(),{'m':(lambda s,i=i: i),'K':i}) for i in range(12)]
    insts=[]
    for k in kinds:
        o=k(); o.x=k.__name__; insts.append(o)
    for r in range(60):
        for o in insts:
            if r%20==19: out.append((get(o),call(o),const(o)))
            else: get(o); call(o); const(o); put(o,o.x)
    return [repr(o) for o in out]
for line in t():
    if " at 0x" not in line:
        print(line)
