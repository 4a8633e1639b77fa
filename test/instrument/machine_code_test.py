#!/usr/bin/env python3
"""The machine code of the hot hooks: no call, no spill, no more instructions than the budgets below.

    machine_code_test.py --bin BIN --objdump LLVM-OBJDUMP SOURCE

A check of cost that no noise can disturb. What a hook does in the usual case is whatever can reach its own return: what is left
for a rare case is a jump to another function in the end, and is not looked at. There a call, a use of the stack or a store is a
failure, and so is a longest way to the return with more instructions than its budget. A change that makes a hook cheaper
lowers the budget with it; one that makes it dearer has to say why here.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

# Function → most instructions on any way from its first to its return. On the own stack one or two ask whether something ended there.
HOOKS = {
    "inspect_read1": 70, "inspect_read2": 76, "inspect_read4": 71, "inspect_read8": 95, "inspect_read16": 35,
    "inspect_write1": 71, "inspect_write2": 77, "inspect_write4": 70, "inspect_write8": 91, "inspect_write16": 39,
}
# Function → its instructions, all of them: straight code.
WHOLE = {"inspect_switch": 22}
# The same, and the only functions it may call: the C library's memcpy, though the program may have one of its own.
SWITCH = ("inspect::runtime::switch_fiber", 67, {"inspect_library_memcpy", "inspect_switch", "inspect::runtime::hand_over"})
# What a turn of a loop costs more than the access in it: counting, and a branch.
TURN = {"instructions": 15, "calls": {"inspect_write4"}}

JUMP = re.compile(r"j\w+$")


class Function:
    def __init__(self, name):
        self.name = name
        self.instructions = []  # (address, mnemonic, operands)

    def index(self):
        return {address: i for i, (address, _, _) in enumerate(self.instructions)}

    def successors(self):
        """For each instruction: where it may go on within the function; None for a return."""
        index = self.index()
        out = []
        for i, (_, mnemonic, operands) in enumerate(self.instructions):
            if mnemonic.startswith("ret"):
                out.append(None)
                continue
            target = re.match(r"0x([0-9a-f]+)", operands) if JUMP.match(mnemonic) else None
            inside = [index[int(target[1], 16)]] if target and int(target[1], 16) in index else []
            falls_through = mnemonic != "jmp" and i + 1 < len(self.instructions)
            out.append(inside + ([i + 1] if falls_through else []))
        return out


def disassemble(objdump, program):
    text = subprocess.run([objdump, "-d", "--demangle", "--no-show-raw-insn", program], check=True, capture_output=True, text=True).stdout
    functions, current = {}, None
    for line in text.splitlines():
        if head := re.match(r"[0-9a-f]+ <(.*)>:$", line):
            name = head[1].split("(")[0] if "anonymous" not in head[1] else head[1]
            current = functions.setdefault(name, Function(name))
        elif (row := re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)", line)) and current:
            if not row[2].startswith("nop") and row[2] != "int3":  # what fills the gaps between functions
                current.instructions.append((int(row[1], 16), row[2], row[3].split("#")[0].strip()))
    return functions


def usual(function):
    """The instructions from which the function's return can be reached, with their successors among these; and the longest way."""
    successors = function.successors()
    reaches, changed = {i for i, s in enumerate(successors) if s is None}, True
    while changed:
        more = {i for i, s in enumerate(successors) if s and i not in reaches and reaches & set(s)}
        reaches |= more
        changed = bool(more)
    lengths = {}

    def longest(i, on_way):
        if i in on_way:
            raise ValueError(f"{function.name}: a loop at {function.instructions[i][0]:x}")
        if i not in lengths:
            lengths[i] = 1 + max((longest(s, on_way | {i}) for s in successors[i] or [] if s in reaches), default=0)
        return lengths[i]

    return sorted(reaches), longest(0, frozenset()) if 0 in reaches else 0


def is_store(mnemonic, operands):
    """Does the instruction change memory? In AT&T order the last operand is the destination."""
    return operands.endswith(")") and not mnemonic.startswith(("cmp", "test", "j", "bt", "lea", "prefetch"))


def complaints(function, budget):
    if function is None:
        return ["is not there"]
    instructions, length = usual(function)
    out = []
    for i in instructions:
        address, mnemonic, operands = function.instructions[i]
        what = f"{address:x}: {mnemonic} {operands}"
        if mnemonic.startswith("call"):
            out.append(f"calls: {what}")
        elif mnemonic.startswith(("push", "pop")) or "%rsp" in operands or "%rbp" in operands:
            out.append(f"uses the stack: {what}")
        elif is_store(mnemonic, operands):
            out.append(f"stores: {what}")
    if not instructions:
        out.append("never returns")
    if length > budget:
        out.append(f"{length} instructions on its longest way, the budget is {budget}")
    return out


def whole_complaints(function, budget, may_call=frozenset()):
    if function is None:
        return ["is not there"]
    out = [f"{len(function.instructions)} instructions, the budget is {budget}"] if len(function.instructions) > budget else []
    for address, mnemonic, operands in function.instructions:
        target = re.search(r"<(.*?)(?:\(.*)?(?:@plt)?>", operands)
        leaves = mnemonic.startswith("call") or (mnemonic == "jmp" and target and "+0x" not in target[1])
        if leaves and not (target and target[1] in may_call):
            out.append(f"calls: {address:x}: {mnemonic} {operands}")
    return out


def turn_complaints(function, budget, may_call):
    """The innermost loop: from the target of the last backward jump to that jump, the way past the counter's rare case."""
    if function is None:
        return ["is not there"]
    index = function.index()
    loops = []
    for i, (_, mnemonic, operands) in enumerate(function.instructions):
        target = re.match(r"0x([0-9a-f]+)", operands) if JUMP.match(mnemonic) else None
        if target and index.get(int(target[1], 16), i + 1) <= i:
            loops.append((index[int(target[1], 16)], i))
    if not loops:
        return ["has no loop"]
    begin, end = min(loops, key=lambda loop: loop[1] - loop[0])
    body = function.instructions[begin:end + 1]
    out = [f"{len(body)} instructions in a turn, the budget is {budget}"] if len(body) > budget else []
    for address, mnemonic, operands in body:
        name = re.search(r"<(.*?)(?:@plt)?>", operands)
        if mnemonic.startswith("call") and (not name or name[1] not in may_call):
            out.append(f"calls: {address:x}: {mnemonic} {operands}")
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    parser.add_argument("--objdump", required=True)
    parser.add_argument("source")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "hot"
        subprocess.run([options.bin / "inspect-cc", "-O1", "-g", "-pthread", options.source, "-o", program], check=True)
        functions = disassemble(options.objdump, program)
    found = {name: complaints(functions.get(name), budget) for name, budget in HOOKS.items()}
    found |= {name: whole_complaints(functions.get(name), budget) for name, budget in WHOLE.items()}
    found[SWITCH[0]] = whole_complaints(functions.get(SWITCH[0]), SWITCH[1], SWITCH[2])
    found["turns"] = turn_complaints(functions.get("turns"), TURN["instructions"], TURN["calls"])
    lines = [f"{name}: {complaint}" for name, list_of in found.items() for complaint in list_of]
    print("\n".join(lines) if lines else f"{len(found)} functions within their budgets")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
