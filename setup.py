"""Build script: cythonizes every ``.pyx`` module of the package.

Environment switches:
  KIMI_DEV=1     quick builds for development (``-O1``)
  KIMI_ASSERT=1  keep C asserts (the debug build of ``make test-debug``)
  KIMI_PGO       "generate" for a build that writes profiles beside its object files, "use" for one that takes them (gcc)
  KIMI_JOBS=N    parallel jobs, two unless said
"""
import os
import pathlib
import re
import runpy
import shutil
import sys

if sys.implementation.name != "cpython" or not (3, 11) <= sys.version_info[:2] < (3, 14):
    sys.exit("kimi_runtime needs CPython 3.11, 3.12 or 3.13, and %s is %s %d.%d: use one of those"
             % (sys.executable, sys.implementation.name, sys.version_info[0], sys.version_info[1]))

from Cython.Build import cythonize
from Cython.Compiler import Errors
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).parent
DEV = bool(os.environ.get("KIMI_DEV"))
ASSERT = bool(os.environ.get("KIMI_ASSERT"))
JOBS = int(os.environ.get("KIMI_JOBS", "2"))

CFLAGS = [
    "-O1" if DEV else "-O2",
    "-fno-strict-aliasing",
    "-fvisibility=hidden",
    "-Wno-unused-function",
    "-Wno-unused-variable",
    "-Wno-unreachable-code",
    "-Wno-cpp",
    "-Wno-maybe-uninitialized",
    "-Wno-sign-compare",
]
# Lists of free objects would keep blocks, and with them pages, of heaps of guests that have ended.
CFLAGS += ["-DCYTHON_USE_FREELISTS=0"]
CFLAGS += ["-UNDEBUG", "-g"] if ASSERT else [] if "-g" in os.environ.get("CFLAGS", "").split() else ["-g0"]

PGO = os.environ.get("KIMI_PGO", "")
PGO_FLAGS = {
    "": [],
    # Extension modules share no counters, and guests run in threads too.
    "generate": ["-fprofile-generate", "-fprofile-update=prefer-atomic"],
    "use": ["-fprofile-use", "-fprofile-correction", "-Wno-missing-profile", "-Wno-coverage-mismatch"],
}[PGO]
CFLAGS += PGO_FLAGS

# Per instruction every call counts, so what the core declares inline is inlined for certain.
# Jump tables inside the body of an instruction would be second indirect jumps, which processors predict badly.
CORE_CFLAGS = [] if DEV else [
    "-DCYTHON_INLINE=inline __attribute__((always_inline))", "-fno-plt", "-fno-tree-slp-vectorize", "-fno-jump-tables"]
# What bodies have in common (the address of a register, say) is not worth a machine register from one to the next: the
# loop's own variables need those. The flags are gcc's.
if CORE_CFLAGS and sys.platform == "linux" and "clang" not in os.environ.get("CC", ""):
    CORE_CFLAGS += ["-fno-gcse", "-fno-tree-pre", "-fno-code-hoisting"]
    # Jumps go everywhere: what aligns their targets is more code in the processor's cache (3 % of it, 1 % of the time).
    CORE_CFLAGS += ["-fno-align-loops", "-fno-align-jumps", "-fno-align-labels"]

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "always_allow_keywords": True,
    "embedsignature": False,
    "binding": True,
    "warn.unreachable": False,      # branches of stamped instruction bodies
}


def extensions():
    """One extension per ``.pyx`` file, the largest first so that two jobs end together; the module name follows the
    path."""
    found = []
    for path in sorted(ROOT.glob("kimi_runtime/**/*.pyx"), key=lambda p: (-weight(p), p)):
        relative = path.relative_to(ROOT)
        name = ".".join(relative.with_suffix("").parts)
        found.append(
            Extension(
                name,
                [str(relative)],
                include_dirs=["kimi_runtime/vm", "kimi_runtime/memory"],
                extra_compile_args=CFLAGS + (CORE_CFLAGS if path.stem == "_core" else []),
                extra_link_args=PGO_FLAGS[:1],
            )
        )
    return found


def weight(path):
    """What a module costs to compile: the core pastes in the fragments of kimi_runtime/vm, so it is the largest."""
    return path.stat().st_size + (10**9 if path.stem == "_core" else 0)


class build_compiled(build_ext):
    """``build_ext`` that compiles JOBS modules at a time, through ccache where that is installed."""

    def finalize_options(self):
        super().finalize_options()
        self.parallel = self.parallel or JOBS

    def build_extensions(self):
        compiler = self.compiler
        command = getattr(compiler, "compiler_so", None)
        if command and "CC" not in os.environ and shutil.which("ccache") and "ccache" not in command[0]:
            compiler.set_executable("compiler_so", ["ccache", *command])
        super().build_extensions()


def generate_loop():
    """Writes the interpreter loop from its fragments; the result is not kept in version control."""
    if (ROOT / "kimi_runtime/vm/instructions").exists():
        runpy.run_path(str(ROOT / "tools/gen_loop.py"))["generate"]()


def mend_saved_exceptions(path):
    """Makes a ``try`` of a generated C file put back what it found. Cython's saves the exception that is handled anywhere
    further out and puts that into the innermost generator or coroutine, whose later exceptions it then is the context of."""
    text = path.read_text(encoding="utf-8")
    begin = text.find("static CYTHON_INLINE void __Pyx__ExceptionSave(PyThreadState *tstate, PyObject **type, PyObject **value, "
                      "PyObject **tb) {")
    end = text.find("\n}\n", begin)
    mended = text[begin:end].replace("= __Pyx_PyErr_GetTopmostException(tstate);", "= tstate->exc_info;")
    if begin >= 0 and mended != text[begin:end]:
        path.write_text(text[:begin] + mended + text[end:], encoding="utf-8")


def mend_missing_tracebacks(path):
    """Makes a ``try`` of a generated C file take exceptions without a traceback, as CPython raises them when there is no memory
    for one: to Cython's, which lets go of it unseen, None is the missing traceback then."""
    text = path.read_text(encoding="utf-8")
    caught = "    *tb = local_tb;\n"
    raised = "void __Pyx_ErrRestoreInState(PyThreadState *tstate, PyObject *type, PyObject *value, PyObject *tb) {\n"
    if caught not in text:      # no `try` in it, or mended before
        return
    if text.count(caught) != 1 or text.count(raised) != 1:
        sys.exit(f"{path}: Cython catches exceptions in another way: see mend_missing_tracebacks in setup.py")
    text = text.replace(caught, "    *tb = local_tb ? local_tb : Py_NewRef(Py_None);\n")
    path.write_text(text.replace(raised, raised + "    if (tb == Py_None) { Py_DECREF(tb); tb = NULL; }\n"), encoding="utf-8")


def keep_tracebacks_from_heaps(path):
    """Makes a generated C file take the code objects that stand for its lines in tracebacks from the host's memory. They are
    made when an error first comes from a line, mostly while a guest runs, and stay for the process."""
    text = path.read_text(encoding="utf-8")
    begin = text.rfind("static void __Pyx_AddTraceback(const char *funcname, int c_line,")
    end = text.find("\n}\n", begin)
    mended = text[begin:end]
    if begin < 0 or "KHeap" in mended:
        return
    made, kept = "    PyObject *ptype, *pvalue, *ptraceback;\n", "    py_frame = PyFrame_New(\n"
    first, last = "    if (!py_code) {\n", "        __pyx_insert_code_object(c_line ? -c_line : py_line, py_code);\n"
    if not all(mended.count(part) == 1 for part in (made, kept, last)):
        sys.exit(f"{path}: Cython writes tracebacks in another way: see keep_tracebacks_from_heaps in setup.py")
    leave, come_back = "        struct KHeap *heap = k_leave_heap();\n", "k_return_to_heap(heap);\n"
    fail = "            goto bad;\n        }\n"
    mended = mended.replace(first, first + leave, 1).replace(last, last + "        " + come_back)
    mended = mended.replace(fail, "            " + come_back + fail, 1)    # a code object that cannot be made
    path.write_text(text[:begin] + '#include "leaving.h"\n' + mended + text[end:], encoding="utf-8")


def keep_stops_from_the_host(path):
    """Makes a generated C file drop the exception of a stopped run where a function has no way to raise it: see stops.h."""
    text = path.read_text(encoding="utf-8")
    begin = text.rfind("static void __Pyx_WriteUnraisable(const char *name, int clineno,")
    end = text.find("\n}\n", begin)
    mended = text[begin:end]
    if begin < 0 or "k_is_stop" in mended:
        return
    fetched = "    __Pyx_ErrFetch(&old_exc, &old_val, &old_tb);\n"
    if mended.count(fetched) != 1:
        sys.exit(f"{path}: Cython tells of unraisable exceptions in another way: see keep_stops_from_the_host in setup.py")
    mended = mended.replace(fetched, fetched + """\
    if (k_is_stop(old_exc)) {
        Py_XDECREF(old_exc);
        Py_XDECREF(old_val);
        Py_XDECREF(old_tb);
        if (nogil)
            PyGILState_Release(state);
        return;
    }
""")
    path.write_text(text[:begin] + '#include "stops.h"\n' + mended + text[end:], encoding="utf-8")


def included_headers(path, headers):
    """Returns the paths of those of our headers that a C file includes, by way of others too. `headers`: path by name."""
    found, todo = set(), [path]
    while todo:
        for name in re.findall(r'^#include "(\w+\.h)"', todo.pop().read_text(encoding="utf-8"), re.MULTILINE):
            header = headers.get(name)
            if header is not None and header not in found:
                found.add(header)
                todo.append(header)
    return sorted(str(header.relative_to(ROOT)) for header in found)


def main():
    generate_loop()
    if not DEV:
        Errors.LEVEL = 2  # warnings are for development builds
    modules = cythonize(extensions(), compiler_directives=DIRECTIVES, nthreads=JOBS, quiet=True)
    headers = {path.name: path for path in ROOT.glob("kimi_runtime/**/*.h")}
    for module in modules:
        generated = ROOT / module.sources[0]
        mend_saved_exceptions(generated)
        mend_missing_tracebacks(generated)
        keep_tracebacks_from_heaps(generated)
        keep_stops_from_the_host(generated)
        # What is included is known once the C file is there, so that an edited header rebuilds its own modules only.
        module.depends = sorted({*module.depends, *included_headers(generated, headers)})
    setup(ext_modules=modules, cmdclass={"build_ext": build_compiled})


# Cython's worker processes import this file again where processes are spawned.
if __name__ == "__main__":
    main()
