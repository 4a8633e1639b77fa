#!/usr/bin/env python3
"""--thread-symmetry and --independence: random C programs whose threads run one routine, with every combination of reductions.

    reductions_test.py --bin BIN [--seeds FIRST COUNT]

A program ends with a status that stands for its globals and what they lead to; each status is a bug, and all of them are collected, with
deadlocks, livelocks, wrong uses of locks and races. With every combination they are those that are met without reductions; no
reduction needs more states than there are without it.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
struct object { int value; atomic_int count; pthread_mutex_t lock; struct object *next; };
static struct object *g;
static atomic_int a, b;
static int data;
static void *volatile place;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static __thread int own;
static struct object *make(int value) {
  struct object *o = calloc(1, sizeof *o);
  pthread_mutex_init(&o->lock, 0);
  o->value = value;
  return o;
}
static void *routine(void *argument) {
  struct object *p = 0;
  atomic_int here = 0;
  int v = 0;
"""
TAIL = """  pthread_mutex_lock(&m);
  data = (data * 3 + v) & 63;
  pthread_mutex_unlock(&m);
  free(p);
  return (void *)(long)(v & 1);
}
int main(void) {
  pthread_t t[THREADS];
  BEFORE
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], 0, routine, ARGUMENT);
  DURING
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], RESULT);
  unsigned status = (unsigned)(atomic_load(&a) & 7) * 8 + (atomic_load(&b) & 7);
  for (struct object *o = g; o; o = o->next) status = status * 3 + 1 + o->value;
  return 1 + (int)((status * 5 + data) % 251);
}
"""


def statement(draw):
    v, k = draw.randrange(3), draw.choice("ab")
    locked = draw.choice([
        f"data = data * 2 + v; v = data & 3;",
        f"struct object *o = make({v}); o->next = g; g = o;",
        "if (g && !p) { p = g; g = g->next; }",
        "if (p) { p->next = g; g = p; p = 0; }",
        "if (g) g->value = (g->value + 1) % 3;",
        f"if (data < {v} + 1) data++; pthread_cond_signal(&c);",
        "if (!data) pthread_cond_wait(&c, &m);",
    ])
    return draw.choice([
        f"pthread_mutex_lock(&m); {{ {locked} }} pthread_mutex_unlock(&m);",
        f"pthread_mutex_lock(&m); {{ {locked} }} pthread_mutex_unlock(&m);",
        f"if (!p) p = make({v});",
        "if (p) { atomic_fetch_add(&p->count, 1); p->value = atomic_load(&p->count) % 3; }",
        "if (p) { pthread_mutex_lock(&p->lock); p->value = 2; pthread_mutex_unlock(&p->lock); }",
        f"v = atomic_fetch_add(&{k}, 1);",
        f"v += atomic_exchange(&{k}, {v} + 1);",
        f"v = v * 2 + atomic_load(&{k});",
        f"if (p) v = p->value; else atomic_fetch_add(&{k}, v + 1);",
        f"v = atomic_load(&{k});",
        f"atomic_store(&{k}, v + {v});",
        f"if (v == {v}) atomic_store(&{k}, {v});",
        "atomic_fetch_add(&here, 1); v = atomic_load(&here);",
        "own++; v = own;",
        "if (pthread_mutex_trylock(&n) == 0) { v = 2; pthread_mutex_unlock(&n); }",
        "for (int i = 0; i < 2; i++) { pthread_mutex_lock(&n); v ^= 1; pthread_mutex_unlock(&n); }",
    ])


ODD = {
    # The address of a variable on the stack, and of a private object, that others come to know.
    5: "place = &here; atomic_int *q = place; atomic_fetch_add(q, 1); v = atomic_load(q);",
    6: "if (!p) p = make(0); pthread_mutex_lock(&m); place = p; pthread_mutex_unlock(&m); atomic_fetch_add(&p->count, 1);"
       " pthread_mutex_lock(&m); struct object *q = place; v = atomic_load(&q->count); pthread_mutex_unlock(&m); p = 0;",
    # A loop that never ends, on what is private.
    7: "if (atomic_fetch_add(&a, 1) == 1) for (;;) { atomic_fetch_xor(&here, 1); }",
    # One that waits.
    8: "if (v == 1) while (!atomic_load(&b)) {}",
    # Two locks in two orders.
    9: "if (v & 1) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); } else { pthread_mutex_lock(&m); pthread_mutex_lock(&n); }"
       " pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
}


def program(seed):
    draw = random.Random(seed)
    threads = 3 if draw.randrange(3) == 0 else 2
    steps = ["v = atomic_fetch_add(&a, 1);"] * draw.randrange(2) + [statement(draw) for _ in range(2 if threads == 3 else 4)]
    kind = seed % 12
    if kind in ODD:
        steps[draw.randrange(len(steps))] = ODD[kind]
    if kind == 10:
        steps.append("data++;")  # a race
    argument = "(void *)(long)(i & 1)" if kind == 4 else "0"
    if kind == 4:
        steps.insert(0, "v = (int)(long)argument;")
    body = "".join(f"  {{ {s} }}\n" for s in steps)
    during = "atomic_store(&b, 3);" if draw.randrange(3) == 0 or kind == 8 else ""
    result = "0"
    before = "g = make(1);" if draw.randrange(2) else ""
    tail = TAIL.replace("THREADS", str(threads)).replace("BEFORE", before).replace("ARGUMENT", argument).replace("DURING", during)
    if kind == 11:  # who joins looks at what it gets
        tail = tail.replace("pthread_join(t[i], RESULT);", "{ void *r; pthread_join(t[i], &r); data = data * 2 + (r != 0); }")
    return HEAD + body + tail.replace("RESULT", result)


COMBINATIONS = [(h, s, i) for h, s, i in (
    ("canonical", "pc", "none"), ("canonical", "local", "none"), ("canonical", "exact", "none"), ("canonical", "off", "ordinary"),
    ("canonical", "off", "symmetric"), ("canonical", "pc", "symmetric"), ("canonical", "exact", "symmetric"),
    ("next-free", "off", "ordinary"))]


MOST_STATES = 3000


class Tools:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def run(self, *words):
        return subprocess.run([str(w) for w in words], cwd=self.folder, capture_output=True, text=True, timeout=600, check=False)

    def ends(self, heap, symmetry, independence):
        """Kinds and messages of all bugs, and the number of states; None if the program is too large."""
        report = self.folder / "r.json"
        report.unlink(missing_ok=True)
        done = self.run(self.tools / "inspect", "check", "--engine=explicit", "--keep-going", "--quiet", "--json=r.json", "--schedule=s",
                        f"--max-states={MOST_STATES}", f"--heap={heap}", f"--thread-symmetry={symmetry}", f"--independence={independence}", "./p")
        if not report.exists():
            raise SystemExit(f"no report: {done.stderr}")
        r = json.loads(report.read_text())
        if r["states"] > MOST_STATES:
            return None, r
        if r["verdict"] not in ("bug", "verified"):
            raise SystemExit(f"{heap} {symmetry} {independence}: {r['verdict']}: {r['reason']}\n{(self.folder / 'p.c').read_text()}")
        # Threads in a message are those of one interleaving.
        return {(b["kind"], b["message"] if b["kind"] == "exit-status" else b["kind"]) for b in r["bugs"]}, r


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 12))
    options = parser.parse_args()
    failed, sums = 0, {}
    for seed in range(options.seeds[0], options.seeds[0] + options.seeds[1]):
        with tempfile.TemporaryDirectory() as folder:
            tools = Tools(options.bin.resolve(), pathlib.Path(folder))
            (tools.folder / "p.c").write_text(program(seed))
            built = tools.run(tools.tools / "inspect-cc", "--inspect-states", "-O1", "-g", "-w", "p.c", "-o", "p")
            if built.returncode:
                raise SystemExit(built.stderr)
            expected, whole = tools.ends("canonical", "off", "none")
            if expected is None:
                print(f"large   seed {seed}", flush=True)
                continue
            counts = [whole["states"]]
            for combination in COMBINATIONS:
                found, report = tools.ends(*combination)
                counts.append(report["states"])
                sums[combination] = sums.get(combination, 0) + report["states"]
                more = combination[0] == "canonical" and report["states"] > whole["states"]
                if found != expected or more:
                    failed += 1
                    print(f"seed {seed}: {combination} {report['states']} states of {whole['states']}\nmissing {expected - (found or set())}\n"
                          f"besides {(found or set()) - expected}\n{program(seed)}", flush=True)
            sums["none"] = sums.get("none", 0) + whole["states"]
            print(f"ok      seed {seed}: {len(expected)} bugs, {counts} states", flush=True)
    print("states:", sums)
    idle = [c for c in COMBINATIONS if c[0] == "canonical" and sums.get(c, 0) >= sums.get("none", 1)]
    return 1 if failed or idle else 0


if __name__ == "__main__":
    sys.exit(main())
