"""The asyncio package of guests: tasks, queues and locks on an event loop of this interpreter.

There is no network, there are no processes and no signals: streams, transports, protocols and subprocesses are absent.
"""
import sys

from . import base_events, coroutines, events, exceptions, futures, locks, queues, runners, taskgroups, tasks, threads
from . import timeouts
from .base_events import *
from .coroutines import *
from .events import *
from .exceptions import *
from .futures import *
from .locks import *
from .queues import *
from .runners import *
from .taskgroups import *
from .tasks import *
from .threads import *
from .timeouts import *

_MODULES = (base_events, coroutines, events, exceptions, futures, locks, runners, queues, tasks, taskgroups, timeouts,
            threads)
__all__ = tuple(name for module in _MODULES for name in module.__all__)
del _MODULES

SelectorEventLoop = base_events.EventLoop
DefaultEventLoopPolicy = events._DefaultPolicy
__all__ += ("SelectorEventLoop", "DefaultEventLoopPolicy")
if sys.version_info >= (3, 13):
    EventLoop = base_events.EventLoop
    __all__ += ("EventLoop",)

# What is left out, and the reason that is told.
_NETWORK = ("a guest has no network", """
    AbstractServer BaseTransport BaseProtocol BufferedProtocol DatagramProtocol DatagramTransport Protocol ReadTransport
    Server StreamReader StreamReaderProtocol StreamWriter Transport WriteTransport open_connection open_unix_connection
    start_server start_unix_server""".split())
_PROCESSES = ("a guest has no processes", """
    SubprocessProtocol SubprocessTransport create_subprocess_exec create_subprocess_shell subprocess
    AbstractChildWatcher FastChildWatcher MultiLoopChildWatcher PidfdChildWatcher SafeChildWatcher ThreadedChildWatcher
    get_child_watcher set_child_watcher""".split())


def __getattr__(name):
    for reason, names in (_NETWORK, _PROCESSES):
        if name in names:
            raise AttributeError(f"module 'asyncio' has no attribute {name!r}: {reason}")
    raise AttributeError(f"module 'asyncio' has no attribute {name!r}")
