"""A guest runs in a thread while the host goes on: the interpreter lets other threads run. An embedding example:

    python examples/embedding/threads.py
"""
import threading

import kimi_runtime as kr

GUEST = """
total = 0
for n in range(limit):
    total += n * n % 7
total
"""


def main():
    results = {}

    def work(limit):
        results[limit] = kr.run(GUEST, {"limit": limit})

    threads = [threading.Thread(target=work, args=(limit,)) for limit in (300_000, 600_000)]
    for thread in threads:
        thread.start()
    turns = 0
    while any(thread.is_alive() for thread in threads):
        turns += 1
        threads[turns % 2].join(0.001)
    for limit, result in sorted(results.items()):
        print(limit, result.value)
    print("the host had a turn:", turns > 0)


main()
