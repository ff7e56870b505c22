class VMError(Exception): pass
def assemble(src):
    code, labels, fixups = [], {}, []
    for ln, line in enumerate(src.strip().split("\n"), 1):
        line = line.split(";")[0].strip()
        if not line: continue
        if line.endswith(":"):
            labels[line[:-1]] = len(code)
            continue
        op, *args = line.split()
        arg = None
        if args:
            try: arg = int(args[0])
            except ValueError:
                arg = args[0]
                if op in ("jmp", "jz", "call"): fixups.append((len(code), arg, ln))
        code.append((op, arg))
    for at, label, ln in fixups:
        if label not in labels: raise VMError(f"line {ln}: unknown label {label!r}")
        code[at] = (code[at][0], labels[label])
    return code
class VM:
    BIN = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a // b, "mod": lambda a, b: a % b, "lt": lambda a, b: int(a < b), "eq": lambda a, b: int(a == b)}
    def __init__(self, code, limit=10000): self.code, self.limit, self.out, self.stack, self.vars, self.calls, self.steps = code, limit, [], [], {}, [], 0
    def pop(self):
        if not self.stack: raise VMError("stack underflow")
        return self.stack.pop()
    def run(self):
        pc = 0
        while pc < len(self.code):
            self.steps += 1
            if self.steps > self.limit: raise VMError(f"step limit at pc {pc}")
            op, arg = self.code[pc]
            pc += 1
            if op == "push": self.stack.append(arg)
            elif op == "load": self.stack.append(self.vars[arg])
            elif op == "store": self.vars[arg] = self.pop()
            elif op == "dup": self.stack.append(self.stack[-1])
            elif op == "print": self.out.append(self.pop())
            elif op == "jmp": pc = arg
            elif op == "jz":
                if not self.pop(): pc = arg
            elif op == "call": self.calls.append(pc); pc = arg
            elif op == "ret": pc = self.calls.pop()
            elif op == "halt": break
            elif (f := self.BIN.get(op)):
                b, a = self.pop(), self.pop()
                self.stack.append(f(a, b))
            else: raise VMError(f"bad opcode {op}")
        return self.out
FACT = """
  push 10
  store n
  push 1
  store r
loop:
  load n
  jz done
  load r
  load n
  mul
  store r
  load n
  push 1
  sub
  store n
  jmp loop
done:
  load r
  print
  halt
"""
GCD = """
  push 1071
  store a
  push 462
  store b
  call gcd
  load a
  print
  halt
gcd:            ; euclid
  load b
  jz end
  load a
  load b
  mod
  load b
  store a
  store b
  jmp gcd
end:
  ret
"""
for name, src in (("fact", FACT), ("gcd", GCD), ("loop", "x:\njmp x"), ("under", "push 1\nadd"), ("label", "jmp nowhere"), ("bad", "frob 1"), ("div", "push 1\npush 0\ndiv"), ("var", "load q")):
    try:
        vm = VM(assemble(src))
        print(name, vm.run(), vm.steps, vm.vars)
    except VMError as e: print(name, "VMError", e)
    except (ZeroDivisionError, KeyError) as e: print(name, type(e).__name__, e)
