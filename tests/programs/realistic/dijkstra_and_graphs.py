class Heap:
    def __init__(self): self.h = []
    def push(self, x):
        self.h.append(x)
        i = len(self.h) - 1
        while i and self.h[i] < self.h[(i - 1) // 2]:
            p = (i - 1) // 2
            self.h[i], self.h[p] = self.h[p], self.h[i]
            i = p
    def pop(self):
        top, last = self.h[0], self.h.pop()
        if self.h:
            self.h[0] = last
            i, n = 0, len(self.h)
            while (c := 2 * i + 1) < n:
                if c + 1 < n and self.h[c + 1] < self.h[c]: c += 1
                if self.h[i] <= self.h[c]: break
                self.h[i], self.h[c] = self.h[c], self.h[i]
                i = c
        return top
    def __bool__(self): return bool(self.h)
class Graph:
    def __init__(self): self.adj = {}
    def edge(self, a, b, w=1, both=True):
        self.adj.setdefault(a, {})[b] = w
        self.adj.setdefault(b, {})
        if both: self.adj[b][a] = w
    def dijkstra(self, src):
        dist, prev, heap = {src: 0}, {}, Heap()
        heap.push((0, src))
        while heap:
            d, u = heap.pop()
            if d > dist[u]: continue
            for v, w in self.adj[u].items():
                if (nd := d + w) < dist.get(v, float("inf")):
                    dist[v], prev[v] = nd, u
                    heap.push((nd, v))
        return dist, prev
    def path(self, src, dst):
        dist, prev = self.dijkstra(src)
        if dst not in dist: raise LookupError(f"no path {src}->{dst}")
        out = [dst]
        while out[-1] != src: out.append(prev[out[-1]])
        return dist[dst], out[::-1]
    def bfs(self, src):
        seen, level, layers = {src}, [src], []
        while level:
            layers.append(sorted(level))
            nxt = []
            for u in level:
                for v in sorted(self.adj[u]):
                    if v not in seen: seen.add(v); nxt.append(v)
            level = nxt
        return layers
    def dfs(self, u, seen=None):
        seen = set() if seen is None else seen
        seen.add(u)
        yield u
        for v in sorted(self.adj[u]):
            if v not in seen: yield from self.dfs(v, seen)
    def mst(self):
        parent = {v: v for v in self.adj}
        def find(x):
            while parent[x] != x: parent[x] = parent[parent[x]]; x = parent[x]
            return x
        total, used = 0, []
        for w, a, b in sorted((w, a, b) for a in self.adj for b, w in self.adj[a].items() if a < b):
            ra, rb = find(a), find(b)
            if ra != rb: parent[ra] = rb; total += w; used.append(a + b)
        return total, used
g = Graph()
for e in "AB4 AC2 BC1 BD5 CD8 CE10 DE2 DF6 EF3".split(): g.edge(e[0], e[1], int(e[2:]))
g.edge("Z", "Y", 1)
print(g.dijkstra("A")[0], g.path("A", "F"), g.bfs("A"), list(g.dfs("A")), g.mst())
try: g.path("A", "Z")
except LookupError as e: print(e)
deps = {"app": ["db", "web"], "web": ["tpl", "http"], "db": ["sql"], "http": [], "tpl": ["http"], "sql": []}
def topo(d):
    state, out = {}, []
    def visit(n, stack=()):
        if state.get(n) == 1: raise ValueError("cycle: " + " -> ".join((*stack[stack.index(n):], n)))
        if n in state: return
        state[n] = 1
        for m in d[n]: visit(m, (*stack, n))
        state[n] = 2
        out.append(n)
    for n in d: visit(n)
    return out
print(topo(deps))
deps["sql"] = ["app"]
try: topo(deps)
except ValueError as e: print(e)
INF = float("inf")
m = [[0, 3, INF, 7], [8, 0, 2, INF], [5, INF, 0, 1], [2, INF, INF, 0]]
n = len(m)
for k in range(n):
    for i in range(n):
        for j in range(n):
            m[i][j] = min(m[i][j], m[i][k] + m[k][j])
print(m)
