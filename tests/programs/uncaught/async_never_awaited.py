async def coro():
    pass


class C:
    async def method(self):
        pass


def make():
    return coro()


make()
for _ in range(2):
    make()
C().method()
c = coro(); c = None
[make() for _ in range(2)]
print("end")
