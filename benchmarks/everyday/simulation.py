"""A queue simulation with dataclasses and a heap of events."""
import heapq
import random
from dataclasses import dataclass, field
from typing import Optional


@dataclass(order=True)
class Event:
    time: float
    kind: str = field(compare=False)
    customer: int = field(compare=False)


@dataclass
class Customer:
    number: int
    arrived: float
    served: Optional[float] = None
    left: Optional[float] = None

    @property
    def waited(self):
        return self.served - self.arrived


@dataclass
class Desk:
    name: str
    free_at: float = 0.0
    served: list = field(default_factory=list)

    def serve(self, customer, now, seconds):
        customer.served = max(now, self.free_at)
        customer.left = customer.served + seconds
        self.free_at = customer.left
        self.served.append(customer.number)
        return customer.left


def main():
    numbers = random.Random(2)
    desks = [Desk(f"desk {i}") for i in range(3)]
    customers = {}
    events = []
    now = 0.0
    for i in range(3000):
        now += numbers.expovariate(1.0)
        heapq.heappush(events, Event(now, "arrive", i))
    inside = most = 0
    while events:
        event = heapq.heappop(events)
        if event.kind == "arrive":
            inside += 1
            most = max(most, inside)
            customer = customers[event.customer] = Customer(event.customer, event.time)
            desk = min(desks, key=lambda d: d.free_at)
            heapq.heappush(events, Event(desk.serve(customer, event.time, numbers.uniform(1, 5)), "leave", event.customer))
        else:
            inside -= 1
    waits = sorted(c.waited for c in customers.values())
    return most, round(sum(waits) / len(waits), 6), round(waits[int(len(waits) * 0.95)], 6), [len(d.served) for d in desks], repr(desks[0])[:40]
