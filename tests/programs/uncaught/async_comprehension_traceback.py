async def agen():
    yield 1
    yield 0


async def main():
    return [10 // x async for x in
            agen()]


async def fails():
    yield 1
    raise ValueError("in the generator")


async def all_of():
    try:
        await main()
    except ZeroDivisionError:
        return {x: [y async for y in fails()] for x in range(2)}


all_of().send(None)
