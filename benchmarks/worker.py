"""One engine in a process of its own: takes requests on standard input, answers on standard output, one JSON a line.

Started by ``engines.py`` as ``python worker.py cpython`` with any CPython, or as ``python worker.py kimi`` with one that
can import ``kimi_runtime``. Both kinds run the same guest source with the same guest driver, which reads the guest's
own clock of processor time around each call, so that neither the pipe, nor the start of a run, nor other processes that
want the same core are in the figures.
"""

import gc
import json
import sys
import time

#: Appended to a program. `__calls` and `__entry` are put in the namespace by the worker.
DRIVER = """

def __drive(entry, calls, arguments):
    from time import process_time
    best = 1e9
    result = None
    for _ in range(calls):
        start = process_time()
        result = entry(*arguments)
        spent = process_time() - start
        if spent < best:
            best = spent
    return best, repr(result)
"""


class CPython:
    """``compile`` and ``exec`` of the CPython that runs this file."""

    name = "cpython"

    def __init__(self):
        self.description = "CPython " + sys.version.split()[0]
        self._codes = {}

    def time(self, key, source, entry, arguments, calls):
        code = self._codes.get(key)
        if code is None:
            code = self._codes[key] = compile(source + DRIVER, key, "exec")
        space = {"__name__": "__bench__"}
        exec(code, space)
        return space["__drive"](space[entry], calls, arguments)

    def run(self, source, filename, modules, lent):
        import contextlib
        import io
        import types

        for name, text in modules.items():
            module = types.ModuleType(name)
            exec(compile(text, name + ".py", "exec"), module.__dict__)
            sys.modules[name] = module
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(source, filename, "exec"), {"__name__": "__main__", "__file__": filename})
        return out.getvalue()

    def compiler(self):
        return lambda source: compile(source, "<guest>", "exec")

    def parser(self):
        import ast

        return lambda source: ast.parse(source)

    def one_plus_one(self, count):
        clock = time.perf_counter
        start = clock()
        for _ in range(count):
            eval(compile("1+1", "<guest>", "eval"), {})
        return (clock() - start) / count


class Kimi:
    """``kimi_runtime``, imported from the environment or from the checkout above this file."""

    name = "kimi"

    def __init__(self):
        import os

        sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        sys.path += sys.argv[2:]  # where the starting interpreter has what kimi_runtime requires
        import kimi_runtime

        self._kimi = kimi_runtime
        self.description = "kimi_runtime {} on CPython {}".format(
            getattr(kimi_runtime, "__version__", "?"),
            sys.version.split()[0],
        )

    def time(self, key, source, entry, arguments, calls, limits=()):
        # The call comes last, as in a notebook cell, and is the value of the run.
        program = f"{source}{DRIVER}\n__drive({entry}, __calls, __arguments)\n"
        inputs = {"__calls": calls, "__arguments": tuple(arguments)}
        result = self._kimi.run(program, inputs, filename=key, limits=self.limits(limits))
        return checked(result).value

    def limits(self, given):
        """None for no limits; else the defaults, but for those that are given as (name, value)."""
        return None if given is None else self._kimi.Limits(**dict(given))

    def run(self, source, filename, modules, lent):
        import importlib

        host_modules = {}
        for name in lent:
            host_modules[name] = importlib.import_module(name)
        runtime = self._kimi.Runtime(modules_source=modules, host_modules=host_modules, limits=None)
        result = runtime.run(source, {"__file__": filename}, filename=filename)
        return checked(result).stdout

    def compiler(self):
        from kimi_runtime.bytecode.compiler import compile_source

        return lambda source: compile_source(source, "<guest>", "notebook")

    def parser(self):
        from kimi_runtime.syntax.parser import parse

        return lambda source: parse(source, "<guest>", "exec")

    def one_plus_one(self, count, limits=()):
        run = self._kimi.Runtime(limits=self.limits(limits)).run
        run("1+1")
        clock = time.perf_counter
        start = clock()
        for _ in range(count):
            run("1+1")
        return (clock() - start) / count


def checked(result):
    if not result.ok:
        raise RuntimeError(result.error.traceback)
    return result


def time_sources(function, sources):
    """Times function(source) for each source once.

    Returns: seconds per source: the mean of the batch without its slowest tenth, which other processes disturbed.
    """
    clock = time.perf_counter
    spent = []
    for source in sources:
        start = clock()
        function(source)
        spent.append(clock() - start)
    spent.sort()
    kept = spent[: max(1, len(spent) * 9 // 10)]
    return sum(kept) / len(kept)


def answer(engine, request):
    kind = request["do"]
    if kind == "describe":
        return {"description": engine.description}
    limits = {"limits": request["limits"]} if "limits" in request else {}
    if kind == "time":
        best, result = engine.time(
            request["key"], request["source"], request["entry"], request["arguments"], request["calls"], **limits
        )
        return {"seconds": best, "result": result}
    if kind == "run":
        return {"output": engine.run(request["source"], request["filename"], request["modules"], request["lent"])}
    if kind == "sources":
        function = engine.compiler() if request["stage"] == "compile" else engine.parser()
        return {"seconds": time_sources(function, request["sources"])}
    if kind == "one_plus_one":
        return {"seconds": engine.one_plus_one(request["count"], **limits)}
    raise ValueError("unknown request " + kind)


def main():
    engine = Kimi() if sys.argv[1] == "kimi" else CPython()
    # Guest prints must not get into the protocol: it keeps the real standard output for itself.
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        try:
            reply = answer(engine, json.loads(line))
        except Exception as error:
            import traceback

            reply = {"failed": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
        out.write(json.dumps(reply) + "\n")
        out.flush()
        gc.collect()


if __name__ == "__main__":
    main()
