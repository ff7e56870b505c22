"""Entries of the library: the data model of the language and its tools.

Nearly all of these modules are Python files of the host's library, run as guest code. The natives below them are listed
name by name; what is left out, and why, is said beside each.
"""
from __future__ import annotations

import sys

from kimi_runtime.bridge.getters import attrgetter, is_, is_not, methodcaller
from kimi_runtime.bridge.late_calls import proxy
from kimi_runtime.library import finish_text
from kimi_runtime.library import model_natives as natives
from kimi_runtime.library.abstract import cache_token, instancecheck, no_registry, register, reset, subclasscheck
from kimi_runtime.library.caches import lru_cache_wrapper
from kimi_runtime.library.entries import Made, Native, Own, Source
from kimi_runtime.library.guarded import getweakrefcount, getweakrefs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

    Entry = Made | Native | Own | Source

#: C modules. None of them reads files, starts threads or fetches an attribute that the guest names.
NATIVES: dict[str, Entry] = {
    "_abc": Native(
        (
            "_abc_init",
        ),
        # The real ones keep what guests register with classes of the shared library, and what they answered, for all.
        replace=(
            ("get_cache_token", cache_token),
            ("_get_dump", no_registry),
            ("_abc_register", register),
            ("_abc_instancecheck", instancecheck),
            ("_abc_subclasscheck", subclasscheck),
            ("_reset_registry", reset),
            ("_reset_caches", reset),
        ),
        public=False,
    ),
    "_bisect": Native(("bisect_left", "bisect_right", "insort_left", "insort_right"), public=False),
    "_collections": Native(
        (
            "OrderedDict",
            "_count_elements",
            "_deque_iterator",
            "_deque_reverse_iterator",
            "_tuplegetter",
            "defaultdict",
            "deque",
        ),
        public=False,
    ),
    "_functools": Native(
        ("cmp_to_key", "partial", "reduce", "Placeholder"),
        replace=(("_lru_cache_wrapper", lru_cache_wrapper),),
        public=False,
    ),
    # Without callbacks, get_objects, get_referrers and get_referents, which lead to objects of the host.
    "_gc": Native(("collect", "get_count", "get_threshold", "is_finalized", "is_tracked"), host="gc", public=False),
    "_heapq": Native(
        (
            "_heapify_max",
            "_heappop_max",
            "_heapreplace_max",
            "heapify",
            "heappop",
            "heappush",
            "heappushpop",
            "heapreplace",
        ),
        public=False,
    ),
    # Public, because pickles name it. Of our own: attrgetter and methodcaller, which read attributes as the guest may; is_ and
    # is_not, because of unboxed numbers.
    "_operator": Native(
        (
            "__doc__",
            "_compare_digest",
            "abs",
            "add",
            "and_",
            "call",
            "concat",
            "contains",
            "countOf",
            "delitem",
            "eq",
            "floordiv",
            "ge",
            "getitem",
            "gt",
            "iadd",
            "iand",
            "iconcat",
            "ifloordiv",
            "ilshift",
            "imatmul",
            "imod",
            "imul",
            "index",
            "indexOf",
            "inv",
            "invert",
            "ior",
            "ipow",
            "irshift",
            "is_",
            "is_none",
            "is_not",
            "is_not_none",
            "isub",
            "itemgetter",
            "itruediv",
            "ixor",
            "le",
            "length_hint",
            "lshift",
            "lt",
            "matmul",
            "mod",
            "mul",
            "ne",
            "neg",
            "not_",
            "or_",
            "pos",
            "pow",
            "rshift",
            "setitem",
            "sub",
            "truediv",
            "truth",
            "xor",
        ),
        replace=(("attrgetter", attrgetter), ("methodcaller", methodcaller), ("is_", is_), ("is_not", is_not)),
    ),
    "_string": Native(("formatter_field_name_split", "formatter_parser"), public=False),
    "_tokenize": Native(("TokenizerIter",), public=False),
    "_weakref": Native(
        ("CallableProxyType", "ProxyType", "ReferenceType", "_remove_dead_weakref", "ref"),
        # The real ones show references of the host and of other guests, and would call back for whoever runs then.
        replace=(("getweakrefs", getweakrefs), ("getweakrefcount", getweakrefcount), ("proxy", proxy)),
        public=False,
    ),
    "errno": Native(natives.all_names("errno")),
    "itertools": Native(natives.all_names("itertools")),
}

#: Modules whose globals are definitions and constants: run once in the process.
SHARED = """
_collections_abc _weakrefset abc ast bisect collections collections.abc contextlib dataclasses enum functools graphlib
heapq inspect keyword numbers operator string textwrap token tokenize types typing
""".split()

#: Modules with state of their own, such as registries, filters, counters and tables that programs are known to change:
#: run in every guest that imports them.
PER_GUEST = """
_py_abc _threading_local copy doctest pprint queue reprlib sched threading timeit traceback unittest
unittest.case unittest.loader unittest.main unittest.mock unittest.result unittest.runner
unittest.signals unittest.suite unittest.util warnings weakref
""".split()

#: Parts that only library modules import.
INTERNAL = frozenset("_collections_abc _weakrefset unittest._log".split())

def _hide_functions(module: ModuleType | type) -> None:
    """Tracebacks do not show the functions of a module that CPython has in C."""
    from kimi_runtime import _core

    for each in list(vars(module).values()):
        if type(each).__name__ == "function":
            _core.hide_function(each)


def _hide_methods(module: ModuleType) -> None:
    """The same for the methods of its classes."""
    _hide_functions(module)
    for each in list(vars(module).values()):
        if isinstance(each, type) and each.__module__ == module.__name__:
            _hide_functions(each)


def _suspendable(module: ModuleType) -> None:
    from kimi_runtime import _core

    vars(module).update(_parts=_core.iterator_parts, _steps_in_guest=_core.steps_in_guest, _has_next=_core.is_iterator)
    _hide_functions(module)


ENTRIES: dict[str, Entry] = {
    **NATIVES,
    **{name: Source(public=name not in INTERNAL) for name in SHARED},
    **{name: Source(shared=False, public=name not in INTERNAL) for name in PER_GUEST},
    "_sources": Made(natives.make_sources, public=False, shared=True),
    "collections": Source(finish=natives.finish_collections),
    "functools": Source(finish=natives.finish_functools),
    "importlib.machinery": Own("importlib_machinery.py"),
    "copyreg": Source(shared=False, finish=finish_text.copyreg),
    "importlib.util": Own("importlib_util.py", shared=False, public=False),
    "inspect": Source(finish=natives.finish_inspect),
    "types": Source(finish=natives.finish_types),
    "typing": Source(finish=natives.finish_typing),
    "_ast": Own("_ast.py", public=False),
    "_queue": Own("_queue.py", shared=False, public=False, finish=_hide_methods),
    "_thread": Own("_thread.py", shared=sys.version_info < (3, 13)),
    # Threads of the guest's own kind: none runs beside its main program.
    "_threads": Native(
        ("RLock", "TIMEOUT_MAX", "count", "get_ident", "lock", "set_sentinel", "start_new_thread"),
        host="kimi_runtime.library.threads",
        public=False,
    ),
    "_trees": Made(natives.make_trees, public=False, shared=True),
    "_host_typing": Native(
        ("NoDefault", "ParamSpec", "ParamSpecArgs", "ParamSpecKwargs", "TypeAliasType", "TypeVar", "TypeVarTuple", "_idfunc"),
        host="kimi_runtime.objects.type_params",
        public=False,
    ),
    "_suspendable": Own("_suspendable.py", public=False, finish=_suspendable),
    "_display": Own("_display.py", shared=False, public=False),
    "_typing": Own("_typing.py", public=False),
    "_colorize": Own("_colorize.py", public=False),
    "atexit": Own("atexit.py", shared=False, finish=_hide_functions),
    "dis": Own("dis.py", public=False),
    "gc": Own("gc.py", shared=False),
    "linecache": Own("linecache.py", shared=False),
    "pdb": Own("pdb.py", public=False),
    "pkgutil": Own("pkgutil.py", public=False),
    "signal": Own("signal.py", public=False),
    "warnings": Source(shared=False, addition="warnings.py", finish=natives.finish_warnings),
    "unittest._log": Source(shared=False, public=False),
}
