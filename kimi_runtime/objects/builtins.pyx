# cython: binding=False, wraparound=True, boundscheck=True
"""The guest's builtins.

Most are the host's own C functions and types, which know nothing of frames.  What looks at the running frame, compiles,
imports, reads or writes is ours.  Missing on purpose: the helpers of ``site``.
"""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.bytecode.code cimport Code
from kimi_runtime.objects.context cimport (
    MOST_PARTS, ContextFunction, OutputBudget, OutputStream, RunContext, by_library, current_context, current_stdin, current_stdout,
    guest_context, new_context_function)
from kimi_runtime.objects.function cimport Cell, hooks, named_arguments
from kimi_runtime.objects.identity cimport identity
from kimi_runtime.objects.slots cimport type_name_of

import builtins as host_builtins
import errno
import sys
from functools import lru_cache

from kimi_runtime.bytecode.tree_options import refuse_type_comments
from kimi_runtime.objects import async_state  # no-cython-lint: sets the hooks of coroutines
from kimi_runtime.objects.class_builder import __build_class__, freeze_class
from kimi_runtime.objects.imports import import_module, library_module
from kimi_runtime.syntax.source import Evaluated
from kimi_runtime.objects.streams import read_answer

cdef extern from "Python.h":
    PyObject *PyTuple_GET_ITEM(PyObject *t, Py_ssize_t i) noexcept
    Py_ssize_t PyTuple_GET_SIZE(PyObject *t) noexcept
    size_t VECTORCALL_OFFSET_FLAG "PY_VECTORCALL_ARGUMENTS_OFFSET"
    object PyObject_Str(object o)
    bint PyMapping_Check(object o)
    bint PyDict_Check(object o)
    int PyDict_SetItem(object d, object key, object value) except -1
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    void Py_INCREF(PyObject *o) noexcept
    void Py_DECREF(PyObject *o) noexcept

cdef extern from *:
    """
    static int k_builtin_failed(void) { return -1; }
    """
    int raise_pending "k_builtin_failed"() except -1

cdef dict gated_builtins = {}
cdef object vars_of = host_builtins.vars
cdef object dir_of = host_builtins.dir


def use_gate(dict functions, vars_function, dir_function):
    """Called by the gate: the builtins that read attributes by name, and what ``vars(o)`` and ``dir(o)`` do."""
    global vars_of, dir_of
    gated_builtins.update(functions)
    vars_of = vars_function
    dir_of = dir_function


cdef set LEFT_OUT = {
    "open", "input", "breakpoint", "exit", "quit", "help", "license", "credits", "copyright", "_",
    "__loader__", "__spec__", "__build_class__", "__import__", "eval", "exec", "compile", "globals", "locals", "vars",
    "dir", "print"}


# ---- the running frame -----------------------------------------------------------------------
cdef object frame_globals():
    cdef PyObject *found = hooks.frame_globals() if hooks.frame_globals != NULL else NULL
    if found == NULL:
        raise SystemError("no guest frame is running")
    return <object>found


cdef object frame_locals():
    frame_globals()                 # else there is no frame
    cdef PyObject *found = hooks.frame_locals(0)
    if found == NULL:
        raise_pending()
    result = <object>found
    Py_DECREF(found)
    return result


def globals():
    """Return the dictionary containing the current scope's global variables."""
    return frame_globals()


def locals():
    """Return a dictionary containing the current scope's local variables."""
    return frame_locals()


cdef int refuse_keywords(str called, dict keywords) except -1:
    if keywords:
        raise TypeError(f"{called}() takes no keyword arguments")
    return 0


def vars(*args, **keywords):
    """vars([object]) -> dictionary

Without arguments, equivalent to locals().
With an argument, equivalent to object.__dict__."""
    refuse_keywords("vars", keywords)
    if not args:
        return frame_locals()
    if len(args) == 1:
        return vars_of(args[0])
    return host_builtins.vars(*args)


def dir(*args, **keywords):
    """dir([object]) -> list of strings

If called without an argument, return the names in the current scope."""
    refuse_keywords("dir", keywords)
    if not args:
        return sorted(frame_locals().keys())
    return dir_of(args[0]) if len(args) == 1 else host_builtins.dir(*args)


# ---- source to result ------------------------------------------------------------------------
cdef object compiler = None
cdef object is_tree = None, parse_to_tree = None, tree_of_guest = None
cdef enum:
    ONLY_AST = 0x400
    TYPE_COMMENTS = 0x1000
    OPTIMIZED_AST = 0x8000


def use_trees(recognize, parse, convert):
    """Called by the library: what ``compile`` does with syntax trees of a guest.

    recognize: function(object) -> whether it is one.  parse: function(source, filename, mode, warnings, version) -> one, version: of Python, or -1.
    convert: function(tree, mode) -> a tree of the parser's nodes.
    """
    global is_tree, parse_to_tree, tree_of_guest
    is_tree = recognize
    parse_to_tree = parse
    tree_of_guest = convert


cdef int need_trees() except -1:
    """What calls use_trees is loaded when the first guest asks for a tree."""
    cdef RunContext context = current_context()
    if is_tree is None:
        if context is None:
            raise ValueError("compile(): trees are there for guests only")
        library_module(context, "_ast")
    return 0


def set_compiler(function):
    """Sets what ``eval``, ``exec`` and ``compile`` use: function(source, filename, mode, flags) -> code object."""
    global compiler
    compiler = function


cdef object compile_source(source, filename, mode, flags):
    if compiler is None:
        set_compiler(default_compiler())
    return compiler(source, filename, mode, flags)


def default_compiler():
    """The pipeline of this package as a function for ``set_compiler``.

    The code does not keep its source: tracebacks show no lines for what ``eval`` and ``exec`` ran, as in CPython.
    """
    from kimi_runtime.bytecode.compiler import compile_tree
    from kimi_runtime.syntax.parser import parse
    from kimi_runtime.syntax.source import decode_source

    def run(source, filename, mode, flags):
        if type(source) is not str:
            source = decode_source(source, filename)
        warnings = []
        tree = parse(source, filename, mode, warnings)
        code = compile_tree(tree, filename, mode=mode, source=None, flags=flags, warnings=warnings)
        keep_text(code, Evaluated(source, mode, flags, 0))
        if warnings:
            issue_warnings(warnings, filename, source)
        return code
    return run


cdef int keep_text(Code code, text) except -1:
    """Notes what code was compiled from."""
    code.source = text
    for each in code.const_objects:
        if type(each) is Code:
            keep_text(<Code>each, text)
    if code.continuation is not None:
        keep_text(code.continuation, text)
    return 0


def compile_again(str text not None, str filename not None, str mode not None, flags, level):
    """Code as a guest's `exec`, `eval` or `compile` made it, without the warnings of its compilation: see ``Evaluated``."""
    from kimi_runtime.bytecode.compiler import compile_tree
    from kimi_runtime.bytecode.tree_options import optimize
    from kimi_runtime.syntax.parser import parse
    tree = parse(text, filename, mode, [])
    code = compile_tree(optimize(tree, level) if level > 0 else tree, filename, mode=mode, source=None, flags=flags, warnings=[])
    keep_text(code, Evaluated(text, mode, flags, level))
    return code


cdef int issue_warnings(list warnings, filename, source) except -1:
    """Passes the compiler's warnings to the guest's ``warnings`` module, or writes them to its stderr.

    warnings: (category name, message, line, column).  SyntaxError when the module turns one into an error.
    """
    cdef RunContext context = current_context()
    cdef list lines = source.splitlines()
    module = None if context is None else context.modules.get("warnings")
    for name, message, line, column in warnings:
        category = getattr(host_builtins, name)
        text = lines[line - 1] if 1 <= line <= len(lines) else ""
        if module is None:
            # CPython's default filters hide the deprecations of other modules than __main__.
            if context is not None and category is SyntaxWarning:
                context.err.put(f"{filename}:{line}: {name}: {message}\n")
            continue
        try:
            module.warn_explicit(message, category, filename, line)
        except category:
            raise SyntaxError(message, (filename, line, column + 1, text)) from None
    return 0


cdef object source_text(source, str what):
    """The source as str or bytes; TypeError when it is neither."""
    if isinstance(source, (str, bytes)):
        return source
    if isinstance(source, (bytearray, memoryview)):
        return bytes(source)
    raise TypeError(f"{what} must be a string, bytes or code object")


cdef object run(code, globals, locals, closure):
    cdef PyObject *cells = NULL if closure is None else <PyObject *>closure
    cdef PyObject *result = hooks.run_code(<PyObject *>code, <PyObject *>globals, <PyObject *>locals, cells)
    if result == NULL:
        raise_pending()
    value = <object>result
    Py_DECREF(result)
    return value


def eval(*args, **keywords):
    """Evaluate the given source in the context of globals and locals.

The source may be a string representing a Python expression
or a code object as returned by compile().
The globals must be a dictionary and locals can be any mapping,
defaulting to the current globals and locals.
If only globals is given, locals defaults to it."""
    source, globals, locals = three_arguments("eval", args, keywords)
    if locals is not None and not PyMapping_Check(locals):
        raise TypeError("locals must be a mapping")
    if globals is not None and not PyDict_Check(globals):
        raise TypeError("globals must be a real dict; try eval(code, {}, mapping)" if PyMapping_Check(globals)
                        else "globals must be a dict")
    if globals is None:
        globals = frame_globals()
        if locals is None:
            locals = frame_locals()
    elif locals is None:
        locals = globals
    if isinstance(source, Code):
        if (<Code>source).nfree:
            raise TypeError("code object passed to eval() may not contain free variables")
        code = source
    else:
        source = source_text(source, "eval() arg 1")
        code = compile_source(source.lstrip(" \t" if isinstance(source, str) else b" \t"), "<string>", "eval", 0)
    return run(runnable(code), globals, locals, None)


def exec(*args, closure=None, **keywords):
    """Execute the given source in the context of globals and locals.

The source may be a string representing one or more Python statements
or a code object as returned by compile().
The globals must be a dictionary and locals can be any mapping,
defaulting to the current globals and locals.
If only globals is given, locals defaults to it.
The closure must be a tuple of cellvars, and can only be used
when source is a code object requiring exactly that many cellvars."""
    source, globals, locals = three_arguments("exec", args, keywords)
    if globals is None:
        globals = frame_globals()
        if locals is None:
            locals = frame_locals()
    elif locals is None:
        locals = globals
    if not PyDict_Check(globals):
        raise TypeError(f"exec() globals must be a dict, not {type_name_of(globals)}")
    if not PyMapping_Check(locals):
        raise TypeError(f"locals must be a mapping or None, not {type_name_of(locals)}")
    if isinstance(source, Code):
        code = source
        nfree = (<Code>code).nfree
        if nfree == 0:
            if closure is not None:
                raise TypeError("cannot use a closure with this code object")
        elif type(closure) is not tuple or len(closure) != nfree or any([type(cell) is not Cell for cell in closure]):
            raise TypeError(f"code object requires a closure of exactly length {nfree}")
    else:
        if closure is not None:
            raise TypeError("closure can only be used when source is a code object")
        source = source_text(source, "exec() arg 1")
        code = compile_source(source, "<string>", "exec", 0)
    run(runnable(code), globals, locals, closure)


cdef Code runnable(code):
    """The code, unless it is none that can run in a namespace."""
    if (<Code>code).instrs == NULL or (<Code>code).nparams:
        raise TypeError("this code object needs arguments; it can only be run as a function")
    return code


cdef bint KEYWORDS_ALLOWED = sys.version_info >= (3, 13)     # eval(source, globals=...)


cdef tuple three_arguments(str name, tuple args, dict keywords):
    """(source, globals or None, locals or None) as eval and exec take them; keywords are new in 3.13."""
    globals = locals = None
    if keywords and name == "eval" and not KEYWORDS_ALLOWED:
        raise TypeError("eval() takes no keyword arguments")
    if not args:
        if name == "exec" or KEYWORDS_ALLOWED:
            raise TypeError(f"{name}() takes at least 1 positional argument (0 given)")
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if len(args) > 3:
        if name == "exec":
            raise TypeError(f"exec() takes at most 3 positional arguments ({len(args)} given)")
        raise TypeError(f"eval() takes at most 3 arguments ({len(args)} given)" if KEYWORDS_ALLOWED
                        else f"eval expected at most 3 arguments, got {len(args)}")
    for key, value in keywords.items():
        position = ("globals", "locals").index(key) + 1 if key in ("globals", "locals") else 0
        if not position or not KEYWORDS_ALLOWED:
            raise TypeError(f"{name}() got an unexpected keyword argument '{key}'" if KEYWORDS_ALLOWED
                            else f"'{key}' is an invalid keyword argument for exec()")
        if len(args) > position:
            raise TypeError(f"argument for {name}() given by name ('{key}') and position ({position + 1})")
        if position == 1:
            globals = value
        else:
            locals = value
    if len(args) > 1:
        globals = args[1]
    if len(args) > 2:
        locals = args[2]
    return args[0], globals, locals


def compile(*args, **keywords):
    """Compile source into a code object that can be executed by exec() or eval().

The source code may represent a Python module, statement or expression.
The filename will be used for run-time error messages.
The mode must be 'exec' to compile a module, 'single' to compile a
single (interactive) statement, or 'eval' to compile an expression."""
    cdef list values = named_arguments("compile", COMPILE_NAMES, 6, 3, [None, None, None, 0, False, -1, -1], args, keywords)
    if not isinstance(values[6], int):
        raise TypeError(f"'{type_name_of(values[6])}' object cannot be interpreted as an integer")
    return do_compile(values[0], values[1], values[2], values[3], values[5], values[6])


cdef tuple COMPILE_NAMES = ("source", "filename", "mode", "flags", "dont_inherit", "optimize", "_feature_version")


# PyCF_MASK, TYPE_COMMENTS, ONLY_AST, OPTIMIZED_AST and the flags of __future__.
cdef enum:
    KNOWN_FLAGS = 0x1FFF40F | 0x8000


cdef object compile_optimized(source, str filename, str mode, flags, int level):
    """Code as the option -O (level 1) or -OO (2) of CPython has it."""
    from kimi_runtime.bytecode.compiler import compile_tree
    from kimi_runtime.bytecode.tree_options import optimize
    from kimi_runtime.syntax.parser import parse
    from kimi_runtime.syntax.source import decode_source
    if not isinstance(source, str):
        source = decode_source(source, filename)
    warnings = []
    tree = optimize(parse(source, filename, mode, warnings), level)
    code = compile_tree(tree, filename, mode=mode, source=None, flags=flags, warnings=warnings)
    keep_text(code, Evaluated(source, mode, flags, level))
    if warnings:
        issue_warnings(warnings, filename, source)
    return code


cdef object compile_tree_of_guest(source, filename, mode, flags, int level):
    from kimi_runtime.bytecode.compiler import compile_tree
    from kimi_runtime.bytecode.tree_options import optimize
    warnings = []
    tree = tree_of_guest(source, mode)
    code = compile_tree(optimize(tree, level) if level > 0 else tree, filename, mode=mode, source=None, flags=flags, warnings=warnings)
    if warnings:
        issue_warnings(warnings, filename, "")
    return code


cdef object do_compile(source, filename, mode, flags, optimize, version):
    if isinstance(filename, (bytes, bytearray)):
        filename = bytes(filename).decode("utf-8", "surrogateescape")
    elif not isinstance(filename, str):
        path = getattr(type(filename), "__fspath__", None)
        if path is None:
            raise TypeError(f"expected str, bytes or os.PathLike object, not {type_name_of(filename)}")
        filename = path(filename)
    if not isinstance(mode, str):
        raise TypeError(f"compile() argument 'mode' must be str, not {type_name_of(mode)}")
    if not isinstance(flags, int):
        raise TypeError(f"'{type_name_of(flags)}' object cannot be interpreted as an integer")
    if flags & ~KNOWN_FLAGS or optimize not in (-1, 0, 1, 2):
        raise ValueError("compile(): unrecognised flags" if flags & ~KNOWN_FLAGS else "compile(): invalid optimize value")
    if mode not in ("exec", "eval", "single"):
        raise ValueError("compile() mode must be 'exec', 'eval' or 'single'")
    if isinstance(source, Code):
        return source
    if not isinstance(source, (str, bytes, bytearray, memoryview)):
        if is_tree is None or not is_tree(source):
            raise TypeError("compile() arg 1 must be a string, bytes or AST object")
        if flags & ONLY_AST:
            return source
        return compile_tree_of_guest(source, filename, mode, flags, optimize)
    if not isinstance(source, (str, bytes)):
        source = bytes(source)
    if flags & ONLY_AST:
        if flags & OPTIMIZED_AST and optimize > 0:
            raise ValueError("compile(): optimized trees are not supported")
        if flags & TYPE_COMMENTS:
            refuse_type_comments(source)
        need_trees()
        return parse_to_tree(source, filename, mode, None, version)
    if optimize > 0:
        return compile_optimized(source, filename, mode, flags, optimize)
    return compile_source(source, filename, mode, flags)


# ---- print -----------------------------------------------------------------------------------
cdef str SPACE = " ", NEWLINE = "\n", EMPTY = ""
PRINT_DOC = """Prints the values to a stream, or to sys.stdout by default.

  sep
    string inserted between values, default a space.
  end
    string appended after the last value, default a newline.
  file
    a file-like object (stream); defaults to the current sys.stdout.
  flush
    whether to forcibly flush the stream."""


cdef object as_text(PyObject *o):
    return <object>o if type(<object>o) is str else PyObject_Str(<object>o)


cdef bint fits(OutputBudget budget, str text):
    """Takes a line out of the budget if there is room and its size is plain to see."""
    cdef Py_ssize_t size
    if hooks.stopped():
        return False
    if budget is None:
        return True
    size = len(text) + 1
    if size > budget.left or not text.isascii():
        return False
    budget.left -= size
    return True


cdef int put_line(OutputStream stream, str text, str end) except -1:
    """Writes both at once, unless that is over the limit: then nothing is copied."""
    if stream.budget is not None and len(text) + len(end) > stream.budget.left:
        stream.put(text)
        return stream.put(end)
    return stream.put(text + end)


cdef object print_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef RunContext context = guest_context((<ContextFunction>callable).context)
    cdef Py_ssize_t n = <Py_ssize_t>(nargsf & ~VECTORCALL_OFFSET_FLAG)
    cdef Py_ssize_t i
    cdef list pieces
    sep, end, file, flush = SPACE, NEWLINE, None, False
    if kwnames != NULL:
        for i in range(PyTuple_GET_SIZE(kwnames)):
            name = <object>PyTuple_GET_ITEM(kwnames, i)
            value = <object>args[n + i]
            if name == "sep":
                if value is not None:
                    if not isinstance(value, str):
                        raise TypeError(f"sep must be None or a string, not {type_name_of(value)}")
                    sep = value
            elif name == "end":
                if value is not None:
                    if not isinstance(value, str):
                        raise TypeError(f"end must be None or a string, not {type_name_of(value)}")
                    end = value
            elif name == "file":
                file = value
            elif name == "flush":
                flush = True if value else False
            else:
                raise TypeError(f"print() got an unexpected keyword argument '{name}'" if KEYWORDS_ALLOWED
                                else f"'{name}' is an invalid keyword argument for print()")
    if file is None:
        file = current_stdout(context)
        if file is None:
            return None
    if type(file) is OutputStream:
        if n == 1:
            text = as_text(args[0])
            if end is NEWLINE and (<OutputStream>file).target_write is None and not (<OutputStream>file).is_closed \
                    and not (<OutputStream>file).is_cut and (<OutputStream>file).callback is None \
                    and (<OutputStream>file).late is None and fits((<OutputStream>file).budget, text):
                (<OutputStream>file).parts.append(text)
                (<OutputStream>file).parts.append(NEWLINE)
                if len((<OutputStream>file).parts) - (<OutputStream>file).compacted > MOST_PARTS:
                    (<OutputStream>file).compact()
            else:
                put_line(<OutputStream>file, text, end)
        else:
            pieces = [as_text(args[i]) for i in range(n)]
            put_line(<OutputStream>file, sep.join(pieces), end)
        if flush:
            (<OutputStream>file).flush()
        return None
    write = file.write
    for i in range(n):
        if i:
            write(sep)
        write(as_text(args[i]))
    write(end)
    if flush:
        file.flush()
    return None


# ---- input, files, debugger ------------------------------------------------------------------
INPUT_DOC = """Read a string from standard input.  The trailing newline is stripped.

The prompt string, if given, is printed to standard output without a
trailing newline before reading input.

If the input is at its end, raise EOFError."""


cdef object input_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef RunContext context = guest_context((<ContextFunction>callable).context)
    cdef Py_ssize_t n = <Py_ssize_t>(nargsf & ~VECTORCALL_OFFSET_FLAG)
    if kwnames != NULL and PyTuple_GET_SIZE(kwnames):
        raise TypeError("input() takes no keyword arguments")
    if n > 1:
        raise TypeError(f"input expected at most 1 argument, got {n}")
    prompt = (<object>args[0],) if n else ()
    stdin = current_stdin(context)
    if stdin is None:
        raise RuntimeError("input(): lost sys.stdin")
    if context.sys_dict is not None and "stdout" not in context.sys_dict:
        raise RuntimeError("input(): lost sys.stdout")
    return read_answer(stdin, current_stdout(context), prompt)


cdef object open_file = None


cdef tuple OPEN_NAMES = ("file", "mode", "buffering", "encoding", "errors", "newline", "closefd", "opener")


def open(*args, **keywords):
    """Open file and return a stream.  Raise OSError upon failure."""
    global open_file
    cdef RunContext context = current_context()
    cdef list values = named_arguments("open", OPEN_NAMES, 8, 1, [None, "r", -1, None, None, None, True, None], args, keywords)
    if context is None or context.files is None:
        raise PermissionError(errno.EACCES, "open: files are not available to this guest", values[0])
    if open_file is None:
        # What depends on the builtins is loaded when a guest first opens a file.
        from kimi_runtime import _core
        open_file = _core.host_module("kimi_runtime.files.streams").open
    return open_file(*values)


def breakpoint(*args, **keywords):
    """Call sys.breakpointhook(*args, **keywords), which the guest may set; there is no debugger."""
    cdef RunContext context = current_context()
    if context is None or context.sys_dict is None:
        return breakpointhook(*args, **keywords)
    hook = context.sys_dict.get("breakpointhook")
    if hook is None:
        raise RuntimeError("lost sys.breakpointhook")
    return hook(*args, **keywords)


def breakpointhook(*args, **keywords):
    """``sys.breakpointhook`` of a guest: RuntimeError."""
    raise RuntimeError("breakpoint(): no debugger is available to this guest")


@cython.always_allow_keywords(False)
def id(obj):
    """What `is` compares: an address, or for numbers the value."""
    return identity(<PyObject *>obj)


# ---- import ----------------------------------------------------------------------------------
IMPORT_DOC = """Import a module. It is better to use importlib.import_module() to import a module programmatically."""


cdef object import_vectorcall(PyObject *callable, PyObject **args, size_t nargsf, PyObject *kwnames):
    cdef RunContext context = (<ContextFunction>callable).context
    cdef Py_ssize_t n = <Py_ssize_t>(nargsf & ~VECTORCALL_OFFSET_FLAG)
    cdef Py_ssize_t i
    cdef list given = [<object>args[i] for i in range(n)]
    cdef dict keywords = {}
    if kwnames != NULL:
        for i in range(PyTuple_GET_SIZE(kwnames)):
            keywords[<object>PyTuple_GET_ITEM(kwnames, i)] = <object>args[n + i]
    values = named_arguments("__import__", ("name", "globals", "locals", "fromlist", "level"), 5, 1, [None, None, None, (), 0],
                             tuple(given), keywords)
    if context.privileged and not by_library():
        context = guest_context(context)
    return import_module(context, *values)


# ---- all of them -----------------------------------------------------------------------------
cdef dict template = None


cdef extern from *:
    """
    /* Gives a function of ours the documentation and signature of the host's, and the module that it shows as its own;
       functions of this module do not look at what they are bound to. */
    static void k_pass_for(PyObject *function, PyObject *original, PyObject *module) {
        PyCFunctionObject *f = (PyCFunctionObject *)function;
        f->m_ml->ml_doc = ((PyCFunctionObject *)original)->m_ml->ml_doc;
        Py_INCREF(module);
        Py_XSETREF(f->m_self, module);
    }
    """
    void k_pass_for(PyObject *function, PyObject *original, PyObject *module) noexcept


cdef int pass_for_builtins(dict functions) except -1:
    module = type(sys)("builtins")
    for name, function in functions.items():
        original = getattr(host_builtins, name)
        if type(function) is type(original) is type(len):
            k_pass_for(<PyObject *>function, <PyObject *>original, <PyObject *>module)
    return 0


cdef dict make_template():
    cdef dict found = {}
    for name, value in host_builtins.__dict__.items():
        if name not in LEFT_OUT:
            found[name] = value
    found.update(gated_builtins)
    freeze_class(ExceptionGroup)            # the only class among them that is not immutable
    ours = (globals, locals, vars, dir, eval, exec, compile, open, breakpoint, id, __build_class__)
    for function in ours:
        function.__module__ = "builtins"
        found[function.__name__] = function
    pass_for_builtins({**{function.__name__: function for function in ours}, **gated_builtins})
    found["__name__"] = "builtins"
    found["__package__"] = ""
    return found


def make_builtins(RunContext context=None):
    """The builtins of a guest as a new dictionary.

    context: where its output and its modules are; without one the output goes to the host's ``sys.stdout``.
    """
    global template
    cdef dict found
    cdef ContextFunction importer
    if template is None:
        template = make_template()
    if context is None:
        context = host_context()
    found = template.copy()
    found["print"] = new_context_function(context, "print", PRINT_DOC, <void *>print_vectorcall)
    found["input"] = new_context_function(context, "input", INPUT_DOC, <void *>input_vectorcall)
    importer = new_context_function(context, "__import__", IMPORT_DOC, <void *>import_vectorcall)
    importer.home = <PyObject *>found
    if context.privileged:
        importer.kept_home = found
    found["__import__"] = importer
    return found


class _HostStream:
    """Writes to the stream of the host that is current at that moment."""

    def __init__(self, name):
        self.name = name

    def write(self, text):
        getattr(sys, self.name).write(text)

    def flush(self):
        getattr(sys, self.name).flush()


def host_context(bint privileged=False):
    """A context that writes to the streams of the host."""
    return RunContext(_HostStream("stdout"), _HostStream("stderr"), privileged=privileged)


class _Nowhere:
    """A stream that nobody reads."""

    def write(self, text):
        pass

    def flush(self):
        pass


def nobodys_builtins():
    """What code of a finalizer runs with that no function of the guest tells of: it writes to nobody and imports nothing."""
    global nobodys
    if nobodys is None:
        nobodys = make_builtins(RunContext(_Nowhere(), _Nowhere(), modules=frozenset()))
    return nobodys


cdef object nobodys = None


def display(value):
    """``sys.displayhook``: what interactive mode does with the value of an expression."""
    cdef RunContext context
    cdef PyObject *names
    if value is None:
        return
    context = current_context()
    names = hooks.frame_builtins(0)
    if names == NULL:
        raise SystemError("no guest frame is running")
    (<dict>names)["_"] = None
    # A namespace with other builtins than ours has no context: then the host's own stream.
    file = sys.stdout if context is None else current_stdout(context)
    if file is None:
        raise RuntimeError("lost sys.stdout")
    file.write(repr(value))
    file.write("\n")
    (<dict>names)["_"] = value


def display_hook():
    """The ``sys.displayhook`` of the running guest."""
    cdef RunContext context = current_context()
    if context is None or context.sys_dict is None:
        return display
    try:
        return context.sys_dict["displayhook"]
    except KeyError:
        raise RuntimeError("lost sys.displayhook") from None


def audit(event, *args):
    """Does nothing: the audit hooks of the host are not told what guests do."""


def getrecursionlimit():
    """Return the current value of the recursion limit, the maximum depth of nested guest calls."""
    from kimi_runtime import _core
    return _core.get_running_recursion_limit()


def setrecursionlimit(limit):
    """Set the maximum depth of nested guest calls."""
    from kimi_runtime import _core
    if not isinstance(limit, int):
        raise TypeError(f"'{type_name_of(limit)}' object cannot be interpreted as an integer")
    if not -2**31 <= limit < 2**31:
        raise OverflowError("Python int too large to convert to C int")
    _core.set_running_recursion_limit(limit)


for function in (audit, breakpointhook, display, getrecursionlimit, setrecursionlimit):
    function.__module__ = "sys"
del function


cdef object modules_cache = None


def compile_module(source, path):
    """Compiles the source of a module for ``import``; the same source only once."""
    global modules_cache
    if modules_cache is None:
        modules_cache = lru_cache(maxsize=256)(do_compile_module)
    return modules_cache(source, path)


cdef object do_compile_module(source, path):
    from kimi_runtime.bytecode.compiler import compile_source
    from kimi_runtime.syntax.source import decode_source
    if isinstance(source, bytes):
        source = decode_source(source, path)
    return compile_source(source, path, mode="exec")
