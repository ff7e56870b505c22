source = """
def boom():
    raise ValueError("from exec")
boom()
"""
exec(compile(source, "<generated>", "exec"))
