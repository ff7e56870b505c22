"""Call every native function, method and operator that guests have with huge arguments, and see when a limit of time stops it.

    python tests/security/cost_sweep.py [--seconds S] [--late S] [--only TEXT ...] [--part I/N] [--sample F]

What is called comes from the tables that docs/security.md is made from, so that what is listed later is tried too. Each call is a run of its own with a small
limit of time; one that uses more processor time than the limit and `late` seconds is printed. A call that ends by itself within its limit is none of our
business. The exit status is the number of callables that were late, at most 100.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import pathlib
import random
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent))

import kimi_runtime as kr  # noqa: E402
from kimi_runtime.bridge import exposure  # noqa: E402
from kimi_runtime.library import catalog, loader  # noqa: E402
from kimi_runtime.library.entries import Native  # noqa: E402

MEMORY = 256_000_000         # what a call may take beside the values
# All fit into the default limit of memory, 256 MB, one or two at a time.
VALUES = {
    "none": "None",
    "zero": "0",
    "two": "2",
    "million": "3_000_000",
    "billion": "1_000_000_007",
    "negative": "-1",
    "real": "1.5",
    "letter": "'a'",
    "word": "'utf-8'",
    "code": "'d'",
    "octet": "b'a'",
    "text": "'ab c,\"d\\n' * 6_000_000",
    "same": "'a' * 50_000_000",
    "half": "'a' * 25_000_000",
    "digits": "'7' * 3_000_000",
    "percent": "'%s' * 5_000_000",
    "braces": "'{0}' * 5_000_000",
    "wide": "'\\u20ac\\U0001f600e\\u0301' * 4_000_000",
    "data": "random.Random(1).randbytes(40_000_000)",
    "zeros": "bytes(50_000_000)",
    "changing": "bytearray(40_000_000)",
    "view": "memoryview(data)",
    "strided": "memoryview(data)[::2]",
    "reals": "memoryview(data).cast('d')",
    "fields": "array.array('d', bytes(40_000_000))",
    "numbers": "[7] * 5_000_000",
    "several": "list(range(1_500_000))",
    "shuffled": "random.sample(several, len(several))",
    "words": "['abc'] * 5_000_000",
    "longs": "['a' * 10_000_000] * 20",
    "bytestrings": "[b'a' * 10_000_000] * 20",
    "pairs": "[(1, 2)] * 3_000_000",
    "row": "tuple(words)",
    "nested": "[numbers] * 20",
    "mapping": "dict.fromkeys(range(1_000_000), 'x')",
    "names": "{str(n): n for n in range(500_000)}",
    "group": "set(range(1_000_000))",
    "frozen": "frozenset(range(500_000, 1_500_000))",
    "queue": "collections.deque(numbers)",
    "ordered": "collections.OrderedDict(mapping)",
    "big": "(1 << 40_000_000) - 1",
    "odd": "7 ** 2_000_000",
    "span": "range(10 ** 12)",
    "tall": "decimal.Decimal((0, (7,) * 2_000_000, 0))",
    "extreme": "decimal.Decimal('1e999999999999999')",
    "precise": "decimal.Context(prec=3_000_000)",
    "buffer": "io.BytesIO(data)",
    "lines": "io.StringIO(text)",
    "deep": "deep",
    "shared": "shared",
    "packed": "bz2.compress(zeros)",
    "squeezed": "lzma.compress(zeros)",
    "deflated": "zlib.compress(zeros, 9)",
    "hexes": "'ab' * 20_000_000",
    "base": "binascii.b2a_base64(data)",
    "document": "'[' + '1,' * 10_000_000 + '1]'",
    "xml": "b'<a>' + b'<b c=\"d\"/>' * 3_000_000 + b'</a>'",
    "factors": "struct.Struct('i' * 100_000)",
    "iso": "'2020-01-01'",
    "date": "datetime.datetime(2020, 1, 1)",
    "format": "'%Y-%m' * 3_000_000",
}
SETUP = """
import random, array, collections, decimal, io, bz2, lzma, zlib, binascii, datetime, struct, json.scanner, hashlib, itertools, functools, json, csv, codecs, unicodedata, operator, heapq, re
decimal.getcontext().prec = 1000
decimal.getcontext().traps[decimal.Overflow] = False
deep = []
for _ in range(500_000): deep = [deep]
shared = 1
for _ in range(60): shared = (shared, shared)
"""
# Objects whose methods are tried, beside the values: made anew for each call.
OBJECTS = {
    "_blake2.blake2b": "hashlib.blake2b()", "_blake2.blake2s": "hashlib.blake2s()", "_hashlib.HASH": "hashlib.sha512()",
    "_sha3.sha3_512": "hashlib.sha3_512()", "_sha3.shake_256": "hashlib.shake_256(b'a')", "_md5.md5": "hashlib.md5()",
    "_bz2.BZ2Compressor": "bz2.BZ2Compressor()", "_bz2.BZ2Decompressor": "bz2.BZ2Decompressor()",
    "_lzma.LZMACompressor": "lzma.LZMACompressor()", "_lzma.LZMADecompressor": "lzma.LZMADecompressor()",
    "zlib.Compress": "zlib.compressobj()", "zlib.Decompress": "zlib.decompressobj()",
    "_csv.writer": "csv.writer(io.StringIO())",
    "_csv.reader#1": "csv.reader([text])", "_csv.reader#2": "csv.reader([same])", "_csv.reader#3": "csv.reader(['\"' + same])", "_csv.reader#4": "csv.reader([',' * 50_000_000])",
    "_io.BytesIO": "io.BytesIO(data)", "_io.StringIO": "io.StringIO(text)", "_io.StringIO#2": "io.StringIO(same)",
    "_io.BufferedReader": "io.BufferedReader(io.BytesIO(data))",
    "_io.TextIOWrapper": "io.TextIOWrapper(io.BytesIO(zeros), encoding='latin-1')",
    "_io.TextIOWrapper#2": "io.TextIOWrapper(io.BytesIO(data), encoding='utf-8', errors='replace')",
    "_io.IncrementalNewlineDecoder": "io.IncrementalNewlineDecoder(None, True)",
    "_json.Scanner": "json.scanner.c_make_scanner(json.JSONDecoder(strict=False))",
    "_json.Encoder": "json.encoder.c_make_encoder(None, json.JSONEncoder().default, json.encoder.encode_basestring, None, ': ', ', ', False, False, True)",
    "_json.Encoder#2": "json.encoder.c_make_encoder(None, json.JSONEncoder().default, json.encoder.encode_basestring_ascii, None, ': ', ', ', True, False, True)",
    "_multibytecodec.MultibyteCodec": "codecs.lookup('gb18030').encode.__self__", "_struct.Struct": "factors",
    "_random.Random": "random.Random(1)", "builtins.int": "big", "builtins.int#2": "odd", "builtins.int#3": "million",
    "builtins.str": "text", "builtins.str#2": "same", "builtins.str#3": "wide", "builtins.str#4": "percent", "builtins.str#5": "letter",
    "builtins.str#6": "braces", "builtins.str#7": "digits", "builtins.str#8": "' ' * 50_000_000", "builtins.str#9": "'\\n' * 50_000_000", "builtins.str#10": "'\\t' * 10_000_000",
    "builtins.bytes": "data", "builtins.bytes#2": "zeros", "builtins.bytes#3": "b'%s' * 5_000_000", "builtins.bytes#4": "octet", "builtins.bytes#5": "b' ' * 50_000_000",
    "builtins.bytearray": "bytearray(data)", "builtins.list": "list(several)", "builtins.list#2": "list(numbers)", "builtins.list#3": "[7]",
    "builtins.list#4": "list(words)", "builtins.list#5": "list(nested)", "builtins.list#6": "[shared]", "builtins.list#7": "list(shuffled)", "builtins.list#8": "list(longs)",
    "builtins.tuple": "row", "builtins.tuple#2": "shared", "builtins.tuple#3": "(7,)", "builtins.dict": "dict(mapping)", "builtins.dict#2": "dict(names)", "builtins.set": "set(group)",
    "builtins.frozenset": "frozen", "builtins.memoryview": "memoryview(data)", "builtins.memoryview#2": "strided", "builtins.memoryview#3": "reals",
    "builtins.memoryview#4": "memoryview(data).cast('b')[::-1]", "builtins.range": "span", "builtins.slice": "slice(big, big, big)",
    "builtins.complex": "1j", "builtins.float": "1.5", "builtins.dict_items": "mapping.items()", "builtins.dict_keys": "mapping.keys()",
    "builtins.mappingproxy": "type('C', (), names).__dict__", "array.array": "array.array('d', data)", "array.array#2": "array.array('b', data)",
    "array.array#3": "array.array('w' if 'w' in array.typecodes else 'u', 'a') * 10_000_000",
    "collections.deque": "collections.deque(numbers)", "collections.OrderedDict": "collections.OrderedDict(mapping)",
    "collections.defaultdict": "collections.defaultdict(list, mapping)", "decimal.Decimal": "tall", "decimal.Decimal#2": "extreme",
    "decimal.Decimal#3": "decimal.Decimal('1.5')", "decimal.Context": "decimal.Context(prec=3_000_000)",
    "decimal.Context#2": "decimal.Context(prec=9_000, traps=[])", "datetime.datetime": "date", "datetime.timedelta": "datetime.timedelta(1)",
    "builtins.map": "map(str, several)", "builtins.enumerate": "enumerate(several)", "builtins.reversed": "reversed(several)",
    "itertools.chain": "itertools.chain.from_iterable(nested)", "itertools.combinations": "itertools.combinations(several, 700_000)",
    "itertools.permutations": "itertools.permutations(several)", "itertools.product": "itertools.product(*nested)", "itertools.islice": "itertools.islice(span, 10 ** 11, None)",
    "itertools.combinations_with_replacement": "itertools.combinations_with_replacement(several, 700_000)", "itertools.cycle": "itertools.cycle(several)",
    "itertools.tee": "itertools.tee(several, 1)[0]", "operator.itemgetter": "operator.itemgetter(*several[:200_000])", "functools.partial": "functools.partial(max, *several)",
    "unicodedata.UCD": "unicodedata.ucd_3_2_0", "builtins.BaseExceptionGroup": "ExceptionGroup('x', [ValueError()] * 3_000_000)",
    "types.GenericAlias": "list[tuple(words)]", "types.SimpleNamespace": "__import__('types').SimpleNamespace(**names)",
    "xml.parsers.expat.XMLParserType": "__import__('xml.parsers.expat').parsers.expat.ParserCreate()",
}
# Nothing to try, or what a run cannot do.
LEFT_OUT = {"__init_subclass__", "__class__", "__doc__", "__delattr__", "__setattr__", "__class_getitem__", "__subclasshook__", "__reduce__", "__instancecheck__", "__subclasscheck__",
            "set_sentinel", "start_new_thread", "call_in_thread", "join_threads", "_at_fork_reinit", "_wait", "read", "names"}
ARITY = re.compile(r"takes|expected|required argument|missing")
CALL = "_result = _f(*_args, **_names)"
THIRDS = ("million", "letter", "same", "numbers", "none")
KEYWORDS = {
    "str.split": [{"maxsplit": "million"}], "sorted": [{"key": "none", "reverse": "two"}], "int.to_bytes": [{"signed": "two"}],
}


class Sweep:
    """All calls, in one session."""

    def __init__(self, seconds: float, late: float, only: tuple[str, ...], sample: float = 1) -> None:
        self.seconds, self.late, self.only = seconds, late, only
        self.sample, self.random = sample, random.Random(0)
        self.session = kr.Runtime(limits=kr.Limits(seconds=600, memory="4GB")).session()
        self.names = self.session._namespace
        self.session.run(SETUP, check=True)
        self.session.run("import decimal\ndecimal.getcontext().prec = 9_000", check=True)
        for name, source in VALUES.items():
            if name != source:
                self.session.run(f"{name} = {source}", check=True)
        self.sizes = {name: self.size(self.names[name]) for name in VALUES}
        gc.collect()
        gc.freeze()
        self.limits = kr.Limits(seconds=seconds, memory=self.session._heap.live + MEMORY)
        self.calls = 0
        self.found: dict[str, tuple[float, str]] = {}

    def size(self, value: object) -> object:
        """What tells that a value was changed, for those that can be."""
        return len(value) if hasattr(value, "__len__") and hasattr(value, "clear") or isinstance(value, bytearray) else None

    def mend(self) -> None:
        """Make anew what a call has changed."""
        for name in self.given:
            if self.size(self.names[name]) != self.sizes[name] or name in ("buffer", "lines", "shuffled", "changing"):
                self.session.run(f"{name} = {VALUES[name]}")

    def call(self, title: str, make: str | None, function: object, arguments: tuple[str, ...], keywords: dict[str, str] | None = None) -> bool:
        """One call; returns whether it takes so many arguments. make: source of the object whose attribute `function` is called."""
        self.given = arguments
        names = self.names
        if make is not None:
            names["_object"] = None
            self.session.run(f"_object = {make}", check=True)
            function = getattr(names["_object"], function)
        names["_f"], names["_args"], names["_names"] = function, tuple(names[each] for each in arguments), {k: names[v] for k, v in (keywords or {}).items()}
        begun = time.thread_time()
        error = self.session.run(CALL, limits=self.limits).error
        used = time.thread_time() - begun
        self.calls += 1
        names["_result"] = names["_args"] = names["_f"] = None
        self.mend()
        if used > self.seconds + self.late:
            text = f"{title}({', '.join(arguments)})"
            if used > self.found.get(title, (0.0, ""))[0]:
                self.found[title] = (used, text)
        return error is None or error.type != "TypeError" or ARITY.search(error.message) is None

    def combinations(self, method: bool):
        """Names of arguments, by their number: all of one, and some of two and three."""
        second = ("none", "million", "letter", "same", "numbers", "data", "tall")
        yield [()]
        yield [(each,) for each in VALUES]
        if method:
            yield list(itertools.product(second, second))
        else:
            yield list(itertools.product(VALUES, ("million", "letter", "octet", "same", "several", "data", "odd", "tall")))
        yield list(itertools.product(THIRDS, repeat=3))

    def try_all(self, title: str, make: str | None, function: object, number: int) -> None:
        """Calls with every number of arguments that it takes."""
        for group in self.combinations(make is not None):
            if any(self.call(title, make, function, group[at]) for at in {0, len(group) // 2, len(group) - 1}):
                for arguments in group:
                    if len(arguments) < 2 or self.random.random() < self.sample:
                        self.call(title, make, function, arguments)
        self.tell(title, number)

    def methods(self):
        """(title, source of the object, name) of all methods of the listed types of which there is an example."""
        for key, source in OBJECTS.items():
            listed = key.partition("#")[0]
            if self.session.run(f"_object = {source}").error is not None:
                print(f"no example of {key}")
                continue
            kind = type(self.names["_object"])
            self.names["_object"] = None
            for name in sorted(set(dir(kind))):
                if name in LEFT_OUT or not callable(getattr(kind, name, None)) or getattr(kind, name) is getattr(object, name, None):
                    continue
                if name in exposure.UNDERSCORED or name in exposure.HOST.get(listed, name).split():
                    yield f"{key}.{name}", source, name

    def functions(self):
        """(title, function) of all functions of native modules, and builtins."""
        for name, entry in sorted(catalog.ENTRIES.items()):
            if isinstance(entry, Native) and name not in ("posix", "_threads", "_asyncio", "_zones"):
                try:
                    module = loader.find(self.session._context.library_side(), name)
                except ImportError:
                    continue
                for each, function in sorted(vars(module).items() if module is not None else ()):
                    if callable(function) and each not in LEFT_OUT and not each.startswith("__"):
                        yield f"{name}.{each}", function
        self.session.run("import builtins, math, time\n_modules = builtins, math, time", check=True)
        for module in self.names["_modules"]:
            for each, function in sorted(vars(module).items()):
                if callable(function) and each not in ("sleep", "input", "breakpoint", "help", "exit", "quit", "exec", "eval", "compile", "__import__", "__build_class__", "open"):
                    yield f"{module.__name__}.{each}", function

    def run(self, part: int = 0, parts: int = 1, after: int = 0) -> None:
        """Try everything, or each n-th callable."""
        number = 0
        for title, source, name in self.methods():
            number += 1
            if number > after and number % parts == part and (not self.only or any(each in title for each in self.only)):
                self.try_all(title, source, name, number)
        for title, function in self.functions():
            number += 1
            if number > after and number % parts == part and (not self.only or any(each in title for each in self.only)):
                self.try_all(title, None, function, number)

    def tell(self, title: str, number: int) -> None:
        """Print the worst call of a callable that was late."""
        if title in self.found:
            print(f"{self.found[title][0]:7.3f} s  {self.found[title][1]}  #{number}", flush=True)


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--late", type=float, default=0.05)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--part", default="0/1", help="every n-th callable only")
    parser.add_argument("--after", type=int, default=0, help="how many callables to leave out at the beginning")
    parser.add_argument("--sample", type=float, default=1, help="how much of the calls with two and three arguments to try")
    options = parser.parse_args()
    part, _, parts = options.part.partition("/")
    sweep, begun = Sweep(options.seconds, options.late, tuple(options.only), options.sample), time.monotonic()
    sweep.run(int(part), int(parts), options.after)
    print(f"{sweep.calls} calls in {time.monotonic() - begun:.0f} s, {len(sweep.found)} callables late")
    return min(len(sweep.found), 100)


if __name__ == "__main__":
    sys.exit(main())
