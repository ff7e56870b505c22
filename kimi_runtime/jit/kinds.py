"""What a register was seen to hold, and what the compiler knows of it. See the builder for what the letters mean."""
from __future__ import annotations

from .form import Node

UNDEF, NONE, BOOL, INT, FLOAT, RANGE, LISTIT, ITERATOR, LIST, TUPLE, DICT, STR, FUNCTION, OBJECT, RANGE_TYPE = (
    1 << i for i in range(15)
)
#: Kinds of registers that hold an object for certain.
OBJECTS = frozenset({"list", "tuple", "dict", "str", "o"})
TAGS = {"u": 0, "n": 1, "b": 2, "i": 3, "f": 4, "r": 6}
OF_MASK = {INT: "i", FLOAT: "f", BOOL: "b", RANGE: "r", LIST: "list", TUPLE: "tuple", DICT: "dict", STR: "str", LISTIT: "listit"}
OF_MASK |= {mask: "o" for mask in range(LIST, RANGE_TYPE * 2, LIST) if mask not in (LIST, TUPLE, DICT, STR)}
VALUE_TYPES = {"i": "i64", "f": "f64", "b": "i64", "r": "i64"}
PLAIN = frozenset([*"ifbnrku", "fn"])
Slot = tuple[str, Node | None, bool]
ANY: Slot = ("m", None, False)
KEPT: Slot = ("k", None, False)
HOT_RAISED, HOT_REFUSED, HOT_LEFT, HOT_RETURNED = -1, 0, 1, 2
MOST_TRIES = 40
