#!/usr/bin/env python3
"""Every operation, and what would notice an error in it: a table.

    operations.py --bin BUILD/bin --work FOLDER --oracle FILE
    operations.py --bin BUILD/bin --work FOLDER --oracle FILE --find SECONDS    prints a new table of seeds, after a change of rare.py

Columns: how many random programs of the model perform it, and the first that notices that its dependence is forgotten (from
FILE, which test/oracle/operations_test.cpp has written); a C program of rare.py that performs it, and does it notice the same?
All comes from what was run just now; an operation that one of the two generators lacks is a failure.
"""
import argparse
import pathlib
import sys
import time

import rare
from rare import CHUNK, Fuzzer, Writer, difference, parse

ALGORITHMS = ",".join(a.name for a in rare.ALGORITHMS if a.automatic)

# operation: seed of a program that performs it, and shows the error if one was found that does.
SEEDS = {
    "ThreadStart": 0, "ThreadCreate": 0, "ThreadExit": 3, "ThreadJoin": 1, "ThreadTryJoin": 3, "ThreadDetach": 3,
    "ProcessExit": 2, "ProcessEnd": 2, "ExitHandler": 41, "MutexLock": 7, "MutexTryLock": 181, "MutexTimedLock": 129,
    "MutexUnlock": 129, "MutexDestroy": 87, "CondWait": 98, "CondWake": 98, "CondSignal": 36, "CondBroadcast": 175,
    "CondDestroy": 276, "ReadLock": 39, "ReadTryLock": 156, "ReadTimedLock": 47, "ReadUnlock": 47, "WriteArrive": 45,
    "WriteLock": 46, "WriteTryLock": 46, "WriteTimedLock": 7, "WriteLeave": 45, "WriteUnlock": 45, "RwLockDestroy": 61,
    "SemWait": 47, "SemTryWait": 55, "SemTimedWait": 16, "SemPost": 16, "SemGetValue": 6, "SemDestroy": 32, "BarrierArrive": 0,
    "BarrierLeave": 0, "BarrierDestroy": 32, "OnceEnter": 35, "OnceDone": 35, "AtomicLoad": 3, "AtomicStore": 3, "AtomicRmw": 3,
    "AtomicCas": 23, "PlainRead": 2, "PlainWrite": 7, "Free": 231, "FutexWait": 18, "FutexWake": 18, "FutexResume": 18, "FileRead": 2,
    "FileOperation": 2, "SignalSend": 14, "AtomicSection": 53, "Choice": 23, "AssumeFailed": 25, "SpinWait": 34, "External": 14,
}
# No C program found yet that shows it, or there is nothing to forget.
NOT_SHOWN = {
    "ThreadStart", "ThreadCreate", "ThreadJoin", "ThreadDetach", "ProcessExit", "ProcessEnd", "MutexInit", "MutexDestroy",
    "CondWait", "CondWake", "CondSignal", "CondBroadcast", "CondDestroy", "ReadLock", "ReadTryLock", "WriteLock",
    "WriteTimedLock", "RwLockDestroy", "SemWait", "SemTryWait", "SemGetValue", "SemDestroy", "BarrierArrive", "BarrierLeave",
    "BarrierDestroy", "OnceEnter", "OnceDone", "AtomicCas", "Fence", "PlainRead", "PlainWrite", "Free", "FutexWait",
    "FutexResume", "Choice", "AssumeFailed", "SpinWait",
}
# The runtime has no such transition: a fence orders nothing under sequential consistency, and to initialise is to write memory.
NEVER = {"MutexInit", "Fence"}


class Chain:
    def __init__(self, options):
        self.plain = Fuzzer(options)
        self.mutants = Fuzzer(options, explorer="native_explorer_mutants")
        self.expected = {}  # (program, flags): {algorithm: Found}

    def build(self, seeds):
        return self.plain.build([Writer(s) for s in seeds], self.plain.work / "operations")

    def results(self, executable, number, flags):
        if (number, flags) not in self.expected:
            self.expected[number, flags] = [parse(x) for x in self.plain.explore(executable, [number], ALGORITHMS, *flags)]
        return self.expected[number, flags]

    def performed(self, executable, number, name):
        return any(name in f.operations for f in self.results(executable, number, flags_for(name)))

    def notices(self, executable, number, name):
        flags = flags_for(name)
        right = self.results(executable, number, flags)
        wrong = self.mutants.explore(executable, [number], ALGORITHMS, f"--forgotten={name}", *flags)
        return all(f.exhausted for f in right) and any(difference(f, parse(x)) for f, x in zip(right, wrong))


def flags_for(name):
    return ("--visible-all",) if name in ("PlainRead", "PlainWrite", "Free") else ()


def verify(chain, oracle):
    seeds = sorted(set(SEEDS.values()))
    executable = chain.build(seeds)
    failed = 0
    print(f"{'operation':16} {'model':>8} {'mutant':>8} {'C program':>10} mutant")
    for line in pathlib.Path(oracle).read_text().splitlines():
        name, programs, model = line.split("\t")
        seed = SEEDS.get(name)
        there = seed is not None and chain.performed(executable, seeds.index(seed), name)
        noticed = there and name not in NOT_SHOWN and chain.notices(executable, seeds.index(seed), name)
        wrong = name not in NEVER and (not int(programs) or not there or (not noticed and name not in NOT_SHOWN))
        failed += wrong
        print(f"{name:16} {programs:>8} {model:>8} {seed if there else '-':>10} {'noticed' if noticed else '-'}{'  MISSING' * wrong}")
    executable.unlink()
    return 1 if failed else 0


def find(chain, seconds, names):
    end, first, performed, shown = time.monotonic() + seconds, 0, {}, {}
    while time.monotonic() < end and len(shown) < len(names):
        seeds = list(range(first, first + CHUNK))
        executable = chain.build(seeds)
        chain.expected.clear()
        for number, seed in enumerate(seeds):
            for flags in ((), ("--visible-all",)):
                found = chain.results(executable, number, flags)
                quick = all(f.exhausted and f.executions < 100 for f in found)
                for name in sorted({n for f in found for n in f.operations} & set(names)):
                    if flags_for(name) != flags or not quick or name in shown:
                        continue
                    performed.setdefault(name, seed)
                    if chain.notices(executable, number, name):
                        shown[name] = seed
            if time.monotonic() > end:
                break
        first += CHUNK
    print("SEEDS = {")
    for name in names:
        if name in performed:
            print(f'    "{name}": {shown.get(name, performed[name])},')
    print("}\nNOT_SHOWN =", {n for n in names if n not in shown}, "\nnot performed:", [n for n in names if n not in performed])
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--oracle", required=True)
    parser.add_argument("--find", type=float, default=0, metavar="SECONDS")
    options = parser.parse_args()
    chain = Chain(options)
    if options.find:
        return find(chain, options.find, [x.split("\t")[0] for x in pathlib.Path(options.oracle).read_text().splitlines()])
    return verify(chain, options.oracle)


if __name__ == "__main__":
    sys.exit(main())
