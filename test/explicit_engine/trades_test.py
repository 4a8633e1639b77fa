#!/usr/bin/env python3
"""Threads that trade places, and transitions that are left out: states counted by hand, programs in which one may not, options, and
deliberate errors of the runtime, each of which one of these programs must show.

    trades_test.py --bin BIN [--mutants PREFIX]

PREFIX: an installation whose runtime has the errors (src/runtime/platform/mutations.def).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HEAD = """#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int a, b, c;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
MAIN = """int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  END
  return 0;
}
"""


def two(routine, end=""):
    return "void *w(void *p) { " + routine + " return 0; }\n" + MAIN.replace("END", end)


# name: program with a bug, kind, error of the runtime that hides it (if there is one), options.
BUGS = {
    # Who has tried the lock first owns it; only it may give it back.
    "owner": (two("pthread_mutex_trylock(&m); if (atomic_fetch_add(&a, 1) == 0) pthread_mutex_unlock(&m);"), "api-misuse",
              "owners_do_not_matter", "--thread-symmetry=exact"),
    "spin": ("pthread_spinlock_t l;\n" + two("pthread_spin_trylock(&l); if (atomic_fetch_add(&a, 1) == 0) pthread_spin_unlock(&l);").replace(
        "pthread_t t[2];", "pthread_t t[2]; pthread_spin_init(&l, 0);"), "api-misuse", "", ""),
    # Somebody knows who is who.
    "handles": ("pthread_t t[2];\nvoid *w(void *p) { int r = atomic_fetch_add(&a, 1); pthread_mutex_lock(&m); pthread_t x = t[0]; pthread_mutex_unlock(&m);"
                " if (pthread_equal(x, pthread_self())) assert(r == 0); return 0; }\n" +
                MAIN.replace("pthread_t t[2];", "pthread_mutex_lock(&m);").replace(
                    "for (int i = 0; i < 2; i++) pthread_join(t[i], 0);", "pthread_mutex_unlock(&m); pthread_exit(0);").replace("END", ""),
                "assertion", "handles_do_not_matter", "--thread-symmetry=exact"),
    # Main does something else between its joins.
    "row": ("void *w(void *p) { if (atomic_fetch_add(&a, 1) == 0) { atomic_fetch_add(&c, 1); atomic_store(&b, 1); } return 0; }\n"
            "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0); pthread_join(t[0], 0);"
            " assert(atomic_load(&b)); pthread_join(t[1], 0); return 0; }\n", "assertion", "rows_are_guessed", "--thread-symmetry=exact"),
    # An object that a global leads to.
    "global": ("struct o { atomic_int n; } *g;\n" +
               two("pthread_mutex_lock(&m); struct o *o = g; pthread_mutex_unlock(&m); int v = atomic_load(&o->n); atomic_store(&o->n, v + 1);",
                   "assert(atomic_load(&g->n) == 2);").replace("pthread_t t[2];", "pthread_t t[2]; g = calloc(1, sizeof(struct o));"),
               "assertion", "data_leads_nowhere", "--independence=symmetric"),
    # A variable of main's stack.
    "stack": ("void *w(void *p) { atomic_fetch_add((atomic_int *)p, 1); return 0; }\n"
              "int main(void) { pthread_t t; atomic_int x = 0; pthread_create(&t, 0, w, &x); int v = atomic_load(&x); atomic_store(&x, v + 1);"
              " pthread_join(t, 0); assert(atomic_load(&x) == 2); return 0; }\n", "assertion", "stacks_are_private", "--independence=ordinary"),
    "update": (two("int v = atomic_load(&a); atomic_store(&a, v + 1);", "assert(atomic_load(&a) == 2);"), "assertion",
               "everything_is_independent", "--independence=ordinary"),
    # Who asks whether a thread has ended.
    "tryjoin": ("void *w(void *p) { return 0; }\n"
                "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); assert(pthread_tryjoin_np(t, 0) == 0); return 0; }\n", "assertion",
                "ends_are_independent", "--independence=ordinary"),
}
# name: program without a bug, states with each option.
COUNTED = {
    # Both are in one of four places each (start, add, end, ended); main is about to create one or the other, to join the first
    # or, once it has ended, the second; then three more. Threads that trade places: 10 pairs of places instead of 16.
    "add": (two("atomic_fetch_add(&a, 1);"), {"": 1 + 4 + 4 * 4 + 4 + 3, "--thread-symmetry=pc": 1 + 4 + 10 + 4 + 3,
                                              "--thread-symmetry=local": 22, "--thread-symmetry=exact": 22}),
    # Three places besides, one of them with the lock: of 5 * 5 pairs of places (start, lock, unlock, end, ended) one has it twice;
    # two with the same places once they trade: 15 - 1.
    # Where an object of the heap lies, and the mark in its lock, are not matters of who has made it. Five places, free is one.
    "heap": (two("struct o { pthread_mutex_t l; int v; } *o = calloc(1, sizeof *o); pthread_mutex_init(&o->l, 0); atomic_fetch_add(&a, 1); free(o);"),
             {"": 39, "--thread-symmetry=pc": 29, "--thread-symmetry=local": 29, "--thread-symmetry=exact": 29}),
    "lock": (two("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"),
             {"": 1 + 5 + (25 - 1) + 5 + 3, "--thread-symmetry=pc": 1 + 5 + (15 - 1) + 5 + 3, "--thread-symmetry=local": 28,
              "--thread-symmetry=exact": 28}),
}


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def build(self, tools, text):
        (self.folder / "p.c").write_text(HEAD + text)
        subprocess.run([str(tools / "inspect-cc"), "--inspect-states", "-O1", "-g", "-w", "p.c", "-o", "p"], cwd=self.folder, check=True)

    def check(self, *options, mutant=""):
        (self.folder / "r.json").unlink(missing_ok=True)
        environment = {**os.environ, "INSPECT_MUTANT": mutant} if mutant else None
        done = subprocess.run([str(self.tools / "inspect"), "check", "--engine=explicit", "--json=r.json", "--schedule=s", *options, "./p"],
                              cwd=self.folder, capture_output=True, text=True, timeout=120, check=False, env=environment)
        self.output = done.stdout + done.stderr
        report = self.folder / "r.json"
        return json.loads(report.read_text()) if report.exists() else {"verdict": "refused", "bugs": [], "states": 0}


def compare(bench, name, failures):
    text, kind, _, _ = BUGS[name]
    bench.build(bench.tools, text)
    for options in ((), ("--thread-symmetry=pc", "--independence=ordinary"), ("--thread-symmetry=local", "--independence=symmetric"),
                    ("--thread-symmetry=exact", "--independence=symmetric"), ("--heap=next-free", "--independence=ordinary")):
        report = bench.check(*options)
        if report["verdict"] != "bug" or report["bugs"][0]["kind"] != kind:
            failures.append(f"{name} {options}: {bench.output}")


def count(bench, name, failures):
    text, wanted = COUNTED[name]
    bench.build(bench.tools, text)
    for option, states in wanted.items():
        report = bench.check(*[option] if option else [])
        if report["verdict"] != "verified" or report["states"] != states:
            failures.append(f"{name} {option}: {report['states']} states, expected {states}: {bench.output}")


def remarks(bench, failures):
    """What is refused, what is given up, what is reported."""
    def want(condition, what):
        if not condition:
            failures.append(f"{what}: {bench.output}")
    bench.build(bench.tools, two("atomic_fetch_add(&a, 1);"))
    for options, says in ((("--thread-symmetry=pc", "--ltl=G a < 3"), "--ltl does not go with --thread-symmetry"),
                          (("--independence=ordinary", "--ltl=G a < 3", "--fairness=weak"), "--fairness=weak does not go with --independence"),
                          (("--thread-symmetry=pc", "--heap=next-free"), "does not go with --heap=next-free")):
        want(bench.check(*options)["verdict"] == "refused" and says in bench.output, says)
    report = bench.check("--thread-symmetry=exact", "--independence=symmetric")
    reductions = report.get("reductions") or {}
    want(list(reductions)[:1] == ["heap"] and reductions.get("thread_symmetry") == "exact" and reductions["reduced_states"] > 0, "reductions")
    want("independence (symmetric): " in bench.output and "thread symmetry (exact): " in bench.output, "text")
    # A thread that creates one: nothing trades places any more.
    bench.build(bench.tools, two("pthread_t u; pthread_create(&u, 0, inner, 0); pthread_join(u, 0);").replace(
        "void *w", "void *inner(void *p) { atomic_fetch_add(&a, 1); return 0; }\nvoid *w", 1))
    report = bench.check("--thread-symmetry=exact")
    want(report["verdict"] == "verified" and report["reductions"]["thread_symmetry"] == "off" and "none of them trade places" in bench.output,
         "created by another")
    # An address used as a number.
    bench.build(bench.tools, two("int *o = malloc(4); if ((unsigned long)o % 32) atomic_fetch_add(&a, 1); free(o);"))
    report = bench.check("--thread-symmetry=exact", "--independence=symmetric")
    want(report["verdict"] == "verified" and list(report["reductions"].values())[:3] == ["next-free", "off", "none"], "addresses")


def notice(bench, prefix, failures):
    for text, _, mutant, option in BUGS.values():
        if not mutant:
            continue
        bench.build(prefix / "bin", text)
        # It hides the bug, or takes states for one that are not.
        states = bench.check(option, "--keep-going")["states"]
        report = bench.check(option, "--keep-going", mutant=mutant)
        if report["verdict"] == "bug" and report["states"] >= states:
            failures.append(f"{mutant} is not noticed: {report['states']} states of {states}: {bench.output}")
    text, wanted = COUNTED["lock"]
    bench.build(prefix / "bin", text)
    report = bench.check("--thread-symmetry=exact", mutant="threads_sorted_by_addresses")
    if report["states"] == wanted["--thread-symmetry=exact"]:
        failures.append("threads_sorted_by_addresses is not noticed")


def run(description, check, notice):
    """The command line of a test: check(bench, failures), or notice(bench, prefix, failures) with --mutants. The exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--mutants", type=pathlib.Path)
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.bin.resolve(), pathlib.Path(folder))
        if options.mutants:
            notice(bench, options.mutants.resolve(), failures)
        else:
            check(bench, failures)
    for failure in failures:
        print("FAILED ", failure)
    return 1 if failures else 0


def check_all(bench, failures):
    for name in BUGS:
        compare(bench, name, failures)
    for name in COUNTED:
        count(bench, name, failures)
    remarks(bench, failures)


if __name__ == "__main__":
    sys.exit(run(__doc__, check_all, notice))
