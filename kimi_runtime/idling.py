"""Closes sessions in which nothing has run for long: ``Runtime(session_idle_seconds=...)``."""
from __future__ import annotations

from threading import Event, Lock, Thread
from weakref import ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .session import Session

__all__ = ["Culler"]


class Culler:
    """Looks after the sessions of one runtime, in a thread of its own while there are any.

    Args:
        seconds: a session is closed that long after the end of its last run.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = Lock()
        self._sessions: list[ref[Session]] = []
        self._thread: Thread | None = None

    def add(self, session: Session) -> None:
        """From now on."""
        session._idle_seconds = self.seconds
        session._touch()
        with self._lock:
            self._sessions.append(ref(session))
            if self._thread is None:
                self._thread = Thread(target=self._watch, name="kimi_runtime-idle-sessions", daemon=True)
                self._thread.start()

    def _watch(self) -> None:
        nap = Event()
        while True:
            soonest = self.seconds
            with self._lock:
                sessions = self._sessions
            kept = []
            for each in sessions:
                session = each()
                left = None if session is None else session._cull()
                session = None      # nobody is kept by this thread while it waits
                if left is not None:
                    kept.append(each)
                    soonest = min(soonest, left)
            with self._lock:
                self._sessions = kept + self._sessions[len(sessions):]      # some may have come meanwhile
                if not self._sessions:
                    self._thread = None
                    return
            nap.wait(max(soonest, 0.01))
