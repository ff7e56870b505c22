class Wait:
    def __await__(self):
        yield 1


async def innermost():
    await Wait()


async def middle(first,
                 second):
    return (first +
            await innermost() +
            second)


async def outer():
    return [x for x in range(3) if x < 2], await middle(1, 2)


c = outer()
c.send(None)
c.throw(KeyError("thrown"))
