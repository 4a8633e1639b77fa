#!/usr/bin/env python3
"""Random C programs full of data races: behind them, every final state must be found, and no other.

    known_races.py --bin BUILD/bin --prefix BUILD/test/native/mutants --work FOLDER [--seed N] [--count N]

Threads read and write plain (volatile) variables, also within locks and beside atomics. What they can come to is enumerated here,
one access a step, and compared with what each algorithm sees when races do not end an execution. With the runtime's error
races_make_no_points some program must differ.
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from algorithms import AUTOMATIC, PLAIN  # noqa: E402

VARIABLES = "xyz"  # mostly the first two


class Program:
    """Each thread is a list of (operation, variable, number); local values are summed up with weights."""

    def __init__(self, seed):
        r = random.Random(seed)
        self.seed = seed
        count = r.choice((2, 2, 3))
        self.threads = [self.body(r, 5 - count) for _ in range(count)]
        self.place = r.choice(("global", "heap", "packed"))

    @staticmethod
    def body(r, most):
        out = []
        for _ in range(r.randint(1, most)):
            kind = r.choice(("read", "write", "add", "add", "locked_add", "fetch_add", "if"))
            out.append((kind, r.choice("xxxyyz"), r.randint(1, 3)))
        return out

    @staticmethod
    def steps(op):
        """An operation as single steps on (memory, locals, thread)."""
        kind, v, n = op

        def load(m, l, t):
            l[t] = (l[t] * 5 + m[v]) & 0xffff

        def store(m, l, t):
            m[v] = n

        def store_sum(m, l, t):
            m[v] = (l[t] + n) & 0xff

        def lock(m, l, t):
            m["lock"] = 1

        def unlock(m, l, t):
            m["lock"] = 0

        def fetch_add(m, l, t):
            m[v] = (m[v] + n) & 0xff

        def store_if(m, l, t):
            if l[t] & 1:
                m[v] = n
        return {"read": [load], "write": [store], "add": [load, store_sum], "locked_add": [lock, load, store_sum, unlock],
                "fetch_add": [fetch_add], "if": [load, store_if]}[kind]

    def finals(self):
        code = [[s for op in body for s in self.steps(op)] for body in self.threads]
        seen, finals = set(), set()
        todo = [((0,) * len(code), (0, 0, 0, 0), (0,) * len(code))]
        names = list(VARIABLES) + ["lock"]
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            at, memory, values = state
            if all(a == len(c) for a, c in zip(at, code)):
                finals.add(self.number(dict(zip(names, memory)), values))
            for t, c in enumerate(code):
                if at[t] == len(c) or (c[at[t]].__name__ == "lock" and memory[3]):
                    continue
                m, l = dict(zip(names, memory)), list(values)
                c[at[t]](m, l, t)
                todo.append((at[:t] + (at[t] + 1,) + at[t + 1:], tuple(m[n] for n in names), tuple(l)))
        return finals

    @staticmethod
    def number(memory, values):
        h = 0
        for value in [memory[v] for v in VARIABLES] + list(values):
            h = (h * 1000003 + value) & (2**63 - 1)
        return h | 2**63

    def text(self, i):
        type_of, at = {"global": ("int", "v{}_" + str(i)), "heap": ("int", "(*h{}_" + str(i) + ")"),
                       "packed": ("short", "s_" + str(i) + ".{}")}[self.place]
        out = []
        for v in VARIABLES:
            if self.place == "global":
                out.append(f"static volatile int v{v}_{i};")
            if self.place == "heap":
                out.append(f"static volatile int* h{v}_{i};")
        if self.place == "packed":
            out.append(f"static volatile struct {{ short x, y, z; }} s_{i};")
        for t, body in enumerate(self.threads):
            lines = []
            for kind, v, n in body:
                m = at.format(v)
                load = f"l = (l * 5 + {m}) & 0xffff;"
                lines.append({"read": load, "write": f"{m} = {n};", "add": f"{load} {m} = (l + {n}) & 0xff;",
                              "locked_add": f"pthread_mutex_lock(&lock); {load} {m} = (l + {n}) & 0xff; pthread_mutex_unlock(&lock);",
                              "fetch_add": f"__atomic_fetch_add(&{m}, {n}, __ATOMIC_RELAXED);",
                              "if": f"{load} if (l & 1) {m} = {n};"}[kind])
            out.append(f"static void* t{t}_{i}(void* unused) {{ unsigned l = 0; {' '.join(lines)} "
                       f"return (void*)(unsigned long)l; }}")
        create = "".join(f"pthread_create(&t[{t}], 0, t{t}_{i}, 0); " for t in range(len(self.threads)))
        join = "".join(f"pthread_join(t[{t}], &r[{t}]); " for t in range(len(self.threads)))
        begin = "".join(f"h{v}_{i} = calloc(1, 4); " for v in VARIABLES) if self.place == "heap" else ""
        parts = [at.format(v) for v in VARIABLES] + [f"(unsigned long)r[{t}]" for t in range(len(self.threads))]
        mix = "".join(f"h = (h * 1000003 + (unsigned long)({p})) & ~(1ul << 63); " for p in parts)
        out.append(f"static void run_{i}(void) {{ pthread_t t[3]; void* r[3]; unsigned long h = 0; {begin}{create}{join}{mix}"
                   "__atomic_store_n(&final, h | 1ul << 63, __ATOMIC_SEQ_CST); }")
        return "\n".join(out)


def build(programs, compiler, stem):
    text = ["#include <pthread.h>", "#include <stdlib.h>", "static unsigned long final;",
            "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;"]
    text += [p.text(i) for i, p in enumerate(programs)]
    text.append("int main(int argc, char** argv) { (void)argc; switch (atoi(argv[1])) {")
    text += [f"case {i}: run_{i}(); break;" for i in range(len(programs))] + ["} return 0; }"]
    path = stem.with_suffix(".c")
    path.write_text("\n".join(text) + "\n")
    subprocess.run([compiler, "-std=gnu17", "-O1", "-g", "-pthread", "-w", path, "-o", stem], check=True, timeout=300)
    return stem


def differences(programs, executable, explorer, truths, mutation=None):
    """(seed, algorithm, what is wrong) of each exploration that does not come to the truth."""
    out, exhausted = [], 0
    for flags, algorithms in (([], ",".join(PLAIN)), (["--visible-all"], AUTOMATIC)):
        command = [explorer, "--races-go-on", "--max-executions=5000", *flags, executable, algorithms, *map(str, range(len(programs)))]
        environment = os.environ | ({"INSPECT_MUTANT": mutation} if mutation else {})
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800, env=environment)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nfailed: {done.stderr}")
        for line in done.stdout.splitlines():
            number, algorithm, complete, finals, bugs = re.match(
                r"(\d+) (\w+) exhausted=(\d) .* finals=(\S*) .*bugs=(\S*) ", line).groups()
            found = {int(f, 16) for f in finals.split(",") if f}
            truth = truths[int(number)]
            where = programs[int(number)].seed, algorithm + "".join(flags)
            exhausted += complete == "1"
            if bugs:
                out.append((*where, f"bugs {bugs}"))
            elif found - truth:
                out.append((*where, f"{len(found - truth)} final states that cannot be"))
            elif complete == "1" and truth - found:
                out.append((*where, f"{len(truth - found)} of {len(truth)} final states are missing"))
    return out, exhausted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    options = parser.parse_args()
    bin, work = pathlib.Path(options.bin).resolve(), pathlib.Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    programs = [Program(seed) for seed in range(options.seed, options.seed + options.count)]
    truths = [p.finals() for p in programs]
    wrong, exhausted = differences(programs, build(programs, bin / "inspect-cc", work / "plain"), bin / "native_explorer", truths)
    for what in wrong:
        print("seed {}, {}: {}".format(*what))
    print(f"{len(programs)} programs, {sum(map(len, truths))} final states, {exhausted} exhaustive explorations, {len(wrong)} differ")
    mutant = build(programs, pathlib.Path(options.prefix).resolve() / "bin/inspect-cc", work / "mutant")
    shown, _ = differences(programs, mutant, bin / "native_explorer_mutants", truths, "races_make_no_points")
    print(f"races_make_no_points: {'shown by seed {}'.format(shown[0][0]) if shown else 'NOT NOTICED'}")
    return 1 if wrong or not shown or not exhausted else 0


if __name__ == "__main__":
    sys.exit(main())
