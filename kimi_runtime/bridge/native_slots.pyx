# cython: binding=False, wraparound=True, boundscheck=True
"""Slots of the host's types through which native code runs long or deep.

``sum(range(10**12))``, the comparison of two lists that share their parts forty levels deep, or the ``repr`` of a chain of
a million iterators run in C without a look at any limit. What such code does over and over is to call a slot of one of
the builtin types: the next item, a comparison, a hash, a text, or the release of an object. These slots get a guard in
front, once in the process, when the package is imported. It tests how much of the C stack is left and one flag that the
watching thread sets when a run is over its time (``vm/watch.h``), which together cost about a nanosecond. For threads
without a run nothing else happens.
"""
from kimi_runtime.objects.function cimport hooks

import _codecs as host_codecs
import builtins as host_builtins
import codecs
import collections
import functools
import io
import itertools
import operator
import types
import weakref
from builtins import BaseException as host_exception

from cpython.ref cimport PyObject


cdef extern from "slots.h":
    const int *k_alarm_set
    int *k_metered_runs
    int (*k_interrupted)(bint endless) noexcept
    int (*k_tick)() noexcept
    int (*k_afford)(double seconds) noexcept
    int k_guard_next(PyObject *type) noexcept
    int k_guard_endless(PyObject *type) noexcept
    int k_guard_repr(PyObject *type) noexcept
    int k_guard_str(PyObject *type) noexcept
    int k_guard_hash(PyObject *type) noexcept
    int k_guard_compare(PyObject *type) noexcept
    int k_guard_dealloc(PyObject *type) noexcept
    void k_use_class(PyObject *type) noexcept
    void k_enter_thread() noexcept

cdef extern from "costs.h":
    int K_LINEAR, K_PRODUCT, K_CROSS, K_SORT, K_CODING, K_QUADRATIC, K_VALUE, K_PATHS, K_ASKED
    int k_guard_cost(object function, double rate, int how, object ask) noexcept
    void k_guard_ints() noexcept
    void k_guard_scanner(object type) noexcept
    void k_guard_encoder(object type) noexcept
    void k_guard_context(object context, object prec) noexcept
    int k_use_array(object type, object probe) noexcept
    int k_use_bytes_io(object type, object example) noexcept
    int K_DECIMAL_LINEAR, K_DECIMAL_SQUARE, K_DECIMAL_INT, K_DECIMAL_RATIO, K_DECIMAL_FORMAT

cdef extern from "sequences.h":
    void k_guard_sequences() noexcept

cdef extern from "long_calls.h":
    int k_guard_csv(object reader, object writerow, object writerows) noexcept
    int k_guard_handler(object handler, int which) noexcept
    void k_guard_coded(object type) noexcept
    int k_guard_bz2(object compress, object flush, object probe, object decompress, object eof, object needs_input) noexcept
    int k_guard_lzma(object compress, object decompress, object eof, object needs_input) noexcept
    int k_guard_set_operators(object type, double rate) noexcept
    int k_guard_joining(object type, double rate) noexcept
    int k_guard_sized_comparison(object type, double rate) noexcept
    int k_guard_sized_text(object type, double rate) noexcept
    int k_guard_making(object type, double rate) noexcept
    void k_guard_templates_of_text() noexcept
    void k_guard_views() noexcept
    void k_guard_hashes() noexcept
    void k_guard_arrays(object type) noexcept
    int k_guard_decimals(object type, object context, object get_context, object probe, object probe_context) noexcept
    void k_note_precision(double digits) noexcept

ctypedef int (*guard_function)(PyObject *) noexcept

cdef bint installed = False


def endless_types():
    """Iterators whose items cost no memory, so that they need not end. Their items are counted as ticks."""
    return [type(iter(range(1))), type(iter(range(1 << 100))), type(iter(int, 0)), itertools.count, itertools.cycle,
            itertools.repeat, itertools.product, itertools.permutations, itertools.combinations,
            itertools.combinations_with_replacement]


class _Indexed:
    def __getitem__(self, index):
        raise IndexError


def iterator_types():
    """Other iterators: what they go through is finite, but the same list may be gone through a million times."""
    ordered = collections.OrderedDict()
    examples = [[], (), "", "\xe9", b"", bytearray(), set(), {}, {}.keys(), {}.values(), {}.items(), collections.deque(),
                memoryview(b""), ordered, ordered.keys(), ordered.values(), ordered.items(), _Indexed(),
                list[int]]
    backward = [[], (), {}, {}.keys(), {}.values(), {}.items(), collections.deque(), ordered, range(1)]
    found = [type(iter(each)) for each in examples] + [type(reversed(each)) for each in backward]
    found += [enumerate, zip, map, filter, reversed, io.StringIO, io.BytesIO, io.TextIOWrapper, io.BufferedReader]
    found += [value for value in vars(itertools).values() if isinstance(value, type)]
    return found


def value_types():
    """Types whose values hold others, or are compared, hashed and shown in the loops of others."""
    return [int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset, range, slice, memoryview, type({}.keys()),
            type({}.items()), type({}.values()), collections.deque, collections.OrderedDict, collections.defaultdict, type(collections.OrderedDict().keys()),
            type(collections.OrderedDict().items()), types.MappingProxyType, types.SimpleNamespace, types.GenericAlias, type(int | str),
            types.MethodType, types.BuiltinMethodType, types.MethodWrapperType, weakref.ref, weakref.ProxyType, weakref.CallableProxyType, functools.partial,
            type(functools.cmp_to_key(print)),
            operator.itemgetter, operator.attrgetter, operator.methodcaller, staticmethod, classmethod, property, super,
            types.CellType, map, filter, zip, enumerate, reversed, type]


def all_exceptions():
    """The builtin exceptions."""
    found = []
    waiting = [host_exception]
    while waiting:
        each = waiting.pop()
        if each not in found and each.__module__ == "builtins":
            found.append(each)
            waiting += type.__subclasses__(each)
    return found


def nesting_types():
    """Types that hold others and are released without the interpreter's trashcan."""
    return [map, filter, zip, enumerate, reversed, type(iter(_Indexed())), type(iter(int, 0)), type(iter(())), type(iter([])),
            functools.partial, types.MethodType,
            staticmethod, classmethod, property, slice, types.MappingProxyType, types.GenericAlias, type(int | str), types.CellType,
            collections.deque, collections.defaultdict, types.SimpleNamespace, operator.itemgetter, operator.attrgetter, operator.methodcaller,
            type(functools.cmp_to_key(print)), super, memoryview,
            *[value for value in vars(itertools).values() if isinstance(value, type)], *all_exceptions()]


def guard_types(found):
    """Guards the slots of further types whose values are compared, hashed, shown or gone through."""
    for each in found:
        guard_all(k_guard_next, [each])
        guard_all(k_guard_repr, [each])
        if each.__str__ is not object.__str__:
            guard_all(k_guard_str, [each])
        guard_all(k_guard_hash, [each])
        guard_all(k_guard_compare, [each])


# Nanoseconds for each character, byte or item: estimates, on the high side.
TEXT_COSTS = {
    4: "find index count split partition startswith endswith splitlines hex fromhex join removeprefix "
       "removesuffix __format__ isascii isprintable isspace isdigit isdecimal isnumeric isidentifier expandtabs maketrans",
    10: "isalpha isalnum islower isupper istitle",
    12: "lower upper casefold title swapcase capitalize replace",
    40: "translate format format_map",
}
CONTAINER_COSTS = {
    list: {4: "copy extend reverse index count remove insert pop"},
    dict: {40: "copy update fromkeys"},
    set: {60: "copy update union intersection difference symmetric_difference intersection_update difference_update "
              "symmetric_difference_update issubset issuperset isdisjoint"},
    frozenset: {60: "copy union intersection difference symmetric_difference issubset issuperset isdisjoint"},
    collections.OrderedDict: {250: "copy update fromkeys"},
    int: {2: "to_bytes from_bytes bit_count", 6: "__format__"},
    float: {6: "__format__"},
    complex: {6: "__format__"},
    memoryview: {20: "tolist tobytes hex cast"},
}
#: module -> nanoseconds -> names
MODULE_COSTS = {
    "builtins": {8: "sum any all", 15: "min max", 4: "sorted ascii"},
    "math": {30: "fsum dist hypot prod sumprod"},
    "binascii": {4: "a2b_base64 a2b_hex a2b_qp a2b_uu b2a_base64 b2a_hex b2a_qp b2a_uu hexlify unhexlify crc32 crc_hqx"},
    "zlib": {80: "compress", 2: "crc32 adler32"},
    "_json": {8: "encode_basestring encode_basestring_ascii scanstring"},
    "_struct": {20: "pack unpack pack_into unpack_from"},
    "array": {4: "_array_reconstructor"},
    "_hashlib": {8: "new openssl_md5 openssl_sha1 openssl_sha224 openssl_sha256 openssl_sha384 openssl_sha512 openssl_sha3_224 "
                    "openssl_sha3_256 openssl_sha3_384 openssl_sha3_512 openssl_shake_128 openssl_shake_256 hmac_digest hmac_new"},
    "_md5": {5: "md5"}, "_sha1": {5: "sha1"}, "_sha3": {10: "sha3_224 sha3_256 sha3_384 sha3_512"},
    "_codecs": {60: "unicode_escape_decode raw_unicode_escape_decode escape_decode charmap_decode "
                    "utf_7_decode utf_7_encode unicode_escape_encode escape_encode",
                5: "ascii_decode ascii_encode latin_1_decode latin_1_encode utf_8_decode utf_8_encode utf_16_decode "
                   "utf_16_encode utf_32_decode utf_32_encode"},
    "_heapq": {100: "heapify"},
    "unicodedata": {300: "normalize is_normalized"},
    "_operator": {4: "countOf indexOf"},
    "time": {500: "strftime", 5000: "strptime"},        # strptime makes a pattern of its format
}
ARRAY_COSTS = {4: "byteswap count extend frombytes fromlist fromunicode index insert pop remove reverse tobytes tolist tounicode"}
DATE_COSTS = {500: "strftime __format__", 5000: "strptime", 4: "fromisoformat"}
HASH_COSTS = {"_blake2": 5.0, "_md5": 4.0, "_sha1": 4.0, "_sha2": 8.0, "_sha256": 8.0, "_sha512": 8.0, "_sha3": 10.0}
#: Names of the host's error handlers, in the order of K_HANDLER.
HANDLERS = ("ignore", "replace", "xmlcharrefreplace", "backslashreplace", "namereplace", "surrogatepass")
#: module -> a codec that it has
MULTIBYTE = {"_codecs_cn": "gb2312", "_codecs_hk": "big5hkscs", "_codecs_iso2022": "iso2022_jp", "_codecs_jp": "shift_jis", "_codecs_kr": "euc_kr",
             "_codecs_tw": "big5"}
cdef double MOST_OUTPUT = 2.5e8     # bytes that a decompressor may make where no limit of memory says less


def ask_pbkdf2(name, password, salt, iterations, dklen=None):
    return 1500.0 * iterations * ((dklen or 64) // 16 + 1) if isinstance(iterations, int) else 0.0


def ask_scrypt(*args):
    """Its arguments are keywords but the first; the time is that of n * r * p blocks of 128 bytes."""
    product = 1.0
    for each in args[1:]:
        if isinstance(each, int):
            product *= max(each, 1)
    return 2000.0 * product


def ask_decompress(*args):
    size = max([len(each) for each in args if isinstance(each, (bytes, bytearray, memoryview))] or [0])
    return min(size * 1032.0, MOST_OUTPUT) * 1.0


def ask_precision(*args):
    digits = max([each for each in args if isinstance(each, int)] or [0])
    k_note_precision(digits)
    return digits * 1000.0


#: Of Decimal and Context: kind -> (nanoseconds for each digit, or for each digit times each; names).
DECIMAL_COSTS = (
    (K_DECIMAL_LINEAR, 400.0,
     "abs add compare compare_signal compare_total compare_total_mag copy_abs copy_negate copy_sign create_decimal divide divide_int divmod fma "
     "logical_and logical_invert logical_or logical_xor logb max max_mag min min_mag minus multiply next_minus next_plus next_toward normalize plus "
     "quantize remainder remainder_near rotate same_quantum scaleb shift sqrt subtract to_eng_string to_integral to_integral_exact "
     "to_integral_value to_sci_string as_tuple __complex__ __copy__ __deepcopy__ is_normal is_subnormal"),
    (K_DECIMAL_SQUARE, 30.0, "exp ln log10 power"),
    (K_DECIMAL_RATIO, 0.03, "as_integer_ratio"),
    (K_DECIMAL_INT, 0.03, "__trunc__ __floor__ __ceil__ __round__"),
    (K_DECIMAL_FORMAT, 20.0, "__format__"),
)


cdef int guard_decimal(module) except -1:
    if k_guard_decimals(module.Decimal, module.Context, module.getcontext, module.Decimal("12.345"), module.Context(prec=77)) < 0:
        raise ImportError("this Python keeps decimals in a way that is not known")
    for how, rate, names in DECIMAL_COSTS:
        for owner in (module.Decimal, module.Context):
            for name in names.split():
                function = owner.__dict__.get(name)
                if function is not None and k_guard_cost(function, rate, how, None) < 0:
                    raise RuntimeError(f"too many functions to guard: {name}")
    return 0


cdef int guard_codecs(module, compressor, decompressor) except -1:
    compress, decompress = compressor.__dict__["compress"], decompressor.__dict__["decompress"]
    eof, needs_input = decompressor.__dict__["eof"], decompressor.__dict__["needs_input"]
    if module.__name__ == "_bz2":
        probe = compressor()
        probe.compress(b"abc")
        status = k_guard_bz2(compress, compressor.__dict__["flush"], probe, decompress, eof, needs_input)
    else:
        status = k_guard_lzma(compress, decompress, eof, needs_input)
    if status < 0:
        raise ImportError(f"this Python's {module.__name__} is not one that can be guarded")
    return 0


cdef int guard_making(double rate, types) except -1:
    for each in types:
        if k_guard_making(each, rate) < 0:
            raise RuntimeError(f"too many types to guard: {each}")
    return 0


def guard_csv(module):
    """Guards readers and writers of a module object of ``_csv``. ImportError: this Python's cannot be guarded."""
    writer = type(module.writer(io.StringIO()))
    if k_guard_csv(module.reader, writer.__dict__["writerow"], writer.__dict__["writerows"]) < 0:
        raise ImportError("this Python's _csv is not one that can be guarded")


cdef int guard_costs(dict costs, owner) except -1:
    for rate, names in costs.items():
        for name in names.split():
            function = owner.__dict__.get(name)
            if isinstance(function, staticmethod):
                function = function.__func__
            if function is not None and k_guard_cost(function, rate, K_LINEAR, None) < 0:
                raise RuntimeError(f"too many functions to guard: {name}")
    return 0


cdef int guard_coding(double rate, owner, names) except -1:
    for name in names:
        function = owner.__dict__.get(name)
        if function is not None and k_guard_cost(function, rate, K_CODING, None) < 0:
            raise RuntimeError(f"too many functions to guard: {name}")
    return 0


cdef int guard_text_made(kind) except -1:
    """And the classes of the host that inherit from it."""
    k_guard_coded(kind)
    for each in type.__subclasses__(kind):
        guard_text_made(each)
    return 0


def guard_module(module):
    """Guards the native functions of a module of the host whose time grows with their arguments."""
    name = module.__name__
    guard_costs(MODULE_COSTS.get(name, {}), module)
    if name == "_codecs":
        guard_coding(4.0, module, ("encode", "decode"))
        guard_coding(60.0, module, ("charmap_encode",))
    elif name in MULTIBYTE:
        guard_coding(60.0, type(module.getcodec(MULTIBYTE[name])), ("encode", "decode"))
    elif name == "_multibytecodec":
        for kind in (module.MultibyteIncrementalEncoder, module.MultibyteIncrementalDecoder, module.MultibyteStreamWriter):
            guard_coding(60.0, kind, ("encode", "decode", "write"))
    elif name == "math":
        for each in ("gcd", "lcm"):
            k_guard_cost(getattr(module, each), 1.0, K_QUADRATIC, None)
        k_guard_cost(module.isqrt, 4.0, K_QUADRATIC, None)
    elif name == "_hashlib":
        k_guard_cost(module.pbkdf2_hmac, 0, K_ASKED, ask_pbkdf2)
        if hasattr(module, "scrypt"):
            k_guard_cost(module.scrypt, 0, K_ASKED, ask_scrypt)
        k_guard_cost(module.HASH.__dict__["update"], 5.0, K_LINEAR, None)
    elif name == "zlib":
        k_guard_cost(module.decompress, 0, K_ASKED, ask_decompress)
        k_guard_cost(type(module.compressobj()).__dict__["compress"], 80.0, K_LINEAR, None)
        k_guard_cost(type(module.decompressobj()).__dict__["decompress"], 0, K_ASKED, ask_decompress)
    elif name in ("_decimal", "decimal"):        # the module in C gives itself the name of the other
        guard_decimal(module)
        k_guard_context(module.Context, module.Context.__dict__["prec"])
        k_guard_cost(module.localcontext, 0, K_ASKED, ask_precision)
    elif name == "_json":
        k_guard_scanner(module.make_scanner)
        k_guard_encoder(module.make_encoder)
    elif name == "_struct":
        guard_types([type(module.iter_unpack("b", b""))])
    elif name == "_bz2":
        guard_codecs(module, module.BZ2Compressor, module.BZ2Decompressor)
    elif name == "_lzma":
        guard_codecs(module, module.LZMACompressor, module.LZMADecompressor)
    elif name in ("array", "_array"):
        if k_use_array(module.array, module.array("d", [1.0, 2.0, 3.0])) < 0:
            raise ImportError("this Python's array is not one that can be guarded")
        k_guard_arrays(module.array)
        k_guard_joining(module.array, 1.0)
        guard_costs(ARRAY_COSTS, module.array)
    elif name in ("_datetime", "datetime"):
        for kind in (module.date, module.time, module.datetime):
            guard_costs(DATE_COSTS, kind)
    elif name in HASH_COSTS:
        for kind in {value if isinstance(value, type) else type(value()) for key, value in vars(module).items()
                     if key.startswith(("blake", "md5", "sha")) and callable(value)}:
            if k_guard_cost(kind.__dict__["update"], HASH_COSTS[name], K_LINEAR, None) < 0:
                raise RuntimeError("too many functions to guard")
            if isinstance(module.__dict__.get(kind.__name__), type):
                guard_making(HASH_COSTS[name], [kind])
    elif name == "_random":
        k_guard_cost(module.Random.__dict__["getrandbits"], 0.25, K_VALUE, None)
        k_guard_cost(module.Random.__dict__["seed"], 40.0, K_LINEAR, None)
        guard_making(40.0, [module.Random])


cdef int guard_methods() except -1:
    for owner in (str, bytes, bytearray):
        guard_costs(TEXT_COSTS, owner)
        guard_coding(4.0, owner, ("encode", "decode"))
        guard_text_made(owner)
        for name in ("rfind", "rindex", "rsplit", "rpartition"):
            k_guard_cost(owner.__dict__[name], 0.5, K_PRODUCT, None)
        for name in ("strip", "lstrip", "rstrip"):
            k_guard_cost(owner.__dict__[name], 0.05, K_CROSS, None)
    for owner, costs in CONTAINER_COSTS.items():
        guard_costs(costs, owner)
    k_guard_cost(list.__dict__["sort"], 15.0, K_SORT, None)
    for name in ("isinstance", "issubclass"):           # tuples of tuples of classes
        k_guard_cost(getattr(host_builtins, name), 100.0, K_PATHS, None)
    for name in ("split", "subgroup"):
        k_guard_cost(BaseExceptionGroup.__dict__[name], 500.0, K_PATHS, None)
    k_guard_ints()
    k_guard_templates_of_text()
    example = io.BytesIO(b"abc")
    example.read(1)
    if k_use_bytes_io(io.BytesIO, example) < 0:
        raise ImportError("this Python's io.BytesIO is not one that can be guarded")
    k_guard_cost(io.BytesIO.__dict__["readlines"], 20.0, K_LINEAR, None)
    guard_making(250.0, [collections.OrderedDict])
    guard_making(6.0, [io.StringIO, itertools.product, itertools.permutations, itertools.combinations, itertools.combinations_with_replacement])
    status = 0
    for kind in (set, frozenset, dict, type({}.keys()), type({}.items()), collections.OrderedDict, type(collections.OrderedDict().keys()),
                 type(collections.OrderedDict().items()), collections.defaultdict):
        status += k_guard_set_operators(kind, 80.0) < 0
        status += k_guard_sized_comparison(kind, 80.0) < 0
    for kind in (list, tuple, str, bytes, bytearray, collections.deque):
        status += k_guard_joining(kind, 1.0) < 0
    for kind in (str, bytes, bytearray):
        status += k_guard_sized_text(kind, 10.0) < 0
    if status:
        raise RuntimeError("too many slots to guard")
    return 0


cdef int guard_all(guard_function guard, found) except -1:
    for each in found:
        if guard(<PyObject *>each) < 0:
            raise RuntimeError(f"too many types to guard: {each}")
    return 0


def install():
    """When the package is imported."""
    global installed, k_alarm_set, k_metered_runs, k_interrupted, k_tick, k_afford
    if installed:
        return
    installed = True
    k_alarm_set = hooks.alarm
    k_metered_runs = &hooks.metered_runs
    k_interrupted = hooks.interrupted
    k_tick = hooks.tick
    k_afford = hooks.afford
    k_use_class(<PyObject *>ExceptionGroup)
    endless = endless_types()
    guard_all(k_guard_endless, endless)
    guard_all(k_guard_next, [each for each in iterator_types() if each not in endless])
    values = value_types() + all_exceptions()
    guard_all(k_guard_repr, values + endless)
    guard_all(k_guard_str, [each for each in values if each.__str__ is not object.__str__])
    guard_all(k_guard_hash, values)
    guard_all(k_guard_compare, values)
    guard_all(k_guard_dealloc, nesting_types())
    k_guard_views()
    k_guard_hashes()
    k_guard_sequences()
    guard_methods()
    guard_module(host_builtins)
    guard_module(host_codecs)
    for i, each in enumerate(HANDLERS):
        if k_guard_handler(codecs.lookup_error(each), i) < 0:
            raise RuntimeError(f"the error handler {each} is not one that can be guarded")
    hooks.enter_thread = k_enter_thread
    k_enter_thread()
