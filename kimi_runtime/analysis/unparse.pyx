"""Text of an expression, as the host writes it for postponed annotations (``from __future__ import annotations``)."""
from kimi_runtime.syntax.nodes cimport *

cdef enum Level:
    L_TUPLE = 0
    L_TEST                  # conditional expression, lambda
    L_OR
    L_AND
    L_NOT
    L_CMP
    L_EXPR                  # | and what binds tighter
    L_BXOR
    L_BAND
    L_SHIFT
    L_ARITH
    L_TERM
    L_FACTOR
    L_POWER
    L_AWAIT
    L_ATOM

BINARY = (
    (" + ", L_ARITH), (" - ", L_ARITH), (" * ", L_TERM), (" @ ", L_TERM), (" / ", L_TERM), (" % ", L_TERM),
    (" ** ", L_POWER), (" << ", L_SHIFT), (" >> ", L_SHIFT), (" | ", L_EXPR), (" ^ ", L_BXOR), (" & ", L_BAND),
    (" // ", L_TERM),
)
UNARY = (("~", L_FACTOR), ("not ", L_NOT), ("+", L_FACTOR), ("-", L_FACTOR))
COMPARE = (" == ", " != ", " < ", " <= ", " > ", " >= ", " is ", " is not ", " in ", " not in ")


cdef str unparse(Node e):
    """The source text of an expression."""
    return text_of(e, L_TEST)


cdef inline str enclosed(str text, bint needed):
    return "(" + text + ")" if needed else text


cdef str joined(list nodes, int level):
    return ", ".join([text_of(<Node>node, level) for node in nodes])


cdef str constant_text(object value):
    if value is Ellipsis:
        return "..."
    text = repr(value)
    if isinstance(value, (float, complex)):
        text = text.replace("inf", "1e309")
    return text


cdef str comprehensions(list generators):
    cdef comprehension gen
    cdef list parts = []
    for gen in generators:
        parts.append((" async for " if gen.is_async else " for ") + text_of(gen.target, L_TUPLE) + " in "
                     + text_of(gen.iter, L_TEST + 1))
        for test in gen.ifs:
            parts.append(" if " + text_of(<Node>test, L_TEST + 1))
    return "".join(parts)


cdef str arguments_text(arguments args):
    cdef list parts = []
    cdef list positional = args.posonlyargs + args.args
    cdef int i, first = len(positional) - len(args.defaults)
    for i in range(len(positional)):
        text = (<arg>positional[i]).arg
        if i >= first:
            text += "=" + text_of(<Node>args.defaults[i - first], L_TEST)
        parts.append(text)
        if args.posonlyargs and i + 1 == len(args.posonlyargs):
            parts.append("/")
    if args.vararg is not None:
        parts.append("*" + (<arg>args.vararg).arg)
    elif args.kwonlyargs:
        parts.append("*")
    for i in range(len(args.kwonlyargs)):
        text = (<arg>args.kwonlyargs[i]).arg
        if args.kw_defaults[i] is not None:
            text += "=" + text_of(<Node>args.kw_defaults[i], L_TEST)
        parts.append(text)
    if args.kwarg is not None:
        parts.append("**" + (<arg>args.kwarg).arg)
    return ", ".join(parts)


cdef str fstring_inner(Node e):
    """Part of an f-string, without the quotes."""
    if e.kind == K_Constant:
        return (<str>(<Constant>e).value).replace("{", "{{").replace("}", "}}")
    if e.kind == K_JoinedStr:
        return "".join([fstring_inner(<Node>item) for item in (<JoinedStr>e).values])
    text = text_of((<FormattedValue>e).value, L_TEST + 1)
    out = "{ " if text.startswith("{") else "{"
    out += text
    if (<FormattedValue>e).conversion > 0:
        out += "!" + chr((<FormattedValue>e).conversion)
    if (<FormattedValue>e).format_spec is not None:
        out += ":" + fstring_inner((<FormattedValue>e).format_spec)
    return out + "}"


cdef str call_text(Call e):
    cdef list parts = [text_of(<Node>value, L_TEST) for value in e.args]
    cdef keyword item
    if len(e.args) == 1 and not e.keywords and (<Node>e.args[0]).kind == K_GeneratorExp:
        return text_of(e.func, L_ATOM) + text_of(<Node>e.args[0], L_TEST)
    for item in e.keywords:
        value = text_of(item.value, L_TEST)
        parts.append("**" + value if item.arg is None else item.arg + "=" + value)
    return text_of(e.func, L_ATOM) + "(" + ", ".join(parts) + ")"


cdef str compare_text(Compare e, int level):
    cdef int i
    cdef str out = text_of(e.left, L_CMP + 1)
    for i in range(len(e.ops)):
        out += COMPARE[<int>e.ops[i]] + text_of(<Node>e.comparators[i], L_CMP + 1)
    return enclosed(out, level > L_CMP)


cdef str dict_text(Dict e):
    cdef list parts = []
    for key, value in zip(e.keys, e.values):
        if key is None:
            parts.append("**" + text_of(<Node>value, L_EXPR))
        else:
            parts.append(text_of(<Node>key, L_TEST) + ": " + text_of(<Node>value, L_TEST))
    return "{" + ", ".join(parts) + "}"


cdef str slice_text(Slice e):
    cdef str out = ""
    if e.lower is not None:
        out = text_of(e.lower, L_TEST)
    out += ":"
    if e.upper is not None:
        out += text_of(e.upper, L_TEST)
    if e.step is not None:
        out += ":" + text_of(e.step, L_TEST)
    return out


cdef str text_of(Node e, int level):
    cdef int k = e.kind
    cdef int own
    if k == K_Name:
        return (<Name>e).id
    if k == K_Constant:
        return ("u" if (<Constant>e).u_kind is not None else "") + constant_text((<Constant>e).value)
    if k == K_Attribute:
        text = text_of((<Attribute>e).value, L_ATOM)
        if (<Attribute>e).value.kind == K_Constant and type((<Constant>(<Attribute>e).value).value) is int:
            text += " "
        return text + "." + (<Attribute>e).attr
    if k == K_Subscript:
        return text_of((<Subscript>e).value, L_ATOM) + "[" + text_of((<Subscript>e).slice, L_TUPLE) + "]"
    if k == K_Tuple:
        if not (<Tuple>e).elts:
            return "()"
        text = joined((<Tuple>e).elts, L_TEST) + ("," if len((<Tuple>e).elts) == 1 else "")
        return enclosed(text, level > L_TUPLE)
    if k == K_List:
        return "[" + joined((<List>e).elts, L_TEST) + "]"
    if k == K_Set:
        return "{" + joined((<Set>e).elts, L_TEST) + "}"
    if k == K_Dict:
        return dict_text(<Dict>e)
    if k == K_BinOp:
        sign, own = BINARY[(<BinOp>e).op]
        right = (<BinOp>e).op == OP_Pow
        return enclosed(text_of((<BinOp>e).left, own + right) + sign + text_of((<BinOp>e).right, own + (not right)),
                        level > own)
    if k == K_UnaryOp:
        sign, own = UNARY[(<UnaryOp>e).op]
        return enclosed(sign + text_of((<UnaryOp>e).operand, own), level > own)
    if k == K_BoolOp:
        own = L_AND if (<BoolOp>e).op == BOOL_And else L_OR
        sign = " and " if own == L_AND else " or "
        return enclosed(sign.join([text_of(<Node>item, own + 1) for item in (<BoolOp>e).values]), level > own)
    if k == K_Compare:
        return compare_text(<Compare>e, level)
    if k == K_Call:
        return call_text(<Call>e)
    if k == K_IfExp:
        return enclosed(text_of((<IfExp>e).body, L_TEST + 1) + " if " + text_of((<IfExp>e).test, L_TEST + 1) + " else "
                        + text_of((<IfExp>e).orelse, L_TEST), level > L_TEST)
    if k == K_Lambda:
        text = arguments_text((<Lambda>e).args)
        # The host leaves out the space before a star.
        if text and not text.startswith("*"):
            text = " " + text
        return enclosed("lambda" + text + ": " + text_of((<Lambda>e).body, L_TEST), level > L_TEST)
    if k == K_Starred:
        return "*" + text_of((<Starred>e).value, L_EXPR)
    if k == K_Slice:
        return slice_text(<Slice>e)
    if k == K_JoinedStr or k == K_FormattedValue:
        return "f" + repr(fstring_inner(e))
    if k == K_ListComp:
        return "[" + text_of((<ListComp>e).elt, L_TEST) + comprehensions((<ListComp>e).generators) + "]"
    if k == K_SetComp:
        return "{" + text_of((<SetComp>e).elt, L_TEST) + comprehensions((<SetComp>e).generators) + "}"
    if k == K_GeneratorExp:
        return "(" + text_of((<GeneratorExp>e).elt, L_TEST) + comprehensions((<GeneratorExp>e).generators) + ")"
    if k == K_DictComp:
        return ("{" + text_of((<DictComp>e).key, L_TEST) + ": " + text_of((<DictComp>e).value, L_TEST)
                + comprehensions((<DictComp>e).generators) + "}")
    if k == K_NamedExpr:
        return "(" + text_of((<NamedExpr>e).target, L_ATOM) + " := " + text_of((<NamedExpr>e).value, L_ATOM) + ")"
    if k == K_Await:
        return enclosed("await " + text_of((<Await>e).value, L_ATOM), level > L_AWAIT)
    if k == K_Yield:
        return "(yield)" if (<Yield>e).value is None else "(yield " + text_of((<Yield>e).value, L_TEST) + ")"
    if k == K_YieldFrom:
        return "(yield from " + text_of((<YieldFrom>e).value, L_TEST) + ")"
    raise TypeError(f"{type(e).__name__} is not an expression")
