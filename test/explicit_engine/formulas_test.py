#!/usr/bin/env python3
"""--independence with --ltl: random C programs and formulas, whose verdicts are those without a reduction.

    formulas_test.py --bin BIN [--seeds FIRST COUNT]

Threads change what is private, choose values, set propositions with and without an operation before, and write variables that only they
know, of which formulas compare several.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HEAD = """#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define P inspect_proposition
atomic_int a;
int x0, x1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
ROUTINE = """static void *w%d(void *argument) {
  atomic_int here = 0, *heap = calloc(1, sizeof *heap);
  int v = 0;
%s  free(heap);
  return argument;
}
"""
MAIN = """int main(void) {
  pthread_t t[2];
  P("p", 0);
  P("q", 0);
  pthread_create(&t[0], 0, w0, 0);
  pthread_create(&t[1], 0, w1, 0);
%s  return 0;
}
"""
JOINS = "  pthread_join(t[0], 0);\n  pthread_join(t[1], 0);\n"


def statement(draw, thread):
    k = draw.randrange(3)
    return draw.choice([
        "v = atomic_fetch_add(&here, 1);",
        "v += atomic_fetch_add(heap, 2);",
        "v = inspect_nondet(2);",
        f"v = atomic_fetch_add(&a, {k});",
        f"atomic_store(&a, {k});",
        "v = atomic_load(&a);",
        f"P(\"{draw.choice('pq')}\", {draw.choice(['0', '1', 'v & 1'])});",
        f"P(\"{draw.choice('pq')}\", 1); atomic_fetch_add(&here, 1); P(\"{draw.choice('pq')}\", 0);",
        f"x{thread} = {k}; atomic_fetch_xor(&here, 1);",
        f"atomic_fetch_xor(&here, 1); x{thread} ^= 1;",
        f"atomic_fetch_add(heap, 1); x{thread} = 1; atomic_fetch_add(heap, 1); x{thread} = 0;",
        f"if (v == {k}) P(\"p\", 1); else x{thread} = 2;",
        "pthread_mutex_lock(&m); v ^= 1; pthread_mutex_unlock(&m);",
        f"inspect_assume(v != {k + 1});",
    ])


LOOPS = ["for (;;) { atomic_fetch_xor(&here, 1); }", "for (;;) { atomic_fetch_xor(&here, 1); P(\"q\", atomic_load(&here)); }",
         "while (!atomic_load(&a)) {}", "for (;;) { v = inspect_nondet(2); if (v) atomic_fetch_xor(&here, 1); else P(\"p\", 1); }"]


def program(seed):
    draw = random.Random(seed)
    routines = ""
    for thread in range(2):
        steps = [statement(draw, thread) for _ in range(draw.randrange(2, 5))]
        if draw.randrange(5) == 0:
            steps.append(draw.choice(LOOPS))
        routines += ROUTINE % (thread, "".join(f"  {{ {s} }}\n" for s in steps))
    return HEAD + routines + MAIN % (JOINS if draw.randrange(4) else "")


def formula(draw, operators):
    if operators == 0:
        return draw.choice(["p", "q", "x0 == 1", "x1 == 1", "x1 == 2", "a == 1", "a >= 2"])
    kind = draw.randrange(7)
    one = formula(draw, operators - 1)
    if kind < 3:
        return ["!", "F ", "G "][kind] + f"({one})"
    return f"({one}) {['U', 'R', '&&', '||'][kind - 3]} ({formula(draw, draw.randrange(operators))})"


# What only shows where the step of one thread is taken before one of the other that would do alone.
BY_HAND = (HEAD + ROUTINE % (0, '  P("p", 1);\n  atomic_fetch_add(&here, 1);\n  P("p", 0);\n')
           + ROUTINE % (1, '  P("q", 1);\n  atomic_fetch_add(heap, 1);\n  P("q", 0);\n') + MAIN % JOINS,
           ["G !(p && q)", "F (p && q)", "G (p -> F q)", "G !p"])


class Tools:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def run(self, *words):
        return subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)

    def verdict(self, text, independence):
        """The verdict, what kinds of bugs there are, and the report."""
        report = self.folder / "r.json"
        report.unlink(missing_ok=True)
        done = self.run(self.tools / "inspect", "check", "--engine=explicit", "--keep-going", "--quiet", "--json=r.json", "--schedule=s",
                        "--max-states=3000", f"--ltl={text}", f"--independence={independence}", "./p")
        if not report.exists():
            raise SystemExit(f"no report: {done.stderr}")
        r = json.loads(report.read_text())
        return (r["verdict"], sorted({b["kind"] for b in r["bugs"]})), r


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 12))
    options = parser.parse_args()
    failed, states, violated = 0, [0, 0], 0
    for seed in [0, *range(options.seeds[0], options.seeds[0] + options.seeds[1])]:
        draw = random.Random(seed * 7919)
        text, formulas = BY_HAND if seed == 0 else (program(seed), [formula(draw, 1 + draw.randrange(3)) for _ in range(3)])
        with tempfile.TemporaryDirectory() as folder:
            tools = Tools(options.bin.resolve(), pathlib.Path(folder))
            (tools.folder / "p.c").write_text(text)
            built = tools.run(tools.tools / "inspect-cc", "--inspect-states", "-O1", "-g", "-w", "p.c", "-o", "p")
            if built.returncode:
                raise SystemExit(built.stderr)
            for one in formulas:
                expected, whole = tools.verdict(one, "none")
                if whole["states"] > 3000:
                    continue
                violated += "temporal" in expected[1]
                for independence in ("ordinary", "symmetric"):
                    found, report = tools.verdict(one, independence)
                    states[0] += whole["states"]
                    states[1] += report["states"]
                    if found != expected or report["states"] > whole["states"]:
                        failed += 1
                        print(f"seed {seed}: {one}, {independence}: {found}, {report['states']} states; without: {expected}, "
                              f"{whole['states']}\n{report['reason']}\n{text}", flush=True)
    print(f"{violated} violated; states {states[0]}, with the reduction {states[1]}; {failed} wrong")
    return 1 if failed or not violated or states[1] >= states[0] else 0


if __name__ == "__main__":
    sys.exit(main())
