"""Guest stand-in for the part of `pyperf` that the pyperformance programs call.

Runs on both engines. It imports nothing but `time`. Each benchmark prints one line: BENCH, name, seconds per loop, and
the result of the call where it says something.
"""
from time import process_time as perf_counter  # processor time: other processes may want the core

CALLS = 3
#: A timed call lasts at least this long; the number of loops is doubled until it does.
LEAST_SECONDS = 0.002


def python_implementation():
    return "cpython"


class _Arguments:
    pass


class _Parser:
    """Takes the declared defaults: no command line reaches a guest."""

    def __init__(self):
        self.values = _Arguments()

    def add_argument(self, *names, default=None, action=None, choices=None, nargs=None, **options):
        if action == "store_true":
            default = False
        if choices and default is None and nargs is None:
            default = sorted(choices)[0]
        longest = names[0]
        for name in names:
            if name.startswith("--"):
                longest = name
        setattr(self.values, longest.lstrip("-").replace("-", "_"), default)

    def add_argument_group(self, *names):
        return self


class Runner:
    def __init__(self, **options):
        self.metadata = {}
        self.argparser = _Parser()
        self.args = self.argparser.values

    def parse_args(self, *ignored):
        return self.args

    def bench_time_func(self, name, function, *args, inner_loops=1, **options):
        loops = 1
        best = function(loops, *args)
        while best < LEAST_SECONDS and loops < 1000000:
            loops = loops * 2
            best = function(loops, *args)
        best = best / loops
        for _ in range(CALLS - 1):
            best = min(best, function(loops, *args) / loops)
        print("BENCH", name, best / inner_loops, "-")

    def bench_func(self, name, function, *args, inner_loops=1, **options):
        results = []

        def loop(loops):
            start = perf_counter()
            for _ in range(loops):
                result = function(*args)
            spent = perf_counter() - start
            results.append(result)
            return spent

        loops = 1
        best = loop(loops)
        while best < LEAST_SECONDS and loops < 1000000:
            loops = loops * 2
            best = loop(loops)
        best = best / loops
        for _ in range(CALLS - 1):
            best = min(best, loop(loops) / loops)
        # What the first call gave: later ones may go on from changed state, and the engines differ in their number.
        first = results[0]
        shown = repr(first).replace(" ", "") if isinstance(first, (int, float, str, tuple)) else "-"
        print("BENCH", name, best / inner_loops, shown)
