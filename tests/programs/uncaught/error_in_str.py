class Bad(Exception):
    def __str__(self):
        raise RuntimeError("str is broken")

raise Bad("args")
