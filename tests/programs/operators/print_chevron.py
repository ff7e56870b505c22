class F:
    def write(self, s): pass
f = F()
for t in ["print >> f", "print >> f, 'a'", "print >> 1", "print >>= 1 if 0 else f", "print << f", "len >> f", "print - 1","f >> print"]:
    try: exec(t)
    except TypeError as e: print(t, '|', e)
    except Exception as e: print(t, '|', repr(e))
