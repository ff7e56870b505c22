"""An exception that is no group comes to `except*` in a group made for it: what that group's attributes are."""

try:
    raise ValueError("bare")
except* ValueError as group:
    print(type(group).__name__, repr(group.message), group.args, group.exceptions, group.__context__, group.__cause__)
try:
    try:
        raise KeyError(1)
    except* ValueError:
        print("not here")
except Exception as error:
    print(repr(error), error.__context__)
try:
    raise ExceptionGroup("two", [TypeError(1), ValueError(2)])
except* TypeError as group:
    print(group.args)
except* ValueError as group:
    print(group.args)

# A clause that matches nothing leaves the group as it is: the next clause sees the same object.
raised = ExceptionGroup("nested", [ValueError(1), ExceptionGroup("inner", [KeyError(2)])])
try:
    try:
        [].missing
    finally:
        raise raised
except* RuntimeError as group:
    print("no")
except* Exception as group:
    print(group is raised, group.__suppress_context__, repr(group.__context__))
