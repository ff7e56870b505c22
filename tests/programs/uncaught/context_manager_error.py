class Session:
    def __enter__(self):
        print("open")
        return self

    def __exit__(self, kind, error, traceback):
        print("close", kind.__name__)
        return False

with Session() as s:
    s.query("select")
