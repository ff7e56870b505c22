"""From source text to a code object: parser, analyzer and generator in one call."""
from kimi_runtime.bytecode.codegen cimport compile_tree as _compile_tree
from kimi_runtime.syntax.nodes cimport Node

from kimi_runtime.syntax.parser import parse
from kimi_runtime.syntax.source import decode_source

import __future__

MODES = ("exec", "eval", "single", "notebook", "cell")
FUTURE_ANNOTATIONS = __future__.annotations.compiler_flag


def compile_source(source, filename="<guest>", mode="exec", flags=0, warnings=None):
    """Compiles guest source.

    Args:
        source: str, or bytes with an optional encoding cookie.
        filename: name for errors and tracebacks.
        mode: "exec", "eval", "single" (an interactive statement: expressions are shown), or "notebook" (like "exec", but
            running the code gives the value of a last expression statement), or "cell" (like "notebook", and the statements
            may await: ``Code.awaits`` tells whether they do).
        flags: bits of ``__future__`` features in force (only that of ``annotations`` has an effect).
        warnings: a list that receives ``(category name, message, line, column)`` for each warning.

    Returns:
        The Code of the module.

    Raises:
        SyntaxError, IndentationError, TabError: as CPython does.
        RecursionError: the tree is nested too deeply.
        ValueError: unknown mode, or null bytes.
    """
    if mode not in MODES:
        raise ValueError("compile() mode must be 'exec', 'eval' or 'single'")
    if type(source) is not str:
        source = decode_source(source, filename)
    tree = parse(source, filename, "exec" if mode in ("notebook", "cell") else mode, warnings)
    return _compile_tree(<Node>tree, filename, source, mode, bool(flags & FUTURE_ANNOTATIONS), warnings)


def compile_tree(tree, filename="<guest>", mode="exec", source=None, flags=0, warnings=None):
    """Compiles a tree that the parser made.

    Args:
        tree: a Module, Interactive or Expression node.
        filename, mode, flags: as for ``compile_source``.
        source: the text, for the lines that errors and tracebacks show, or None.
        warnings: a list that receives rows as for ``compile_source``.

    Returns:
        The Code of the module.

    Raises:
        SyntaxError, RecursionError: as ``compile_source``.
        TypeError: not a tree.
    """
    if not isinstance(tree, Node):
        raise TypeError(f"expected a tree of nodes, got {type(tree).__name__}")
    return _compile_tree(<Node>tree, filename, source, mode, bool(flags & FUTURE_ANNOTATIONS), warnings)
