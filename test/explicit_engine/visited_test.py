#!/usr/bin/env python3
"""--visited=exact: descriptions of states, kept whole, tell apart what their hashes do, and go on doing so where hashes collide.

    visited_test.py --bin BIN [--mutants PREFIX]

PREFIX: an installation whose runtime has deliberate errors (src/runtime/platform/mutations.def).
"""

import sys

from trades_test import run, two

PROGRAMS = {
    "lock": two("pthread_mutex_lock(&m); atomic_fetch_add(&a, 1); pthread_mutex_unlock(&m); atomic_fetch_add(&b, 1);"),
    "heap": two("struct o { pthread_mutex_t l; int v; } *o = calloc(1, sizeof *o); pthread_mutex_init(&o->l, 0); o->v = atomic_fetch_add(&a, 1);"
                " struct o *q = malloc(8); atomic_store(&b, o->v); free(o); free(q);"),
    "list": two("struct n { struct n *next; int v; } *n = malloc(sizeof *n); n->v = atomic_load(&a); pthread_mutex_lock(&m);"
                " static struct n *head; n->next = head; head = n; atomic_fetch_add(&a, n->v + 1); pthread_mutex_unlock(&m);"),
    "condition": two("static pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_mutex_lock(&m); if (atomic_fetch_add(&a, 1) == 0)"
                     " while (atomic_load(&a) < 2) pthread_cond_wait(&c, &m); else pthread_cond_signal(&c); pthread_mutex_unlock(&m);"),
    "loop": two("for (int i = 0; i < 3; i++) { int v = atomic_load(&a); atomic_store(&a, v + 1); }"),
}
WAYS = ((), ("--heap=next-free",), ("--independence=symmetric",), ("--thread-symmetry=pc",), ("--thread-symmetry=exact", "--independence=ordinary"))


def compare(bench, failures):
    for name, text in PROGRAMS.items():
        bench.build(bench.tools, text)
        for way in WAYS:
            by_hash, exact = (bench.check("--expect-exit=any", f"--visited={visited}", *way) for visited in ("hash", "exact"))
            if exact["verdict"] != by_hash["verdict"] or exact["states"] != by_hash["states"] or exact["states"] < 10:
                failures.append(f"{name} {way}: {exact['verdict']}, {exact['states']} states, by hashes {by_hash['verdict']}, {by_hash['states']}")
            if exact["reductions"]["visited"] != "exact" or by_hash["reductions"]["visited"] != "hash":
                failures.append(f"{name}: reported as {exact['reductions']}")
            # 128-bit hashes are not relied on, which the report says.
            if "states are told apart by" in str(exact["assumptions"]) or "states are told apart by" not in str(by_hash["assumptions"]):
                failures.append(f"{name}: assumptions {exact['assumptions']}")


def notice(bench, prefix, failures):
    for name, text in PROGRAMS.items():
        bench.build(prefix / "bin", text)
        for way in WAYS:
            states = bench.check("--visited=exact", *way)["states"]
            colliding = bench.check("--visited=exact", *way, mutant="hashes_collide")
            # Where threads are sorted, how many states are taken for one depends on the order in which they are met.
            sorts = any("thread-symmetry" in option for option in way)
            if colliding["states"] < states or (colliding["states"] > states and not sorts):
                failures.append(f"{name} {way}: {colliding['states']} states where hashes collide, {states} else")
            if states > 100 and bench.check("--visited=hash", *way, mutant="hashes_collide")["states"] >= states:
                failures.append(f"{name} {way}: hashes_collide is not noticed")
    bench.build(prefix / "bin", PROGRAMS["loop"])
    states = bench.check("--visited=exact")["states"]
    if bench.check("--visited=exact", mutant="descriptions_lack_memory")["states"] >= states:
        failures.append("descriptions_lack_memory is not noticed")


if __name__ == "__main__":
    sys.exit(run(__doc__, compare, notice))
