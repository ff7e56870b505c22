from typing import Any

class Writer:
    count: int
    savers: dict[type, Any] | None
    def __init__(
        self,
        context: Any,
        builtins: Any,
        root: dict[str, Any],
        shared: list[Any] | None = ...,
        tracing: bool = ...,
    ) -> None: ...
    def write(self, names: Any, head: Any) -> bytes: ...
    def where(self) -> str: ...
