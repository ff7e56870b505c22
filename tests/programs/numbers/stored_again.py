"""Numbers in lists, dicts and attributes are replaced while others still hold the old ones."""

class O:
    def __init__(s): s.x=1000; s.y=1.5; s.z=None
class Sl:
    __slots__=('x','y')
def t():
    out=[]
    nums=[0,1,-1,5,-5,-6,256,257,258,1000,-1000,2**29,2**30-1,2**30,2**30+1,-2**30,-2**30+1,2**31,2**59,2**60-1,2**60,2**62,2**63-1,2**63,-2**63,2**70,True,False,None,1.5,-0.0,0.0,1e300,float('inf'),'s',[1],(2,)]
    o=O(); l=[None]*3; d={'a':0,1:0}; s=Sl(); s.x=0
    keep=[]
    for rnd in range(3):
        for n in nums:
            for m in nums:
                o.x=n; l[0]=n; d['a']=n; d[1]=n; s.x=n
                if isinstance(n,(int,float)) and not isinstance(n,bool):
                    o.x=n+0; l[0]=n+0; l[-1]=n+0; d['a']=n+0; d[1]=n+0
                k=(o.x,l[0],l[-1],d['a'],d[1],s.x)
                a=o.x; b=l[0]; c=d['a']; e=d[1]; f=[l[0]]; g={'q':o.x}
                keep=[a,b,c,e,f,g]
                o.x=m; l[0]=m; l[-1]=m; d['a']=m; d[1]=m; s.x=m
                if isinstance(m,(int,float)) and not isinstance(m,bool):
                    o.x=m+0; l[0]=m+0; l[-1]=m+0; d['a']=m+0; d[1]=m+0
                out.append((k,a,b,c,e,f,g,keep,o.x,l,d,s.x,type(o.x).__name__,type(l[0]).__name__,type(d[1]).__name__))
                out[-1]=repr(out[-1])
    x=[1000]*4
    for i in range(4): x[i]+=i*1000
    out.append(repr(x))
    y=[[1000+i] for i in range(3)]; z=list(y[0]); y[0][0]+=5; out.append(repr((y,z)))
    it=iter([5000,6000,7000]); q=[0]; 
    for v in it:
        q[0]=v; q[0]+=1; out.append((v,q[0]))
    w=[10000,20000,30000]
    for v in w:
        w[0]+=1; out.append((v,w[0]))
    w=[i*1000 for i in range(5)]
    out.append(sum(w[i] for i in range(5))); 
    def gen():
        w[0]=99999; yield w[0]; w[0]+=1; yield w[0]
    out.append(repr(list(gen())))
    dd={}
    for i in range(20000): dd[i%7]=dd.get(i%7,1000)+i
    out.append(repr(dd))
    def f(a): 
        o.x=123456; o.x+=1; return a
    o.x=99999; o.x+=1
    out.append((f(o.x),o.x))
    out.append(repr(sorted([3000,1000,2000], key=lambda v: (o.__setattr__('x', v), o.x)[1])))
    m=max([1000,5000,3000], key=lambda v: v); l[0]=m; l[0]+=1; out.append((m,l[0]))
    return out
for line in t():
    print(line)
