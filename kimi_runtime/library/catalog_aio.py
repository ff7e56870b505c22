"""Entries of the library: asyncio and what belongs to it.

The loop, futures and tasks are native (``kimi_runtime.aio.core``); what is built on them and touches nothing of the host
comes from the host's own files; what the host ties to sockets, signals and threads is guest code of this package.
"""
from __future__ import annotations

from kimi_runtime.library.entries import Made, Native, Own, Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType


def _exceptions(module: ModuleType) -> None:
    import kimi_runtime.aio.core as core

    core.use_exceptions(module.CancelledError, module.InvalidStateError)


def _events(module: ModuleType) -> None:
    import kimi_runtime.aio.core as core

    core.use_policy(module.get_event_loop_policy)


def _runners(module: ModuleType) -> None:
    from kimi_runtime import _core

    _core.hide_function(module._run_cell)       # tracebacks begin with the program


def _coroutines(module: ModuleType) -> None:
    import kimi_runtime.aio.core as core

    core.use_helpers(is_coroutine_object=module.iscoroutine)
    # Full from the start: it would keep classes of guests, and ask their metaclasses, in other guests.
    module.__dict__["_iscoroutine_typecache"] = dict.fromkeys(range(100))


def _format_helpers(module: ModuleType) -> None:
    import kimi_runtime.aio.core as core

    core.use_helpers(callback_source=module._format_callback_source, extract_stack=module.extract_stack)


def _base_futures(module: ModuleType) -> None:
    import kimi_runtime.aio.core as core

    core.use_helpers(future_repr=module._future_repr)


def _base_tasks(module: ModuleType) -> None:
    import kimi_runtime.aio.core as core

    core.use_helpers(task_repr=module._task_repr, get_task_stack=module._task_get_stack,
                     print_task_stack=module._task_print_stack)


def _tasks(module: ModuleType) -> None:
    import kimi_runtime.aio.core as core
    from kimi_runtime import _core

    # The file's own class and functions look into sets of the module; the native ones keep the tasks of each guest
    # apart.
    contents = module.__dict__
    _core.hide_function(contents["create_task"])
    contents.update(all_tasks=core.all_tasks, current_task=core.current_task, _PyTask=core.Task)
    for name in ("register_task", "unregister_task", "enter_task", "leave_task", "current_task", "swap_current_task",
                 "register_eager_task", "unregister_eager_task"):
        if f"_py_{name}" in contents:
            contents[f"_py_{name}"] = contents.get(f"_c_{name}", core.current_task)


#: Everything that the asyncio files import from the native part. AsyncState and LoopCore hold no way to the host.
CORE_NAMES = (
    "Future", "Task", "Handle", "TimerHandle", "LoopCore", "begin_tasks", "get_state", "get_running_loop", "get_event_loop",
    "current_task", "all_tasks", "_get_running_loop", "_set_running_loop", "_register_task", "_unregister_task",
    "_register_eager_task", "_unregister_eager_task", "_enter_task", "_leave_task", "_swap_current_task",
    "runs_in_thread", "call_in_thread", "host_waits", "wait_for_host", "join_threads", "format_exception", "format_stack",
    "_all_tasks", "_current_tasks", "_scheduled_tasks", "_eager_tasks")

ENTRIES: dict[str, Made | Native | Own | Source] = {
    "_contextvars": Native(("Context", "ContextVar", "Token", "copy_context"), host="kimi_runtime.aio.core",
                           public=False),
    "contextvars": Source(),
    "concurrent": Own("concurrent/__init__.py", package=True),
    "concurrent.futures": Own("concurrent/futures.py"),
    "_asyncio": Native(CORE_NAMES, host="kimi_runtime.aio.core", public=False),
    "asyncio": Own("asyncio/__init__.py", package=True),
    "asyncio.base_events": Own("asyncio/base_events.py"),
    "asyncio.base_futures": Source(finish=_base_futures),
    "asyncio.base_tasks": Source(finish=_base_tasks),
    "asyncio.constants": Source(),
    "asyncio.coroutines": Source(finish=_coroutines),
    "asyncio.events": Own("asyncio/events.py", finish=_events),
    "asyncio.exceptions": Source(finish=_exceptions),
    "asyncio.format_helpers": Source(finish=_format_helpers),
    "asyncio.futures": Own("asyncio/futures.py"),
    "asyncio.locks": Source(),
    "asyncio.log": Own("asyncio/log.py"),
    "asyncio.mixins": Own("asyncio/mixins.py"),
    "asyncio.queues": Source(),
    "asyncio.runners": Own("asyncio/runners.py", finish=_runners),
    "asyncio.taskgroups": Source(),
    "asyncio.tasks": Source(addition="asyncio_tasks.py", finish=_tasks),
    "asyncio.threads": Own("asyncio/threads.py"),
    "asyncio.timeouts": Source(),
    "unittest.async_case": Source(shared=False),
}
