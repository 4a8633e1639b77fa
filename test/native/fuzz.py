#!/usr/bin/env python3
"""Random C programs, compiled and explored by the real chain, compared with interpreter.py.

    fuzz.py --bin BUILD/bin --work FOLDER [--seed N] [--count N] [--seconds S] [--levels 0,1,2] [--algorithms reduced|best|a,b]

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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import bug_kinds  # noqa: E402
from algorithms import BEST, OPTIMAL, chosen  # noqa: E402
from generator import Generator  # noqa: E402
from interpreter import Interpreter, Unsuitable  # noqa: E402
from program import source, walk  # noqa: E402
from waits import WaitsGenerator  # noqa: E402
from wide import WideGenerator  # noqa: E402

DEADLOCK, RACE, MEMORY, LIVELOCK = map(bug_kinds.number, ("deadlock", "data-race", "memory-error", "livelock"))
CHUNK = 40  # programs in one executable
FIRST_WAITS, FIRST_WIDE = 1 << 19, 1 << 20  # seeds from here on are of waits.py, of wide.py


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
    unknown = found.kinds - {DEADLOCK, RACE, MEMORY, LIVELOCK}
    if unknown:
        return f"bugs of other kinds: {unknown}"
    if RACE in found.kinds and not expected.race and not weakly_ordered(program):
        return "a race that is none"
    if MEMORY in found.kinds and not expected.memory and not weakly_ordered(program):
        return "a memory error that is none"
    # A loop that would wait for a lock which is never given back is called either.
    for kind, there, name in ((DEADLOCK, expected.deadlock, "deadlock"), (LIVELOCK, expected.livelock or expected.deadlock, "livelock")):
        if kind in found.kinds and not there:
            return f"a {name} that is none"
    if not found.exhausted:
        return None
    if (expected.race or expected.memory) and not found.kinds & {RACE, MEMORY}:
        return "a race or a memory error is missed"
    if found.kinds & {RACE, MEMORY}:
        return None
    if missed:
        return f"final states are missed: {sorted((expected.finals[m] for m in missed))}"
    for kind, there, name in ((DEADLOCK, expected.deadlock, "deadlock"), (LIVELOCK, expected.livelock, "livelock")):
        if there and not found.kinds & {kind, LIVELOCK}:
            return f"a {name} is missed"
    if found.algorithm in OPTIMAL and not found.fell_back and found.redundant and not has_loops(program):
        return f"{found.redundant} redundant executions of {found.algorithm}"
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
        if not r.kinds and r.fell_back == False and r.algorithm in BEST and r.executions > 16 + 2 * r.classes:
            return f"{r.algorithm} has {r.executions} executions of {r.classes} classes"
    return None


def check(program, expected, results):
    """What is wrong with the explorations of a program, as (exploration, text); None if nothing is."""
    for found in results:
        what = difference(program, expected, found)
        if what:
            return found, f"{found.algorithm}: {what}"
    what = disagreement(program, results)
    return (results[0], what) if what else None


@dataclass
class Chain:
    """Compiler and explorer, as they are or with a deliberate error."""
    bin: pathlib.Path
    compiler: pathlib.Path
    explorer: pathlib.Path
    max_executions: int
    visible_all: bool = False
    spurious: bool = False

    def build(self, programs, stem, level):
        text, executable = stem.with_suffix(".c"), stem.with_name(f"{stem.name}-O{level}")
        text.write_text(source(programs))
        done = subprocess.run([self.compiler, "-std=gnu17", f"-O{level}", "-g", "-pthread", "-w", text, "-o", executable],
                              capture_output=True, text=True, timeout=300)
        if done.returncode:
            sys.exit(f"{text} does not compile:\n{done.stderr}")
        return executable

    def explore(self, executable, numbers, algorithms, mutation=None, runtime_mutation=None):
        command = [self.explorer, f"--max-executions={self.max_executions}"] + ["--visible-all"] * self.visible_all
        command += ["--spurious-wakeups"] * self.spurious
        command += [f"--mutation={mutation}"] * bool(mutation) + [executable, algorithms, *map(str, numbers)]
        environment = os.environ | ({"INSPECT_MUTANT": runtime_mutation} if runtime_mutation else {})
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800, env=environment)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nfailed: {done.stderr}")
        out = {}
        for line in done.stdout.splitlines():
            found = parse(line)
            out.setdefault(found.number, []).append(found)
        return out


def generate(seed):
    return (WideGenerator if seed >= FIRST_WIDE else WaitsGenerator if seed >= FIRST_WAITS else Generator)(seed).program()


def subjects_of(seeds, spurious=False):
    """Programs with what they do: (seed, program, behaviour)."""
    out = []
    for seed in seeds:
        program = generate(seed)
        try:
            out.append((seed, program, Interpreter(program, spurious=spurious).explore()))
        except Unsuitable:
            pass
    return out


class Fuzzer:
    def __init__(self, options):
        self.options = options
        bin = pathlib.Path(options.bin).resolve()
        self.chain = Chain(bin, bin / "inspect-cc", bin / "native_explorer", options.max_executions, options.visible_all,
                           options.spurious_wakeups)
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.compared = self.failures = self.exhausted = self.explorations = self.executions = 0

    def run_seeds(self, seeds):
        subjects = subjects_of(seeds, self.options.spurious_wakeups)
        stem = self.work / f"seeds-{seeds[0]}"
        for level in self.options.levels:
            executable = self.chain.build([p for _, p, _ in subjects], stem, level)
            results = self.chain.explore(executable, range(len(subjects)), self.options.algorithms)
            for i, (seed, program, expected) in enumerate(subjects):
                self.judge(seed, program, expected, results[i], level)
            executable.unlink()
        stem.with_suffix(".c").unlink()
        self.compared += len(subjects)

    def judge(self, seed, program, expected, results, level):
        for found in results:
            self.explorations += 1
            self.executions += found.executions
            self.exhausted += found.exhausted
            if self.options.verbose:
                print(seed, f"O{level}", found)
        wrong = check(program, expected, results)
        if wrong:
            self.failures += 1
            self.report(seed, program, level, *wrong)

    def report(self, seed, program, level, found, what):
        path = self.work / f"failed-{seed}.c"
        path.write_text(source([program]))
        visible = " --visible=all" * self.options.visible_all + " --spurious-wakeups" * self.options.spurious_wakeups
        print(f"seed {seed}, -O{level}: {what}\n  {found.why}\n  {path}\n  {self.chain.bin}/inspect check --keep-going{visible} "
              f"--algorithm={found.algorithm} --max-steps=300 --cflags=-O{level} {path}\n"
              f"  {sys.argv[0]} --bin {self.chain.bin} --work {self.work} --seed {seed} --count 1 --levels {level} --verbose"
              f"{' --visible-all' * self.options.visible_all}{' --spurious-wakeups' * self.options.spurious_wakeups}", flush=True)

    def run(self):
        begin = time.monotonic()
        seed, end = self.options.seed, self.options.seed + self.options.count
        while seed < end and not (self.options.seconds and time.monotonic() - begin > self.options.seconds):
            self.run_seeds(range(seed, min(seed + CHUNK, end)))
            seed += CHUNK
        print(f"{self.compared} programs at {len(self.options.levels)} optimisation levels: {self.explorations} explorations, "
              f"{self.exhausted} of them exhaustive, {self.executions} executions, {self.failures} differences, "
              f"{time.monotonic() - begin:.0f} s", flush=True)
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="where inspect-cc and native_explorer are")
    parser.add_argument("--work", required=True, help="for programs and executables; those that differ stay there")
    parser.add_argument("--seed", type=int, default=0, help="of the first program")
    parser.add_argument("--fresh", action="store_true",
                        help="other programs each time, for ten minutes (INSPECT_FUZZ_SEED, INSPECT_FUZZ_SECONDS)")
    parser.add_argument("--count", type=int, default=1 << 60)
    parser.add_argument("--seconds", type=float, default=0, help="stop after that time")
    parser.add_argument("--levels", type=lambda t: [int(x) for x in t.split(",")], default=[0, 1, 2])
    parser.add_argument("--algorithms", type=chosen, default="plain", help="names, or one of plain, reduced, best")
    parser.add_argument("--max-executions", type=int, default=1500)
    parser.add_argument("--visible-all", action="store_true")
    parser.add_argument("--spurious-wakeups", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.fresh:
        options.seed = int(os.environ.get("INSPECT_FUZZ_SEED", int(time.time()) * 1000))
        options.seconds = float(os.environ.get("INSPECT_FUZZ_SECONDS", 600))
        print(f"first seed: {options.seed}", flush=True)
    return Fuzzer(options).run()


if __name__ == "__main__":
    sys.exit(main())
