            else:
                k_unreachable()      # the compiler makes no other opcodes: spares the range check
        f.ip = ip
