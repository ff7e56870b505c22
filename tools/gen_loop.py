"""Builds the interpreter loop from the instruction fragments: ``vm/instructions/*.pxi`` -> ``vm/loop.pxi``.

A fragment is Cython code: ``case OP_A, OP_B:`` starts the body of an opcode.  A body before which a line
``family X, Y = (ADD, add), (SUB, sub)`` stands is stamped once for each row, with ``$X`` and ``$Y`` replaced.  Vocabulary:

==================  ==============================================================================
``$A`` ``$B`` ``$C``  the registers of the operands (Value lvalues)
``$a`` ``$b`` ``$c``  the operand numbers; ``$sb`` ``$sc`` signed, ``$imm`` the 32-bit one
``NEXT``            go on with the next instruction (as a statement of its own: jump straight to its body)
``RAISE``           an exception is set: unwind
``RELOAD``          take over the state of vm.frame after a frame was pushed or popped
``TICK``            count a call, in the frame just pushed; now and then a safepoint
``ALIVE``           before an effect that others can see: none once the run was stopped, by a finalizer that kept it to itself
``IN_LOOP``         whether this is the loop: what follows does for some instructions at once
``EDGE``            the same for a jump: an interrupt belongs to the jump, not to the instruction that it goes to
==================  ==============================================================================

The same bodies make ``vm/step.pxi``: a function that executes one instruction, for the hot tier.

The build runs this before Cython; the files that it writes are not kept in version control.
"""
import importlib.util
import pathlib
import re

VM = pathlib.Path(__file__).resolve().parent.parent / "kimi_runtime" / "vm"
_spec = importlib.util.spec_from_file_location("opcodes", VM.parent / "bytecode" / "opcodes.py")
opcodes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(opcodes)
ORDER = ["moves", "arithmetic", "compare", "names", "attributes", "iterate", "calls", "collections", "exceptions", "misc"]
WORDS = {
    "$A": "R[ins.a]", "$B": "R[ins.t.abc.b]", "$C": "R[ins.t.abc.c]",
    "$a": "ins.a", "$b": "ins.t.abc.b", "$c": "ins.t.abc.c",
    "$sb": "<int16_t>ins.t.abc.b", "$sc": "<int16_t>ins.t.abc.c", "$imm": "ins.t.imm",
}
MACROS = {
    "RELOAD": [
        "f = vm.frame",
        "R = f.regs",
        "skew += <int64_t>f.ip - <int64_t>ip",
        "ip = f.ip",
        "K = (<Code>f.code).consts",
        "caches = (<Code>f.code).caches",
        "ft = (<Code>f.code).first_temp",
    ],
    "TICK": [
        "vm.slice -= 1",
        "if K_UNLIKELY(vm.slice < 0):",
        "    f.ip = ip",
        "    vm.instructions += <uint64_t>(<int64_t>ip - skew) >> 3",
        "    skew = <int64_t>ip",
        "    status = slice_over(vm)",
        "    if status:",
        "        if status != SLICE_RAISED:",
        "            f = vm.frame",
        "            skew += <int64_t>f.ip - <int64_t>ip",
        "            ip = f.ip",
        "            failed = status == SLICE_FAILED",
        "        break",
    ],
    "ALIVE": [
        "if K_UNLIKELY(vm.slice <= 0) and is_stopped(vm):",
        "    f.ip = ip",
        "    raise_stop(vm.meter)",
        "    break",
    ],
    "EDGE": [
        "vm.slice -= 1",
        "if K_UNLIKELY(vm.slice < 0):",
        "    f.ip = ip",
        "    vm.instructions += <uint64_t>(<int64_t>ip - skew) >> 3",
        "    skew = <int64_t>ip",
        "    status = slice_over(vm)",
        "    if status:",
        "        if status == SLICE_RAISED:",
        "            skew += <int64_t>(ins + 1) - <int64_t>ip",
        "            ip = ins + 1",
        "        else:",
        "            f = vm.frame",
        "            skew += <int64_t>f.ip - <int64_t>ip",
        "            ip = f.ip",
        "            failed = status == SLICE_FAILED",
        "        break",
    ],
}
#: The same words in the function that executes one instruction (``vm/step.pxi``): it returns instead of going on.
STEP_MACROS = {
    "RELOAD": [line for line in MACROS["RELOAD"] if not line.startswith("skew ")],      # it counts no instructions
    "TICK": [
        "vm.slice -= 1",
        "if K_UNLIKELY(vm.slice < 0):",
        "    f.ip = ip",
        "    if slice_ends(vm) < 0:",
        "        return STEP_RAISED",
    ],
    "ALIVE": [
        "if K_UNLIKELY(vm.slice <= 0) and is_stopped(vm):",
        "    f.ip = ip",
        "    raise_stop(vm.meter)",
        "    return STEP_RAISED",
    ],
    "EDGE": [
        "vm.slice -= 1",
        "if K_UNLIKELY(vm.slice < 0):",
        "    f.ip = ip",
        "    if slice_ends(vm) < 0:",
        "        f.ip = ins + 1",
        "        return STEP_RAISED",
    ],
    "NEXT": ["f.ip = ip", "return STEP_DONE"],
}
#: Instructions that one does as well: TRY_GETATTR where its cache knows the answer, BUILD_SLICE where no slice object is needed.
DONE_TOO = re.compile(r"ip \+= (\d+)")
#: What is left to the loop: it belongs to how the loop is entered and left.
NOT_STEPPED = {"YIELD", "YIELD_FROM", "SAMPLE"}
#: A copy of a Value becomes two: reading 16 bytes at once that were just written as two words costs a stall, and a variable
#: that is copied as a whole cannot live in machine registers.
_COPY = re.compile(r"(\s*)(v|w|e|e2|slot\[0\]) = (v|w|e|e2|\$[ABC]|slot\[0\]|K\[[^]]*\]|R\[[^]]*\])$")
_WORD = re.compile(r"\$(imm|sb|sc|[A-Ca-c])\b")


def parse(text, name):
    """Yields (line number, opcode names, body lines) with families stamped out."""
    lines = text.split("\n")
    family = None
    i = 0
    while i < len(lines):
        line = lines[i]
        if line.startswith("family "):
            head, rows = line[len("family "):].split("=", 1)
            while not rows.rstrip().endswith(")"):
                i += 1
                rows += lines[i]
            names = [n.strip() for n in head.split(",")]
            family = names, [[x.strip() for x in row.split(",")] for row in re.findall(r"\(([^)]*)\)", rows)]
            i += 1
        elif line.startswith("case "):
            start = i + 1
            body = []
            head = line[5:].rstrip().rstrip(":")
            i += 1
            while i < len(lines) and (not lines[i].strip() or lines[i].startswith(" ")):
                body.append(lines[i])
                i += 1
            while body and not body[-1].strip():
                body.pop()
            for row in (family[1] if family else [[]]):
                stamped = [head, *body]
                for key, value in zip(family[0] if family else [], row, strict=True):
                    stamped = [s.replace("$" + key + "$", value) for s in stamped]
                yield start, [n.strip() for n in stamped[0].split(",")], stamped[1:]
            family = None
        elif not line.strip() or line.startswith("#"):
            i += 1
        else:
            raise SystemExit(f"{name}:{i + 1}: neither a case nor a family: {line!r}")


def fieldwise(body):
    """The lines with each copy of a Value made field by field."""
    for text in body:
        copy = _COPY.match(text)
        if copy:
            yield f"{copy[1]}{copy[2]}.tag = {copy[3]}.tag"
            yield f"{copy[1]}{copy[2]}.u.i = {copy[3]}.u.i"
        else:
            yield text


def step_file(parts):
    """Text of ``step.pxi``: the bodies of all instructions once more, in a function that executes one and returns."""
    out = ["# Generated by tools/gen_loop.py from vm/instructions/: do not edit."]
    out += (VM / "instructions" / "_step_head.pxi").read_text().rstrip("\n").split("\n")
    word = "if"
    for path, line, names, body in parts:
        names = [name for name in names if name not in NOT_STEPPED]
        if not names:
            continue
        test = f"op == OP_{names[0]}" if len(names) == 1 else "op in (" + ", ".join(f"OP_{n}" for n in names) + ")"
        out.append(f"        {word} {test}:  # {path.name}:{line}")
        word = "elif"
        if "RETURN" in names[0]:
            out += ["            if f.flags != 0:", "                return STEP_LEFT"]
        for text in fieldwise(body):
            text = _WORD.sub(lambda m: WORDS[m.group(0)], text).replace("IN_LOOP", "False")
            indent = "        " + text[: len(text) - len(text.lstrip())]
            bare = text.strip()
            if bare in STEP_MACROS:
                out += [indent + s for s in STEP_MACROS[bare]]
            elif bare == "ip = ins":            # once more, now that its cache is filled
                out += [indent + "f.ip = ins", indent + "return STEP_AGAIN"]
            elif done := DONE_TOO.fullmatch(bare):
                out += [indent + bare, indent + f"vm.instructions += {done[1]}"]
            elif bare.startswith("return "):
                out.append(indent + "return STEP_LEFT")
            elif not bare.startswith("vm.instructions +="):
                text = re.sub(r"\bRAISE\b", "break", text)
                out.append("        " + text if bare else "")
    out += ["        else:", "            return STEP_LEFT", "        break", "    f.ip = ip", "    return STEP_RAISED"]
    return "\n".join(out) + "\n"


def dispatch_files():
    """The direct jump from the end of one instruction to the body of the next: texts of ``dispatch.h`` and ``dispatch.pxi``.

    Labels and computed jumps do not exist in Cython, so each body starts with a macro that is a label and ends in the macro
    that jumps; they use the C names that Cython gives to the locals of run(). With another compiler the macros are empty, and
    the `continue` after each jump goes to the switch. The table that is jumped by can be changed while it is used: see
    ``vm/sampling.h``.
    """
    names = [op.name for op in opcodes.TABLE]
    macros = "".join(f"#define K_AT_{name}() k_at_{name}:\n" for name in names)
    empty = "".join(f"#define K_AT_{name}()\n" for name in names)
    table = ", ".join(f"&&k_at_{name}" for name in names)
    jumps = {op.name: next((1 if field == "imm" else 2 for field, role in op.operands if role == "jump"), 0)
             for op in opcodes.TABLE}
    flow = ", ".join(str(jumps[name] | (4 if name in opcodes.NO_FALL_THROUGH else 0)) for name in names)
    header = f"""/* Generated by tools/gen_loop.py: do not edit. */
#ifndef KIMI_DISPATCH_H
#define KIMI_DISPATCH_H
#include <stdint.h>
enum {{ K_OPCODES = {len(names)}, K_JUMPS_IMM = 1, K_JUMPS_C = 2, K_NO_FALL = 4 }};
static const uint8_t k_flow[] = {{{flow}}};
#ifdef __GNUC__
#define K_TABLE() \\
    static const void *const k_bodies[] = {{{table}}}; \\
    static const void *k_table[] __attribute__((used)) = {{{table}}}
#define K_NEXT() do {{ assert(PyErr_Occurred() == NULL); __pyx_v_ins = __pyx_v_ip++; goto *k_table[__pyx_v_ins->op]; }} while (0)
#define K_TABLES() k_note_tables(k_table, k_bodies, &&k_at_SAMPLE)
#define K_AS_EVER() do {{ if (__pyx_v_ins->op != K_OPCODES - 1) goto *k_bodies[__pyx_v_ins->op]; }} while (0)
{macros}#else
#define K_TABLE()
#define K_NEXT()
#define K_TABLES()
#define K_AS_EVER()
{empty}#endif
#endif
"""
    assert names[-1] == "SAMPLE"
    declared = ["K_TABLE", "K_NEXT", "K_TABLES", "K_AS_EVER", *(f"K_AT_{name}" for name in names)]
    lines = ["# Generated by tools/gen_loop.py: do not edit.", 'cdef extern from "dispatch.h":']
    lines += [f"    void {name}() noexcept" for name in declared]
    return header, "\n".join(lines) + "\n"


def write_if_changed(path, text):
    """Keeps the file's time when nothing changed, so that the build has nothing to do."""
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def generate():
    """Writes ``loop.pxi`` when it is out of date; returns the opcode names it covers, in order."""
    out = ["# Generated by tools/gen_loop.py from vm/instructions/: do not edit."]
    head = (VM / "instructions" / "_head.pxi").read_text().rstrip("\n").split("\n")
    tail = (VM / "instructions" / "_tail.pxi").read_text().rstrip("\n").split("\n")
    for text in head:
        indent = text[: len(text) - len(text.lstrip())]
        out += [indent + s for s in MACROS[text.strip()]] if text.strip() in MACROS else [text]
    covered = []
    parts = []
    word = "if"
    for part in ORDER:
        path = VM / "instructions" / f"{part}.pxi"
        for line, names, body in parse(path.read_text(), path.name):
            covered += names
            parts.append((path, line, names, body))
            test = f"op == OP_{names[0]}" if len(names) == 1 else "op in (" + ", ".join(f"OP_{n}" for n in names) + ")"
            out.append(f"            {word} {test}:  # {path.name}:{line}")
            word = "elif"
            out += [f"                K_AT_{n}()" for n in names]
            for text in fieldwise(body):
                text = _WORD.sub(lambda m: WORDS[m.group(0)], text).replace("IN_LOOP", "True")
                indent = text[: len(text) - len(text.lstrip())]
                if text.strip() in MACROS:
                    out += ["            " + indent + s for s in MACROS[text.strip()]]
                    continue
                jump = re.match(r"(\s*)ip (\+?)= (.*)", text)
                if jump and jump[3] != "ins" and not DONE_TOO.fullmatch(text.strip()):
                    # Jumps are left out of the count of instructions, which is the way that ip went. An instruction that is
                    # executed again, now that its cache is filled, counts once, and what one does for those after it counts as
                    # if they had been executed: caches change no count.
                    way = f"<int64_t>({jump[3]}) * 8" if jump[2] else f"<int64_t>({jump[3]}) - <int64_t>ip"
                    out.append(f"            {jump[1]}skew += {way}")
                if text.strip() == "NEXT":
                    out += ["            " + indent + "K_NEXT()", "            " + indent + "continue"]
                    continue
                text = re.sub(r"\bNEXT\b", "continue", re.sub(r"\bRAISE\b", "break", text))
                text = re.sub(r"(?<![.\w])op\b", "ins.op", text)       # a jump to the body leaves the variable as it was
                out.append("            " + text if text.strip() else "")
    out += tail
    text = "\n".join(out) + "\n"
    write_if_changed(VM / "loop.pxi", text)
    write_if_changed(VM / "step.pxi", step_file(parts))
    header, declarations = dispatch_files()
    write_if_changed(VM / "dispatch.h", header)
    write_if_changed(VM / "dispatch.pxi", declarations)
    return covered


if __name__ == "__main__":
    print(f"{len(generate())} opcodes")
