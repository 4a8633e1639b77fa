#!/usr/bin/env python3
"""Random sequential C programs: what inspect-symbolic says they compute, for given inputs, against what the interpreter computes.

    arithmetic_test.py CLANG INSPECT_SYMBOLIC INCLUDE

Each program mixes types of all widths, signed and unsigned, loops, branches, arrays, structures and pointers, without undefined behaviour,
and prints a number when it runs. With the same inputs, which are free but for an assumption, the number must be verified, and another
refuted. INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose other programs than those of CI.
"""

import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

TYPES = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
BITCODE = ["-std=gnu17", "-D__INSPECT__", "-O1", "-Xclang", "-disable-llvm-passes", "-ftrivial-auto-var-init=zero", "-g", "-w", "-emit-llvm", "-c"]
HEAD = """#include <stdio.h>
#include <assert.h>
#include <inspect/inspect.h>
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = []

    def expression(self, depth):
        r = self.random
        if depth == 0 or r.random() < 0.15:
            if self.variables and r.random() < 0.75:
                return r.choice(self.variables)
            return f"({r.choice(TYPES)}){r.choice([0, 1, -1, 2, 7, 100, 255, -128, 32768, 65535, 2147483647, r.randrange(-10**9, 10**9)])}L"
        a, b = self.expression(depth - 1), self.expression(depth - 1)
        kind = r.randrange(9)
        if kind < 3:
            return f"(long)((unsigned long)({a}) {r.choice(['+', '-', '*', '&', '|', '^'])} (unsigned long)({b}))"
        if kind == 3:
            return f"(({r.choice(['unsigned', 'unsigned short', 'unsigned char'])})({a}) {r.choice('/%')} ((({b}) & 63) | 1))"
        if kind == 4:  # no most negative number is divided by minus one
            return f"((int)({a}) / 2 {r.choice('/%')} (int)((({b}) & 15) - 20))"
        if kind == 5:
            t, width = r.choice([("unsigned", 31), ("int", 31), ("long", 63), ("unsigned long", 63)])
            if r.random() < 0.5:
                return f"(({t})({a}) >> (({b}) & {width}))"
            return f"((unsigned long)({a}) << (({b}) & 63))"
        if kind == 6:
            return f"(({a}) {r.choice(['<', '<=', '==', '!=', '>', '>='])} ({b}))"
        if kind == 7:
            return f"(({a}) ? ({b}) : ({self.expression(depth - 1)}))"
        return f"({r.choice(TYPES)})({a})"

    def statement(self, depth):
        r = self.random
        kind = r.randrange(7) if depth else 0
        if kind < 2:
            return f"v{r.randrange(4)} = {self.expression(2)};"
        if kind == 2:
            return f"if ({self.expression(1)}) {{ {self.statement(depth - 1)} }} else {{ {self.statement(depth - 1)} }}"
        if kind == 3:
            i = f"i{depth}"
            return f"for (int {i} = 0; {i} < {r.randrange(1, 4)}; {i}++) {{ {self.statement(depth - 1)} a[({i} + v1) & 3] += {i}; }}"
        if kind == 4:
            return f"a[({self.expression(1)}) & 3] = {self.expression(1)}; v{r.randrange(4)} = a[({self.expression(1)}) & 3];"
        if kind == 5:
            return f"p = {r.choice(['&s', '&other'])}; p->{r.choice(['c', 'l', 'u'])} = {self.expression(1)}; v{r.randrange(4)} ^= p->{r.choice(['c', 'l', 'u'])};"
        cases = " ".join(f"case {n}: {self.statement(depth - 1)} {r.choice(['break;', ''])}" for n in range(3))
        return f"switch (({self.expression(1)}) & 3) {{ {cases} default: v0++; }}"

    def program(self):
        r = self.random
        inputs = [(r.choice(["int", "uint", "short", "uchar", "long", "ulong"]), r.choice([0, 1, 77, 254, r.randrange(2**31)])) for _ in range(3)]
        names = {"int": "int", "uint": "unsigned", "short": "short", "uchar": "unsigned char", "long": "long", "ulong": "unsigned long"}
        self.variables = ["x0", "x1", "x2"] + [f"v{i}" for i in range(4)]
        text = HEAD + "struct part { signed char c; long l; unsigned short u; } s, other = {1, 2, 3}, *p = &s;\nshort a[4] = {1, 2, 3, 4};\nint main(void) {\n"
        for i, (kind, value) in enumerate(inputs):
            text += f"  {names[kind]} x{i} = ({names[kind]}){value}L;\n#ifndef NATIVE\n  x{i} = __VERIFIER_nondet_{kind}();\n"
            text += f"  __VERIFIER_assume(x{i} == ({names[kind]}){value}L);\n#endif\n"
        for i in range(4):
            text += f"  {r.choice(TYPES)} v{i} = {i};\n"
        for _ in range(5):
            text += f"  {self.statement(2)}\n"
        text += "  unsigned long sum = (unsigned long)v0 * 3 + (unsigned long)v1 * 5 + (unsigned long)v2 * 7 + v3 + s.c + s.l + s.u + other.c + other.l + other.u;\n"
        text += "  for (int i = 0; i < 4; i++) sum = sum * 31 + a[i];\n"
        return text + "#ifdef NATIVE\n  printf(\"%lu\", sum);\n#else\n  assert(sum == RESULT);\n#endif\n  return 0;\n}\n"


def judge(seed, tools):
    """Empty, or what is wrong; None if there was no answer in time."""
    clang, symbolic, include = tools
    with tempfile.TemporaryDirectory() as folder:
        source, native, code = (str(pathlib.Path(folder) / name) for name in ("program.c", "program", "program.bc"))
        pathlib.Path(source).write_text(Generator(seed).program())
        subprocess.run([clang, "-std=gnu17", "-DNATIVE", "-fsanitize=undefined", "-fno-sanitize-recover=all", "-w", f"-I{include}", source, "-o", native], check=True)
        ran = subprocess.run([native], capture_output=True, text=True)
        if ran.returncode:
            return f"seed {seed}: undefined behaviour, or a signal: {ran.stderr}"
        answers = []
        for result in (int(ran.stdout), int(ran.stdout) ^ 1):
            subprocess.run([clang, *BITCODE, f"-I{include}", f"-DRESULT={result}UL", source, "-o", code], check=True)
            answers.append(subprocess.run([symbolic, "--time-limit=20", code], capture_output=True, text=True))
        if any("time limit" in a.stdout for a in answers):
            return None
        if [a.returncode for a in answers] != [0, 1]:
            return f"seed {seed}: {ran.stdout}: {answers[0].stdout}{answers[1].stdout}{answers[0].stderr}"
        return ""


def main():
    tools = [sys.argv[1], *(pathlib.Path(p).resolve() for p in sys.argv[2:4])]
    first, count = int(os.environ.get("INSPECT_FUZZ_SEED", 1)), int(os.environ.get("INSPECT_FUZZ_COUNT", 12))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = list(pool.map(lambda seed: judge(seed, tools), range(first, first + count)))
    wrong = [f for f in findings if f]
    print(*wrong[:5], f"{count} programs, {findings.count(None)} without an answer, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or findings.count(None) * 2 > count else 0


if __name__ == "__main__":
    sys.exit(main())
