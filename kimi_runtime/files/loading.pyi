from typing import Any

class Loader:
    function: Any
    path: str
    def __init__(self, function: Any, path: str) -> None: ...
    def __call__(self) -> bytes: ...
