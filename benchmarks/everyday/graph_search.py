"""Breadth first, depth first, Dijkstra and topological order."""
import heapq
import random
from collections import defaultdict, deque


def make_graph(nodes, edges):
    numbers = random.Random(9)
    graph = defaultdict(list)
    for _ in range(edges):
        a, b = numbers.randrange(nodes), numbers.randrange(nodes)
        if a != b:
            graph[a].append((b, numbers.randrange(1, 20)))
    return graph


GRAPH = make_graph(2000, 8000)


def bfs(graph, start):
    distance = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for neighbour, _ in graph[node]:
            if neighbour not in distance:
                distance[neighbour] = distance[node] + 1
                queue.append(neighbour)
    return distance


def dijkstra(graph, start):
    best = {start: 0}
    heap = [(0, start)]
    done = set()
    while heap:
        cost, node = heapq.heappop(heap)
        if node in done:
            continue
        done.add(node)
        for neighbour, weight in graph[node]:
            total = cost + weight
            if neighbour not in best or total < best[neighbour]:
                best[neighbour] = total
                heapq.heappush(heap, (total, neighbour))
    return best


def components(graph, nodes):
    seen, count = set(), 0
    undirected = defaultdict(set)
    for a in list(graph):
        for b, _ in graph[a]:
            undirected[a].add(b)
            undirected[b].add(a)
    for node in range(nodes):
        if node in seen:
            continue
        count += 1
        stack = [node]
        while stack:
            current = stack.pop()
            if current in seen:
                continue
            seen.add(current)
            stack.extend(n for n in undirected[current] if n not in seen)
    return count


def topological(nodes):
    graph = {n: [m for m in (2 * n + 1, 2 * n + 2, 3 * n + 1) if m < nodes] for n in range(nodes)}
    incoming = {n: 0 for n in graph}
    for targets in graph.values():
        for target in targets:
            incoming[target] += 1
    ready = [n for n, count in incoming.items() if count == 0]
    order = []
    while ready:
        node = ready.pop()
        order.append(node)
        for target in graph[node]:
            incoming[target] -= 1
            if incoming[target] == 0:
                ready.append(target)
    return order


def main():
    hops = bfs(GRAPH, 0)
    costs = dijkstra(GRAPH, 0)
    return sum(hops.values()), sum(costs.values()), components(GRAPH, 2000), sum(i * n for i, n in enumerate(topological(3000)))
