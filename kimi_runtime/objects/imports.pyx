# cython: binding=False, wraparound=True, boundscheck=True
"""What a guest's ``import`` finds, and the three import instructions.

A module is looked for among those imported already, the host modules that the embedding program passed, the guest's own
sources, and the library (``kimi_runtime.library``).  The host's import system is never asked.
"""
cimport cython
from cpython.ref cimport PyObject

from kimi_runtime.objects.context cimport (
    ContextFunction, RunContext, context_of, current_context, guest_context, importing_context, innermost_context, main_module)
from kimi_runtime.objects.function cimport hooks, read_as_guest
from kimi_runtime.objects.slots cimport type_name_of

import os
import sys
import types

cdef extern from "Python.h":
    PyObject *PyDict_GetItemWithError(object d, object key) except? NULL
    void Py_DECREF(PyObject *o) noexcept

cdef extern from *:
    """
    static int k_import_failed(void) { return -1; }
    """
    int raise_pending "k_import_failed"() except -1

cdef object MISSING = object()
cdef object library_find = None
cdef object library_public = None


def use_library(find, is_public):
    """Called by the library.

    find: function(privileged context, module name) -> the module as that context sees it, or None when the library has
    none of that name.  is_public: function(module name) -> whether guests may import it.
    """
    global library_find, library_public
    library_find = find
    library_public = is_public


def library_module(RunContext context, str name):
    """A module of the library as library code of a guest sees it."""
    return library_find(context.library_side(), name)


cdef bint has_name_from = sys.version_info >= (3, 12)


@cython.final
@cython.auto_pickle(False)
cdef class ModuleSpec:
    """``__spec__`` of a guest module: its name, and whether it is still being run."""
    cdef readonly object name, parent
    cdef public object loader, origin, submodule_search_locations
    cdef public bint _initializing

    def __cinit__(self, name, parent):
        self.name = name
        self.parent = parent

    def __repr__(self):
        return f"ModuleSpec(name={self.name!r}, loader=None)"


# ---- instructions ----------------------------------------------------------------------------
cdef object do_import_name(dict builtins, name, globals, PyObject *locals, fromlist, level):
    cdef PyObject *function = PyDict_GetItemWithError(builtins, "__import__")
    cdef RunContext context
    if function == NULL:
        raise ImportError("__import__ not found")
    if type(<object>function) is ContextFunction:
        context = importing_context(<ContextFunction>function, <PyObject *>builtins)
        if context is None:
            context = guest_context((<ContextFunction>function).context)
        return import_module(context, name, globals, None, fromlist, level)
    return (<object>function)(name, globals, <object>locals if locals != NULL else None, fromlist, level)


cdef object do_import_from(module, name):
    value = read_as_guest(module, name, MISSING)
    if value is not MISSING:
        return value
    package = getattr(module, "__name__", None)
    known = isinstance(package, str)
    if known:
        context = innermost_context()
        if context is not None:
            # A circular import: the submodule is there, its parent does not have it yet.
            value = (<RunContext>context).modules.get(f"{package}.{name}", MISSING)
            if value is not MISSING:
                return value
    shown = package if known else "<unknown module name>"
    path = getattr(module, "__file__", None)
    spec = getattr(module, "__spec__", None)
    if not isinstance(path, str):
        path = None
        place = "unknown location"
    else:
        place = path
    if path is not None and getattr(spec, "_initializing", False):
        message = (f"cannot import name {name!r} from partially initialized module {shown!r} "
                   f"(most likely due to a circular import) ({place})")
    else:
        message = f"cannot import name {name!r} from {shown!r} ({place})"
    if has_name_from:
        raise ImportError(message, name=package if known else None, path=path, name_from=name)
    raise ImportError(message, name=package if known else None, path=path)


cdef int do_import_star(module, namespace) except -1:
    cdef bint by_dict = False
    names = getattr(module, "__all__", MISSING)
    if names is MISSING:
        contents = getattr(module, "__dict__", MISSING)
        if contents is MISSING:
            raise ImportError("from-import-* object has no __dict__ and no __all__")
        names = list(contents.keys())
        by_dict = True
    for name in names:
        if not isinstance(name, str):
            package = module.__name__
            if not isinstance(package, str):
                raise TypeError(f"module __name__ must be a string, not {type_name_of(package)}")
            raise TypeError(f"{'Key' if by_dict else 'Item'} in {package}.{'__dict__' if by_dict else '__all__'} must be "
                            f"str, not {type_name_of(name)}")
        if by_dict and name.startswith("_"):
            continue
        namespace[name] = getattr(module, name)
    return 0


ctypedef PyObject *(*raw_import)(PyObject *, PyObject *, PyObject *, PyObject *, PyObject *, PyObject *) noexcept
ctypedef PyObject *(*raw2)(PyObject *, PyObject *) noexcept
ctypedef int (*raw_star)(PyObject *, PyObject *) noexcept
import_name = <raw_import><void *>do_import_name
import_from = <raw2><void *>do_import_from
import_star = <raw_star><void *>do_import_star


# ---- __import__ ------------------------------------------------------------------------------
def import_module(RunContext context, name, globals, locals, fromlist, level):
    """``__import__`` of a guest.

    Returns the module, or for a dotted name without fromlist the first part.  ModuleNotFoundError, ImportError as
    CPython; and whatever the module's own code raises.
    """
    if not isinstance(name, str):
        raise TypeError("module name must be a string")
    if not isinstance(level, int):
        raise TypeError(f"'{type_name_of(level)}' object cannot be interpreted as an integer")
    if level < 0:
        raise ValueError("level must be >= 0")
    absolute = name
    if level:
        absolute = resolve_name(name, globals, level)
    elif not name:
        raise ValueError("Empty module name")
    module = load_dotted(context, absolute)
    if fromlist:
        if getattr(module, "__path__", None) is not None:
            import_submodules(context, module, fromlist)
        return module
    if not level:
        first = name.partition(".")[0]
        return module if first == name else context.modules[first]
    if not name:
        return module
    # Relative without names, as __import__("a.b", level=1): the first part of what was asked for.
    return context.modules[absolute[:len(absolute) - len(name) + len(name.partition(".")[0])]]


cdef int import_submodules(RunContext context, module, fromlist) except -1:
    for name in fromlist:
        if not isinstance(name, str):
            where = f"{module.__name__}.__all__" if name == "*" else "``from list''"
            raise TypeError(f"Item in {where} must be str, not {type_name_of(name)}")
        if name == "*":
            exported = getattr(module, "__all__", None)
            if exported is not None:
                import_submodules(context, module, exported)
        elif not hasattr(module, name):
            full = f"{module.__name__}.{name}"
            if is_findable(context, full):
                found = load_dotted(context, full)
                if not hasattr(module, name):
                    setattr(module, name, found)
    return 0


cdef str resolve_name(str name, globals, level):
    """The absolute name of a relative import."""
    if not isinstance(globals, dict):
        raise TypeError("globals must be a dict")
    package = globals.get("__package__")
    if package is None:
        spec = globals.get("__spec__")
        package = getattr(spec, "parent", None)
        if package is None:
            package = globals.get("__name__")
            if package is None:
                raise KeyError("'__name__' not in globals")
            if "__path__" not in globals:
                package = package.rpartition(".")[0]
    elif not isinstance(package, str):
        raise TypeError("package must be a string")
    if not package:
        raise ImportError("attempted relative import with no known parent package")
    parts = package.rsplit(".", level - 1)
    if len(parts) < level:
        raise ImportError("attempted relative import beyond top-level package")
    return f"{parts[0]}.{name}" if name else parts[0]


cdef object load_dotted(RunContext context, str name):
    """The module of a dotted name, after importing its parents."""
    if context.privileged and context.guest is None and name in context.modules:
        return library_find(context, name)      # waits while another thread runs the module for the first time
    found = context.modules.get(name, MISSING)
    if context.loading:
        # One that fails meanwhile is what those get who have waited for it, as in CPython.
        partial = found
        wait_until_loaded(context, name)
        found = context.modules.get(name, partial)
    if found is None:
        raise ModuleNotFoundError(f"import of {name} halted; None in sys.modules", name=name)
    if found is not MISSING:
        return found
    parent, _, child = name.rpartition(".")
    if parent:
        package = load_dotted(context, parent)
        wait_until_loaded(context, name)
        found = context.modules.get(name, MISSING)
        if found is not MISSING:            # imported by the package itself
            return found
        if getattr(package, "__path__", None) is None:
            member = getattr(package, child, None) if context.privileged else None
            if type(member) is types.ModuleType:
                return member               # os.path is a member of a module that is no package
            raise ModuleNotFoundError(f"No module named {name!r}; {parent!r} is not a package", name=name)
    begin_loading(context, name)
    try:
        module = find(context, name)
        if parent:
            setattr(package, child, module)
    finally:
        end_loading(context, name)
    return module


# ---- modules that are being run -------------------------------------------------------------
# Another thread of the guest that imports such a module waits for it, unless what runs it waits for that thread: then it gets the
# module as it is. As in CPython, where each module has a lock.

@cython.final
@cython.auto_pickle(False)
cdef class Loading:
    """A module that is being run.

    Attributes:
        ident: of the thread of the guest that runs it.
        waiters: tasks of other threads; see ``library.threads``.
    """
    cdef readonly size_t ident
    cdef readonly list waiters
    cdef int depth              # the same thread may begin again: it imports what it has taken out of sys.modules

    def __cinit__(self, size_t ident):
        self.ident = ident
        self.waiters = []
        self.depth = 1


cdef object thread_ident = None         # functions of library.threads, once there may be threads
cdef object wait_for_thread = None
cdef object wake_threads = None


def use_threads(ident, wait, wake):
    """Called by the library's threads.

    ident: function() -> the number of the running thread of the guest.  wait: function(Loading) that returns once the module may
    have been loaded: True; or False when the running thread need not wait.  wake: function(Loading).
    """
    global thread_ident, wait_for_thread, wake_threads
    thread_ident = ident
    wait_for_thread = wait
    wake_threads = wake


cdef int wait_until_loaded(RunContext context, str name) except -1:
    """Waits while another thread of the guest runs the module."""
    while context.loading and wait_for_thread is not None:
        loading = context.loading.get(name)
        if loading is None or not wait_for_thread(loading):
            break
    return 0


def wait_for_module(RunContext context, str name):
    """The same for the library's loader."""
    wait_until_loaded(context, name)


def begin_loading(RunContext context, str name):
    """This thread runs a module from now on; pair with ``end_loading``."""
    cdef Loading loading
    if context.loading is None:
        context.loading = {}
    loading = context.loading.get(name)
    if loading is None:
        context.loading[name] = Loading(1 if thread_ident is None else thread_ident())
    else:
        loading.depth += 1


def end_loading(RunContext context, str name):
    """The module has been run, or has failed."""
    cdef Loading loading = context.loading[name]
    loading.depth -= 1
    if not loading.depth:
        del context.loading[name]
        if loading.waiters:
            wake_threads(loading)


cdef object find(RunContext context, str name):
    """A module that was not imported before."""
    if context.host_modules is not None and name in context.host_modules:
        module = context.host_modules[name]
        context.modules[name] = module
        return module
    if is_own(context, name):
        return run_source(context, name)
    if name == "__main__":
        module = main_module(guest_context(context))
        if module is None:
            raise ModuleNotFoundError("No module named '__main__'", name=name)
        context.modules[name] = module
        return module
    if context.privileged:
        module = library_find(context, name)
        if module is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return module
    if not is_allowed(context, name) or not library_public(name):
        raise ModuleNotFoundError(not_found(context, name), name=name)
    module = library_find(context.library_side(), name)
    if module is None:
        raise ModuleNotFoundError(not_found(context, name), name=name)
    context.modules[name] = module
    return module


cdef bint is_own(RunContext context, str name) except -1:
    """Whether a name stands for one of the guest's own modules: a folder without an ``__init__`` comes after the library's."""
    if context.sources is None or name not in context.sources:
        return False
    return not (library_public(name) and is_allowed(context, name)) or context.sources[name][0] is not None


cdef bint is_findable(RunContext context, str name) except -1:
    """Whether there is a module of that name to import for a context."""
    if name in context.modules:
        return True
    if context.privileged:
        return library_find(context, name) is not None
    return (context.host_modules is not None and name in context.host_modules
            or context.sources is not None and name in context.sources
            or is_allowed(context, name) and library_public(name))


def missing_module(RunContext context, str name):
    """What the ImportError of a guest says that imports a module of that name; None when there is one. Nothing is imported."""
    for given in (context.host_modules, context.sources):
        if given is not None and (name in given or given is context.host_modules and name.partition(".")[0] in given):
            return None
    if name == "os.path":                   # a member that is in sys.modules too
        name = "os"
    if name == "__main__" or is_allowed(context, name) and library_public(name):
        return None
    return not_found(context, name)


# Modules whose only use are files: not there for a guest that has none.
cdef frozenset ABOUT_FILES = frozenset(["filecmp", "fileinput", "glob", "shutil", "tempfile"])


cdef bint is_allowed(RunContext context, str name) except -1:
    """Whether the host lets the guest import a library module: it, or a package that it is in."""
    if context.files is None and name in ABOUT_FILES and not context.privileged:
        return False
    if context.allowed is None:
        return True
    while name:
        if name in context.allowed:
            return True
        name = name.rpartition(".")[0]
    return False


cdef bint host_has_part(str name) except -1:
    """Whether a module within a package of the host's library is there."""
    base = os.path.join(os.path.dirname(os.__file__), *name.split("."))
    return "." in name and (os.path.isfile(base + ".py") or os.path.isfile(os.path.join(base, "__init__.py")))


cdef str not_found(RunContext context, str name):
    message = f"No module named {name!r}"
    if context.files is None and name in ABOUT_FILES:
        message += " (it is for files, and the host gives this guest none)"
    elif library_public(name):
        message += " (the host does not allow it: it is not among the modules that this runtime was given)"
    elif name.partition(".")[0] in sys.stdlib_module_names and (
            not library_public(name.partition(".")[0]) or host_has_part(name)):
        message += " (the host has it, but it is not open to guests)"
    return message


cdef object run_source(RunContext context, str name):
    """Compiles and runs a guest module."""
    from kimi_runtime.objects.builtins import compile_module
    cdef dict namespace
    source, is_package, path = context.sources[name]
    module = types.ModuleType(name)
    parent = name if is_package else name.rpartition(".")[0]
    spec = ModuleSpec(name, parent)
    namespace = module.__dict__
    namespace["__package__"] = parent
    namespace["__spec__"] = spec
    if path is not None:
        namespace["__file__"] = path
    if is_package:
        namespace["__path__"] = []
    namespace["__builtins__"] = builtins_of(context)
    if source is None:
        context.modules[name] = module
        return module
    code = compile_module(source, path)
    return run_module(code, module, context.modules)


def reload_module(module):
    """Runs a module of the running guest's own sources again, in its namespace. ImportError: it is none of those."""
    from kimi_runtime.objects.builtins import compile_module
    cdef RunContext context = current_context()
    name = module.__name__
    if context is None or context.sources is None or name not in context.sources:
        raise ImportError(f"cannot reload module {name!r}: it is not one of the guest's own modules", name=name)
    source, _, path = context.sources[name]
    if source is None:
        return module
    return run_module(compile_module(source, path), module, context.modules)


def run_module(code, module, dict modules):
    """Runs the code of a module whose namespace is ready.

    modules: the ``sys.modules`` in which it stands while it runs, and stays when it does not fail.  Returns the module,
    or what it put there in its place.  Whatever the code raises is raised.
    """
    cdef dict namespace = module.__dict__
    cdef str name = namespace["__name__"]
    cdef PyObject *result
    spec = namespace["__spec__"]
    spec._initializing = True
    modules[name] = module
    try:
        result = hooks.run_code(<PyObject *>code, <PyObject *>namespace, <PyObject *>namespace, NULL)
        if result == NULL:
            raise_pending()
        Py_DECREF(result)
    except BaseException:
        modules.pop(name, None)
        raise
    finally:
        spec._initializing = False
    return modules.get(name, module)


cdef object builtins_of(RunContext context):
    """The builtins of a context: those of its innermost frame, or new ones when none runs."""
    from kimi_runtime.objects.builtins import make_builtins
    cdef PyObject *builtins
    cdef int depth = 0
    while hooks.frame_builtins != NULL:
        builtins = hooks.frame_builtins(depth)
        if builtins == NULL:
            break
        if context_of(<object>builtins) is context:
            return <object>builtins
        depth += 1
    return make_builtins(context)
