# The builtins that guests have of their own show the signatures of the host's.
import inspect

for function in (print, len, eval, exec, globals, locals, open, input, __import__, compile, hasattr, pow, isinstance, sorted):
    print(function.__name__, inspect.signature(function))
