async def coro():
    return 1


async def main():
    c = coro()
    print(await c)
    print(await c)


main().send(None)
