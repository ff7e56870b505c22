# What the loop tells the exception handler and the standard error.
import asyncio
import re


def plain(text):
    return re.sub(r"0x[0-9a-f]+", "0x..", text)


class Recorder:
    def __init__(self):
        self.seen = []

    def __call__(self, loop, context):
        shown = {key: value if key == "message" else plain(repr(value)) for key, value in context.items()}
        shown.pop("handle", None)
        self.seen.append(re.sub(r" at .*", "", shown["message"]))
        print("handler:", self.seen[-1], sorted(shown), shown.get("exception"))


async def boom():
    raise ValueError("boom")


def callback():
    raise KeyError("callback")


async def main():
    loop = asyncio.get_running_loop()
    print(loop.get_exception_handler())
    recorder = Recorder()
    loop.set_exception_handler(recorder)
    loop.call_soon(callback)
    future = loop.create_future()
    future.add_done_callback(lambda f: 1 / 0)
    future.set_result(None)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task = asyncio.create_task(boom())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    print(task.done(), repr(task.exception()))
    task = asyncio.create_task(boom())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    del task
    lost = loop.create_future()
    lost.set_exception(OSError("nobody asks"))
    del lost
    default = loop.default_exception_handler
    print(callable(default))
    try:
        loop.set_exception_handler(3)
    except TypeError as error:
        print(error)
    # On 3.13.0 run_forever in a running loop breaks that loop.
    for wrong in (loop.close, lambda: loop.run_until_complete(future)):
        try:
            wrong()
        except RuntimeError as error:
            print(error)


async def never():
    await asyncio.get_running_loop().create_future()


try:
    asyncio.get_running_loop()
except RuntimeError as error:
    print(error)
asyncio.run(main())
try:
    asyncio.run(3)
except ValueError as error:
    print(error)
loop = asyncio.new_event_loop()
print(loop.is_running(), loop.is_closed())
loop.call_soon(loop.stop)
loop.run_forever()
task = loop.create_task(never())
loop.call_soon(loop.stop)
loop.run_forever()
try:
    loop.call_soon(loop.stop)
    loop.run_until_complete(loop.create_future())
except RuntimeError as error:
    print(error)
task.cancel()
try:
    loop.run_until_complete(task)
except asyncio.CancelledError as error:
    print("cancelled", error.args)
loop.close()
for use in (lambda: loop.call_soon(print), lambda: loop.run_forever(), lambda: loop.call_later(1, print)):
    try:
        use()
    except RuntimeError as error:
        print(error)
print(asyncio.iscoroutinefunction(main), asyncio.iscoroutine(3))
