import queue
import threading
import time
import traceback
import weakref

print(queue.Empty, queue.Full, queue.SimpleQueue, queue.Empty.__doc__, queue.SimpleQueue[int], queue.SimpleQueue.__doc__)
q = queue.SimpleQueue()
for attempt in (q.get_nowait, lambda: q.get(False), lambda: q.get(timeout=0.01), lambda: q.get(True, 0),
                lambda: q.get(timeout=-1), lambda: queue.Queue().get_nowait()):
    try:
        attempt()
    except Exception as error:
        print("".join(traceback.format_exception(error)))
q.put(1)
q.put_nowait(None)
q.put([2], False, -5)
print(q.qsize(), q.empty(), q.get(), q.get_nowait(), q.get(False, -1), q.empty(), weakref.ref(q)() is q)

done = []


def consume():
    while (item := q.get()) is not None:
        done.append(item)
        if item % 7 == 0:
            time.sleep(0.001)


consumers = [threading.Thread(target=consume) for _ in range(4)]
for each in consumers:
    each.start()
producers = [threading.Thread(target=lambda i=i: [q.put(i * 100 + n) for n in range(50)]) for i in range(3)]
for each in producers:
    each.start()
for each in producers:
    each.join()
for _ in consumers:
    q.put(None)
for each in consumers:
    each.join()
print(len(done), sorted(done) == sorted(i * 100 + n for i in range(3) for n in range(50)), q.empty())
late = threading.Timer(0.02, q.put, ["late"])
late.start()
print(q.get(timeout=5))
