# A finalizer that looks at the stack sees the line of the statement that released the object.
import sys


def lines():
    found, frame = [], sys._getframe(2)
    while frame is not None and frame.f_code.co_filename == __file_name:
        found.append(frame.f_lineno - frame.f_code.co_firstlineno)
        frame = frame.f_back
    return found


class Shout:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print(self.name, "released at", lines())


__file_name = lines.__code__.co_filename


def moves(parameter):
    a = Shout("a")
    a = None
    b = Shout("b")
    c = Shout("c")
    b = c
    number = 1
    copy = number
    d = Shout("d")
    e = Shout("e")
    d, e = e, d
    d = number
    if number:
        e = copy
    parameter = 0
    del c
    b = number + 1
    c = Shout("c2")
    c = number > 0
    f = Shout("f")
    f = -number
    f = Shout("f2")
    f = 2.5 * number
    f = Shout("f3")
    f = lambda: 0
    f = Shout("f4")
    f = moves
    f = Shout("f5")
    f = "text"
    f = Shout("f6")
    f = not number
    f = Shout("f7")
    f = number << 3
    f = Shout("f8")
    for f in (1, 2):
        pass
    f = Shout("f9")
    for f in range(2):
        pass
    f = Shout("f10")
    f, number = (1, 2)
    f = Shout("f11")
    f = [].append
    return number


def containers():
    items = [Shout("item"), Shout("deleted")]
    items[0] = 1
    items[0] = 2
    del items[1]
    table = {"key": Shout("value"), "other": Shout("other")}
    table["key"] = 1
    del table["other"]
    thing = Shout("thing")
    thing.part = Shout("part")
    thing.part = 1
    thing.part = Shout("second part")
    del thing.part
    thing = items
    for each in [Shout("one"), Shout("two")]:
        pass
    each = 0


def cells():
    free = Shout("free")
    gone = Shout("gone")

    def inner():
        nonlocal free, gone
        free = 1
        free = Shout("free 2")
        gone = None

    inner()
    free = 2
    free = Shout("free 3")
    del free


moves(Shout("parameter"))
containers()
cells()
top = Shout("top")
top = 1
top = Shout("top 2")
del top
top = Shout("top 3")
top = [1]


class Body:
    name = Shout("in class")
    name = 1


def change():
    global top
    top = Shout("by global")
    top = 2


change()
