# Asynchronous generators that are left open are closed by the loop.
import asyncio
import gc


async def ticker(label):
    try:
        i = 0
        while True:
            yield i
            i += 1
            await asyncio.sleep(0)
    finally:
        await asyncio.sleep(0)
        print(label, "closed")


async def left_open():
    async for i in ticker("left open"):
        if i == 2:
            print("leaving at", i)
            break


async def dropped():
    source = ticker("dropped")
    print(await anext(source), await anext(source))
    del source
    gc.collect()
    for _ in range(5):
        await asyncio.sleep(0)
    print("after dropping")


async def fails():
    source = broken()
    await anext(source)
    return source


async def broken():
    try:
        yield 1
    finally:
        raise ValueError("in closing")


kept = []


async def main():
    await left_open()
    for _ in range(5):
        await asyncio.sleep(0)
    await dropped()
    kept.append(ticker("kept"))
    print(await anext(kept[0]))
    asyncio.get_running_loop().set_exception_handler(
        lambda loop, context: print("handler", context["message"][:51], repr(context["exception"])))
    kept.append(await fails())
    print("end of main")


asyncio.run(main())
print("loop is closed")
