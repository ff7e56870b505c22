"""``kimi-cli doctor --numa``: how far each memory node is from each processor, measured."""
from __future__ import annotations

import json
import threading
import time

from ..containers import usable_processors
from ..processors import bind, nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

BYTES = 64 << 20
#: Steps of a walk through memory, of which each needs the one before.
STEPS = 20_000


def measure(tell: Callable[[int, int], object] = lambda done, whole: None) -> dict[str, Any]:
    """The nodes with their processors, and for each pair of nodes bandwidth and the time of a step of a walk through memory.

    The figures compare nodes with each other: a step is one of the interpreter's, which costs more than the memory does.
    tell: called with the number of pairs so far and of all.
    """
    usable = set(usable_processors())
    known = {node: [each for each in processors if each in usable] for node, processors in nodes().items()}
    pairs: list[dict[str, Any]] = []
    for home, there in known.items():
        if not there:
            continue
        block = _bound(there, _fill)
        for node, processors in known.items():
            if processors:
                tell(len(pairs), len(known) ** 2)
                bandwidth, step = _bound(processors, lambda block=block: _read(block))
                pairs.append({"memory": home, "processors": node, "gigabytes_per_second": round(bandwidth, 2),
                              "nanoseconds_per_step": round(step, 1)})
    tell(len(known) ** 2, len(known) ** 2)
    return {"nodes": {str(node): processors for node, processors in known.items()}, "pairs": pairs}


def _bound(processors: list[int], function: Any) -> Any:
    """What a function returns in a thread that is bound to these processors."""
    found: list[Any] = []

    def work() -> None:
        bind(processors)
        found.append(function())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]


def _fill() -> bytearray:
    return bytearray(BYTES)     # zeros are written: the thread touches it first


def _read(block: bytearray) -> tuple[float, float]:
    best, steps = 1e9, 1e9
    view = memoryview(block)
    target = bytearray(1 << 20)
    for _ in range(3):
        begun = time.perf_counter()
        for start in range(0, BYTES, len(target)):
            target[:] = view[start:start + len(target)]
        best = min(best, time.perf_counter() - begun)
        at, begun = 0, time.perf_counter()
        for _ in range(STEPS):
            at = (at * 1_103_515_245 + 12_345 + block[at]) % BYTES
        steps = min(steps, time.perf_counter() - begun)
    return BYTES / best / 1e9, steps / STEPS * 1e9


def report(found: dict[str, Any]) -> str:
    """The figures for people to read."""
    lines = [f"node {node}: processors {', '.join(map(str, processors)) or 'none that this process may use'}"
             for node, processors in found["nodes"].items()]
    for pair in found["pairs"]:
        kind = "local " if pair["memory"] == pair["processors"] else "remote"
        lines.append(f"{kind} memory of node {pair['memory']} from node {pair['processors']}: "
                     f"{pair['gigabytes_per_second']} GB/s, {pair['nanoseconds_per_step']} ns a step")
    if len(found["nodes"]) == 1:
        lines.append("there is one node only: all memory is local, and numa_node= has nothing to choose from")
    return "\n".join(lines)


def run(as_json: bool, tell: Callable[[int, int], object] = lambda done, whole: None) -> int:
    """Prints the figures. tell: see measure. Returns the exit status, which is 0."""
    found = measure(tell)
    print(json.dumps(found, indent=2) if as_json else report(found))
    return 0
