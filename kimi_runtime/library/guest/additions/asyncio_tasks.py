# ruff: noqa: F821
"""In sessions tasks can be made while no loop runs: they wait for the next program that awaits at its top level."""

_create_task = create_task


def create_task(coro, *, name=None, context=None):
    if events._get_running_loop() is None:
        loop = events._cell_loop()
        if loop is not None:
            return loop.create_task(coro, name=name, context=context)
    return _create_task(coro, name=name, context=context)


create_task.__doc__ = _create_task.__doc__
