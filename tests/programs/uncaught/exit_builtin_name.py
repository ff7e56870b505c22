print("using exit by exception subclass")
class Quit(SystemExit):
    pass
raise Quit(7)
