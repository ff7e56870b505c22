# Context variables: each task has its own copy.
import asyncio
import contextvars

name = contextvars.ContextVar("name", default="nobody")
depth = contextvars.ContextVar("depth")


async def worker(value):
    print("sees", name.get(), depth.get(None))
    name.set(value)
    await asyncio.sleep(0)
    assert name.get() == value
    child = asyncio.create_task(inner())
    await child
    return name.get()


async def inner():
    depth.set(depth.get(0) + 1)
    return f"inner {name.get()} {depth.get()}"


def callback(future):
    print("callback sees", name.get())


async def main():
    name.set("main")
    print(await asyncio.gather(*(worker(f"w{i}") for i in range(3))))
    print(name.get(), depth.get("unset"))
    loop = asyncio.get_running_loop()
    context = contextvars.copy_context()
    context.run(name.set, "other")
    future = loop.create_future()
    future.add_done_callback(callback)
    future.add_done_callback(callback, context=context)
    loop.call_soon(lambda: print("call_soon sees", name.get()))
    loop.call_soon(lambda: print("call_soon sees", name.get()), context=context)
    future.set_result(None)
    await future
    await asyncio.sleep(0)
    task = asyncio.create_task(inner(), context=context)
    print(await task, context[depth], context[name], depth.get("unset"))
    token = name.set("temporary")
    print(name.get(), token.old_value, token.var is name)
    name.reset(token)
    print(name.get())
    try:
        name.reset(token)
    except RuntimeError as error:
        print("used" in str(error))
    print(sorted(var.name for var in contextvars.copy_context() if var.name in ("name", "depth")))
    print(depth in contextvars.copy_context(), len(contextvars.Context()))

    async def timer():
        done = loop.create_future()
        name.set("timer")
        loop.call_later(0.001, lambda: done.set_result(name.get()))
        name.set("changed later")
        return await done

    print(await asyncio.create_task(timer()))
    print(await asyncio.to_thread(name.get))


asyncio.run(main())
print(name.get())
