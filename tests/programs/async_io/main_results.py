# What asyncio.run gives and raises, and who is left over.
import asyncio


async def value():
    return 42


async def fails():
    raise LookupError("main failed")


async def leaves_tasks():
    async def forever(name):
        try:
            while True:
                await asyncio.sleep(3600)
        except asyncio.CancelledError:
            print(name, "cancelled at the end")
            if name == "bad":
                raise RuntimeError("in clean-up")
            raise

    tasks = [asyncio.create_task(forever(name), name=name) for name in ("one",)]
    await asyncio.sleep(0)
    print(len(asyncio.all_tasks()), asyncio.current_task() in asyncio.all_tasks())
    return tasks


async def exits():
    asyncio.create_task(value())
    raise SystemExit(3)


print(asyncio.run(value()))
try:
    asyncio.run(fails())
except LookupError as error:
    print(repr(error))
tasks = asyncio.run(leaves_tasks())
print([task.cancelled() for task in tasks])
try:
    asyncio.run(exits())
except SystemExit as error:
    print("exit", error.code)
with asyncio.Runner() as runner:
    print(runner.run(value()), runner.run(value()), runner.get_loop().is_running())
try:
    runner.run(value())
except RuntimeError as error:
    print(error)
loop = asyncio.new_event_loop()
try:
    print(loop.run_until_complete(asyncio.wait_for(value(), 1)))

    async def nested():
        try:
            asyncio.run(value())
        except RuntimeError as error:
            print(error)
        loop.call_soon(loop.stop)
        return "nested"

    print(loop.run_until_complete(nested()))
finally:
    loop.close()
future = asyncio.Future(loop=loop)
for use in (future.result, future.exception):
    try:
        use()
    except asyncio.InvalidStateError as error:
        print(error)
print(future.done(), future.cancelled(), future.get_loop() is loop)
