            else:
                PyErr_SetString(PyExc_SystemError, b"unknown opcode")
                break
        f.ip = ip
