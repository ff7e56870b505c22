class Wait:
    def __init__(self, value):
        self.value = value

    def __await__(self):
        got = yield self.value
        if got == "fail":
            raise LookupError("in __await__")
        return got


async def agen(n):
    async with Manager():
        for i in range(n):
            yield await Wait(i)
    raise ValueError("agen ends")


class Manager:
    async def __aenter__(self):
        return await Wait("enter")

    async def __aexit__(self, *details):
        await Wait("exit")


async def inner():
    async for x in agen(1):
        print("item", x)


async def outer():
    try:
        await inner()
    except ValueError as e:
        raise RuntimeError("from outer") from e


c = outer()
for value in (None, "a", "b", "c", "d"):
    print(c.send(value))
