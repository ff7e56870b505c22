from collections.abc import Callable
from typing import Any

def check_generator(code: Any, state: int, place: int, resume: int, values: list[Any], delegates: bool) -> None: ...
def check_run(
    filename: Any, source: Any, stdout: list[Any], stderr: list[Any], figures: Any, times: Any, asked: Any
) -> None: ...
def check_frames(
    frames: list[Any], values: list[Any], ret: int, namespace: dict[str, Any], registers: Callable[[Any], list[Any]]
) -> None: ...
