# Functions of the host in threads, for to_thread and run_in_executor (part of core.pyx).

def runs_in_thread(function):
    """Whether a call may run in a thread: a Python function of the host or a method of its objects.

    Guest code must not run in two threads at a time; and what C code does with its arguments may be guest code.
    """
    while type(function) is functools.partial:
        function = function.func
    if type(function) is HostFunction:
        return True
    if type(function) is types.MethodType:
        function = function.__func__
    return type(function) is types.FunctionType


def call_in_thread(LoopCore loop not None, function, args, kwargs, Future future not None):
    """Calls function in a thread; the future gets the result when the loop is woken with it.

    TypeError for a function that may not run in a thread.
    """
    if not runs_in_thread(function):
        raise TypeError(f"{function!r} is not a function of the host")
    args = tuple(args)
    kwargs = dict(kwargs)
    origin = None
    if type(function) is functools.partial or type(function) is HostFunction:
        while type(function) is functools.partial:
            args = function.args + args
            kwargs = {**function.keywords, **kwargs}
            function = function.func
        if type(function) is HostFunction:
            origin = function
            function = prepare_aside(origin, args, kwargs)
            args = ()
            kwargs = {}
    if loop.executor is None:
        from kimi_runtime import _core
        loop.executor = _core.host_module("concurrent.futures").ThreadPoolExecutor(thread_name_prefix="asyncio")
    loop.in_threads += 1
    loop.executor.submit(call_for, loop, copied_context(), function, args, kwargs, future, origin)


def call_for(LoopCore loop, context, function, args, kwargs, future, origin):
    try:
        value = context.run(function, *args, **kwargs)
        failed = False
    except BaseException as error:
        value = error
        failed = True
    if not loop.closed:
        push(loop, new_handle(deliver_called, (loop, future, failed, value, origin), loop, context), NULL, NULL)
        wake(loop)


def deliver_called(LoopCore loop, future, failed, value, origin):
    loop.in_threads -= 1
    deliver(future, failed, value, origin)


def deliver(Future future, failed, value, origin=None):
    """In the loop's thread: what the function gave."""
    if origin is not None:
        failed, value = finish_aside(origin, failed, value)
    if future.state == PENDING:
        if failed:
            future_set_exception(future, value)
        else:
            future_set_result(future, value)


def join_threads(LoopCore loop not None, Future future not None):
    """Lets the future be done when the threads have ended; False when there are none."""
    if loop.executor is None:
        return False
    _thread.start_new_thread(wait_for_threads, (loop, future))
    return True


def wait_for_threads(LoopCore loop, future):
    loop.executor.shutdown()
    loop.executor = None
    if not loop.closed:
        push(loop, new_handle(deliver, (future, False, None), loop, copied_context()), NULL, NULL)
        wake(loop)


# ---- texts -----------------------------------------------------------------------------------
def format_exception(error):
    """The traceback of an exception as text, as far as it is the guest's."""
    from kimi_runtime.objects.tracebacks import format_exception
    return format_exception(error)


def format_stack(entries):
    """Entries of a stack as text."""
    return "".join(f'  File "{each[0]}", line {each[1]}, in {each[2]}\n' + (f"    {each[3].strip()}\n" if each[3] else "")
                   for each in entries)
