from typing import Any

class Writer:
    count: int
    def __init__(
        self,
        context: Any,
        builtins: Any,
        root: dict[str, Any],
        shared: list[Any] | None = ...,
        savers: dict[type, Any] | None = ...,
        tracing: bool = ...,
    ) -> None: ...
    def write(self, names: Any, head: Any) -> bytes: ...
    def where(self) -> str: ...
