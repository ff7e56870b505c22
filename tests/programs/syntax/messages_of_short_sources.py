for source, mode in (("", "eval"), ("def f() -> : 1", "exec"), ("def f(a) ->: pass", "exec")):
    try:
        compile(source, "f", mode)
    except SyntaxError as e:
        print(repr(source), e.msg, e.lineno)
