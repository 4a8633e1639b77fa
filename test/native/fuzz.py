#!/usr/bin/env python3
"""Random C programs, compiled and explored by the real chain, compared with machine.py.

    fuzz.py --bin BUILD/bin --work FOLDER [--seed N] [--count N | --seconds S] [--levels 0,1,2] [--algorithms a,b]

Each program is compared at each optimisation level, under every algorithm: final states, deadlock, livelock, races; and the
algorithms with each other: classes of equivalent executions. An exploration that reached a limit must not have found what
is not there. A program that differs is printed with what differs and the command that shows it.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import time
from dataclasses import dataclass

from generator import generate
from machine import Machine, Unsuitable
from program import source, walk

DEADLOCK, RACE, LIVELOCK = 2, 3, 9  # inspect_bug
CHUNK = 40  # programs in one executable


@dataclass
class Found:
    number: int
    algorithm: str
    exhausted: bool
    fell_back: bool
    executions: int
    redundant: int
    classes: int
    finals: set
    kinds: set
    bugs: set
    why: str


def parse(line):
    head, why = line.split(" why=", 1)
    number, algorithm, *fields = head.split(" ")
    f = dict(x.split("=", 1) for x in fields)
    bugs = {b for b in f["bugs"].split(",") if b}
    return Found(int(number), algorithm, f["exhausted"] == "1", f["fell_back"] == "1", int(f["executions"]), int(f["redundant"]),
                 int(f["classes"]), {int(x, 16) for x in f["finals"].split(",") if x}, {int(b.split("@")[0]) for b in bugs}, bugs,
                 why.rstrip("\n"))


def weakly_ordered(program):
    """Has it atomics whose order makes races that no two adjacent accesses show?"""
    weak = ("memory_order_relaxed", "memory_order_acquire", "memory_order_release")
    return any(isinstance(a, str) and a in weak for t in program.threads for s in walk(t) for a in s)


def has_loops(program):
    return any(s[0] == "loop" for t in program.threads for s in walk(t))


def difference(program, expected, found):
    """What is wrong with one exploration; None if nothing is."""
    extra, missed = found.finals - set(expected.finals), set(expected.finals) - found.finals
    if extra:
        return f"final states that cannot be: {sorted(extra)}"
    unknown = found.kinds - {DEADLOCK, RACE, LIVELOCK}
    if unknown:
        return f"bugs of other kinds: {unknown}"
    if RACE in found.kinds and not expected.race and not weakly_ordered(program):
        return "a race that is none"
    for kind, there, name in ((DEADLOCK, expected.deadlock, "deadlock"), (LIVELOCK, expected.livelock, "livelock")):
        if kind in found.kinds and not there:
            return f"a {name} that is none"
    if not found.exhausted:
        return None
    if expected.race and RACE not in found.kinds:
        return "a race is missed"
    if RACE in found.kinds:
        return None
    if missed:
        return f"final states are missed: {sorted((expected.finals[m] for m in missed))}"
    for kind, there, name in ((DEADLOCK, expected.deadlock, "deadlock"), (LIVELOCK, expected.livelock, "livelock")):
        if there and kind not in found.kinds:
            return f"a {name} is missed"
    if found.algorithm == "optimal" and not found.fell_back and found.redundant and not has_loops(program):
        return f"{found.redundant} redundant executions of optimal"
    return None


def disagreement(program, results):
    """Explorations of one program that ended must agree."""
    # How often a loop turns before it is taken to wait may depend on who runs first, when others write to its function's frame.
    comparable = not (has_loops(program) and any(o.place == "stack" for o in program.objects))
    ended = [r for r in results if r.exhausted]
    for r in ended[1:]:
        if r.kinds != ended[0].kinds:
            return f"{ended[0].algorithm} finds bugs {ended[0].bugs}, {r.algorithm} {r.bugs}"
        if not r.kinds and comparable and r.classes != ended[0].classes:
            return f"{ended[0].algorithm} has {ended[0].classes} classes of executions, {r.algorithm} {r.classes}"
        if not r.kinds and r.fell_back == False and r.algorithm in ("source", "optimal") and r.executions > 16 + 2 * r.classes:
            return f"{r.algorithm} has {r.executions} executions of {r.classes} classes"
    return None


class Fuzzer:
    def __init__(self, options):
        self.options = options
        self.bin, self.work = pathlib.Path(options.bin).resolve(), pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.compared = self.failures = self.exhausted = self.explorations = self.executions = 0
        self.algorithms = options.algorithms

    def build(self, programs, name, level):
        text, executable = self.work / f"{name}.c", self.work / f"{name}-O{level}"
        text.write_text(source(programs))
        done = subprocess.run([self.options.compiler or self.bin / "inspect-cc", "-std=gnu17", f"-O{level}", "-g", "-pthread",
                               "-w", text, "-o", executable], capture_output=True, text=True, timeout=300)
        if done.returncode:
            sys.exit(f"{text} does not compile:\n{done.stderr}")
        return executable

    def explore(self, executable, numbers, algorithms):
        command = [self.options.explorer or self.bin / "native_explorer", f"--max-executions={self.options.max_executions}"]
        if self.options.visible_all:
            command.append("--visible-all")
        if self.options.mutation:
            command.append(f"--mutation={self.options.mutation}")
        command += [executable, algorithms, *map(str, numbers)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nfailed: {done.stderr}")
        out = {}
        for line in done.stdout.splitlines():
            found = parse(line)
            out.setdefault(found.number, []).append(found)
        return out

    def run_seeds(self, seeds):
        subjects = []
        for seed in seeds:
            try:
                program = generate(seed)
                subjects.append((seed, program, Machine(program).explore()))
            except Unsuitable:
                continue
        if not subjects:
            return
        name = f"seeds-{seeds[0]}"
        programs = [p for _, p, _ in subjects]
        failed = False
        for level in self.options.levels:
            executable = self.build(programs, name, level)
            results = self.explore(executable, range(len(programs)), self.algorithms)
            for i, (seed, program, expected) in enumerate(subjects):
                failed |= self.judge(seed, program, expected, results[i], level)
            executable.unlink()
        self.compared += len(subjects)
        if not failed:
            (self.work / f"{name}.c").unlink()

    def judge(self, seed, program, expected, results, level):
        failed = False
        for found in results:
            self.explorations += 1
            self.executions += found.executions
            self.exhausted += found.exhausted
            if self.options.verbose:
                print(seed, f"O{level}", found)
            what = difference(program, expected, found)
            if what:
                failed = True
                self.report(seed, program, level, f"{found.algorithm}: {what}", found)
                break
        if not failed:
            what = disagreement(program, results)
            if what:
                failed = True
                self.report(seed, program, level, what, results[0])
        return failed

    def report(self, seed, program, level, what, found):
        self.failures += 1
        path = self.work / f"failed-{seed}.c"
        path.write_text(source([program]))
        print(f"seed {seed}, -O{level}: {what}\n  why: {found.why}\n  {path}\n  shown by: {self.bin}/inspect check --keep-going "
              f"--algorithm={found.algorithm} --max-steps=300 --cflags=-O{level} {path}\n"
              f"  and: {sys.argv[0]} --bin {self.bin} --work {self.work} --seed {seed} --count 1 --levels {level} --verbose",
              flush=True)

    def run(self):
        begin = time.monotonic()
        seed, end = self.options.seed, self.options.seed + self.options.count
        while seed < end and not (self.options.seconds and time.monotonic() - begin > self.options.seconds):
            self.run_seeds(list(range(seed, min(seed + CHUNK, end))))
            seed += CHUNK
            if self.failures and self.options.first_failure:
                break
        print(f"{self.compared} programs at {len(self.options.levels)} optimisation levels: {self.explorations} explorations, "
              f"{self.exhausted} of them exhaustive, {self.executions} executions, {self.failures} differences, "
              f"{time.monotonic() - begin:.0f} s", flush=True)
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="where inspect-cc and native_explorer are")
    parser.add_argument("--work", required=True, help="for programs and executables; those that differ stay there")
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--count", type=int, default=1 << 60)
    parser.add_argument("--seconds", type=float, default=0, help="stop after that time")
    parser.add_argument("--levels", type=lambda t: [int(x) for x in t.split(",")], default=[0, 1, 2])
    parser.add_argument("--algorithms", default="naive,dpor,source,optimal")
    parser.add_argument("--max-executions", type=int, default=1500)
    parser.add_argument("--visible-all", action="store_true")
    parser.add_argument("--first-failure", action="store_true", help="stop there")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--explorer", help="another native_explorer")
    parser.add_argument("--compiler", help="another inspect-cc")
    parser.add_argument("--mutation", help="a row of mutations.def: native_explorer_mutants only")
    options = parser.parse_args()
    os.environ.setdefault("PYTHONHASHSEED", "0")
    return Fuzzer(options).run()


if __name__ == "__main__":
    sys.exit(main())
