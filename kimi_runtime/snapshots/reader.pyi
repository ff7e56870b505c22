from collections.abc import Callable
from typing import Any

class Reader:
    generators: list[Any]
    marks: list[int] | None
    version: int
    def __init__(
        self,
        context: Any,
        builtins: dict[str, Any],
        root: dict[str, Any],
        data: bytes,
        load: Callable[..., Any],
        again: Callable[..., Any],
        shared: list[Any] | None = ...,
        variables: Any = ...,
        loaders: dict[str, Any] | None = ...,
    ) -> None: ...
    def read_names(self) -> Any: ...
    def read(self) -> Any: ...
    def library_module(self, name: str) -> Any: ...
