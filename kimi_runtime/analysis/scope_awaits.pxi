# Which comprehensions wait for something asynchronous: before 3.12 CPython makes a coroutine of each, and who awaits, closes or
# throws into their function can tell. Included by scopes.pyx.

cdef bint COMPREHENSIONS_AWAITED = sys.version_info < (3, 12)


cdef bint apart(Walker walk, Node e, int kind, Scope outer) except -1:
    """Whether a comprehension is a function of its own, and not part of the one that it stands in."""
    cdef Scope frame
    if outer.kind == SCOPE_CLASS:
        return True
    if not COMPREHENSIONS_AWAITED or kind == SCOPE_GENEXP:
        return False
    frame = outer.frame()
    return (frame.coroutine or frame is walk.top) and comprehension_awaits(walk, e)


cdef bint comprehension_awaits(Walker walk, Node e) except -1:
    """Each comprehension is looked at once: the answer for those within another is kept."""
    cdef comprehension gen
    cdef bint first = True
    cdef bint found
    if walk.awaits is None:
        walk.awaits = {}
    known = walk.awaits.get(e)
    if known is not None:
        return known is True
    walk.deeper()
    if e.kind == K_ListComp:
        generators = (<ListComp>e).generators
        found = awaits(walk, (<ListComp>e).elt)
    elif e.kind == K_SetComp:
        generators = (<SetComp>e).generators
        found = awaits(walk, (<SetComp>e).elt)
    else:
        generators = (<DictComp>e).generators
        found = awaits(walk, (<DictComp>e).key) or ((<DictComp>e).value is not None and awaits(walk, (<DictComp>e).value))
    for gen in <list>generators:
        if found:
            break
        # The first iterable belongs to the code around the comprehension.
        found = gen.is_async or awaits(walk, gen.target) or (not first and awaits(walk, gen.iter)) or any_awaits(walk, gen.ifs)
        first = False
    walk.awaits[e] = found
    walk.level -= 1
    return found


cdef bint any_awaits(Walker walk, list nodes) except -1:
    for node in nodes:
        if node is not None and awaits(walk, <Node>node):
            return True
    return False


cdef bint awaits(Walker walk, Node e) except -1:
    """Whether an expression waits where it is evaluated."""
    cdef int k = e.kind
    cdef Node iterable
    cdef bint found = False
    if k == K_Name or k == K_Constant:
        return False
    if k == K_Await:
        return True
    look_at_alarm()
    walk.deeper()
    if k == K_Lambda:
        found = any_awaits(walk, (<Lambda>e).args.defaults) or any_awaits(walk, (<Lambda>e).args.kw_defaults)
    elif k == K_GeneratorExp:
        iterable = (<comprehension>(<GeneratorExp>e).generators[0]).iter
        found = awaits(walk, iterable)
    elif k == K_ListComp or k == K_SetComp or k == K_DictComp:
        iterable = (<comprehension>e.generators[0]).iter
        found = awaits(walk, iterable) or comprehension_awaits(walk, e)
    else:
        for name in e._fields:
            value = getattr(e, name)
            if isinstance(value, Node):
                found = awaits(walk, <Node>value)
            elif type(value) is list and value and (value[0] is None or isinstance(value[0], Node)):
                found = any_awaits(walk, <list>value)
            if found:
                break
    walk.level -= 1
    return found
