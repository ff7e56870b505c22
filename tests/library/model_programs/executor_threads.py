import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed


def fail():
    raise ValueError("no start")


def name(seconds):
    time.sleep(seconds)
    return threading.current_thread().name


with ThreadPoolExecutor(max_workers=1) as pool:
    print(list(pool.map(name, [0, 0])))
    print(sorted(each.name for each in threading.enumerate()))
with ThreadPoolExecutor(2, thread_name_prefix="work") as pool:
    print(sorted(each.result() for each in as_completed([pool.submit(name, 0.1) for _ in range(2)])))
print(threading.active_count())
pool = ThreadPoolExecutor(1, initializer=fail)
sys.stderr = None
for _ in range(2):
    try:
        pool.submit(print, 1).result()
    except Exception as error:
        print(type(error).__name__, error)
waiting = ThreadPoolExecutor(1)
waiting.submit(lambda: (time.sleep(0.05), print("late", threading.current_thread().name)))
print("end")
