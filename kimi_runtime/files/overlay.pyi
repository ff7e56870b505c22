from typing import Any

from kimi_runtime.files.mounted import Descriptor

def overlay_folder(quota: Any, number: int, descriptor: Descriptor, most: int | None, above: Any, name: str) -> Any: ...
