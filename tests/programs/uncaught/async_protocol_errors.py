class Next:
    def __aiter__(self):
        return self

    def __anext__(self):
        return 5


async def main():
    try:
        async for x in [1]:
            pass
    except TypeError:
        try:
            async with open_nothing() as f:
                pass
        except NameError:
            try:
                async with 5 as f:
                    pass
            except TypeError:
                async for x in Next():
                    pass


main().send(None)
