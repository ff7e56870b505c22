from typing import Any

class FileIO:
    def __init__(self, file: Any, mode: str = "r", closefd: bool = True, opener: Any = None) -> None: ...

def open(
    file: Any, mode: str = "r", buffering: int = -1, encoding: str | None = None, errors: str | None = None,
    newline: str | None = None, closefd: bool = True, opener: Any = None
) -> Any: ...
