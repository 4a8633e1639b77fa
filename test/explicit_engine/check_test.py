#!/usr/bin/env python3
"""inspect check --engine=explicit: programs at the edges of what a state is, cycles, limits, options, reports.

    check_test.py --bin BIN
"""

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from cases import expect, run  # noqa: E402

HEAD = """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
atomic_int a, b, flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
ONE = "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); BODY pthread_join(t, 0); END return 0; }\n"


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def check(self, text, *options):
        (self.folder / "p.c").write_text(HEAD + text)
        done = self.inspect("check", "--engine=explicit", "--json=r.json", "--schedule=s", *options, "p.c")
        self.output = done.stdout + done.stderr
        report = self.folder / "r.json"
        self.report = json.loads(report.read_text()) if report.exists() else None
        report.unlink(missing_ok=True)
        return self.report

    def inspect(self, *words):
        return subprocess.run([str(self.tools / "inspect"), *words], cwd=self.folder, capture_output=True, text=True,
                              timeout=120, check=False)

    def verified(self, text, *options, **counts):
        report = self.check(text, *options)
        expect(report and report["verdict"] == "verified", self.output)
        for name, value in counts.items():
            expect(report[name] == value, f"{name} is {report[name]}, expected {value}", self.output)

    def bug(self, kind, text, *options):
        report = self.check(text, *options)
        expect(report and report["verdict"] == "bug", self.output)
        expect(report["bugs"][0]["kind"] == kind, self.output)
        again = self.inspect("replay", "s")
        expect(again.returncode == 1, "the native engine does not meet it again", again.stdout, again.stderr)

    def inconclusive(self, reason, text, *options):
        report = self.check(text, *options)
        expect(report and report["verdict"] == "inconclusive" and reason in report["reason"], self.output)


def one(body="", end=""):
    return ONE.replace("BODY", body).replace("END", end)


def states_counted_by_hand(bench):
    # main is about to create (1), to join while the thread has four places (4), to exit, to look for handlers, to end (3).
    bench.verified("void *w(void *p) { atomic_store(&a, 1); return p; }\n" + one(), states=1 + 4 + 3, transitions=9, executions=1, threads=2)
    # One thread is there, then two, then the first was joined.
    bench.verified(
        "void *w(void *p) { atomic_store((atomic_int *)p, 1); return p; }\n"
        "int main(void) { pthread_t t, u; pthread_create(&t, 0, w, &a); pthread_create(&u, 0, w, &b); pthread_join(t, 0);"
        " pthread_join(u, 0); return 0; }", states=1 + 4 + 4 * 4 + 4 + 3, executions=1, threads=3)


def loops_that_wait_are_cycles(bench):
    waits = "void *w(void *p) { while (!atomic_load(&flag)) {} assert(atomic_load(&a) == 1); return p; }\n"
    bench.verified(waits + one("atomic_store(&a, 1); atomic_store(&flag, 1);"), executions=1)
    bench.bug("assertion", waits + one("atomic_store(&flag, 1); atomic_store(&a, 1);"))
    bench.bug("livelock", waits + one())
    takes = ("int d; void *w(void *p) { int e; do { pthread_mutex_lock(&m); e = d; pthread_mutex_unlock(&m); } while (!e);"
             " return p; }\n")
    bench.verified(takes + one("pthread_mutex_lock(&m); d = 1; pthread_mutex_unlock(&m);"))
    bench.bug("livelock", takes + one())


def programs_without_end(bench):
    server = "void *w(void *p) { for (;;) { while (!atomic_load(&a)) {} atomic_store(&a, 0); } return p; }\n"
    bench.verified(server + one("for (;;) if (!atomic_load(&a)) atomic_store(&a, 1);"), executions=0)
    expect("never left" in bench.output, bench.output)
    bench.bug("assertion",
              "void *w(void *p) { for (;;) { int v = atomic_load(&b); atomic_store(&b, (v + 1) % 4); } return p; }\n" +
              one("for (;;) { int v = atomic_load(&a); atomic_store(&a, (v + 1) % 5); if (v == 4) assert(atomic_load(&b) != 3); }"))
    # The process ends while a thread goes on for ever: its status is a bug all the same.
    toggles = "void *w(void *p) { for (;;) atomic_store(&a, 1 - atomic_load(&a)); return p; }\n"
    bench.bug("exit-status", toggles + "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return atomic_load(&a); }")
    bench.verified(toggles + "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return 0; }")


def equal_but_for_one_thing(bench):
    """Two ways lead to states that differ in one thing alone: what depends on it must be met."""
    def differs(do, end, before="", after=""):
        work = "void *w(void *p) { if (!atomic_load(&a)) { " + do + " } atomic_store(&a, 1); " + after + " return p; }\n"
        bench.bug("assertion", before + work + one("atomic_store(&a, 1);", end))

    differs("pthread_mutex_lock(&m);", "assert(pthread_mutex_trylock(&m) == 0);")
    differs("fputc('x', f);", "assert(ftell(f) == 0);", before="FILE *f; __attribute__((constructor)) void o(void) { f = tmpfile(); }\n")
    differs("usleep(1000000);", "struct timespec n; clock_gettime(CLOCK_MONOTONIC, &n); assert(n.tv_sec == 0);")
    differs("errno = 7;", "assert(!seen);", before="#include <errno.h>\nint seen;\n", after="if (errno == 7) seen = 1;")
    # The owner of a lock.
    bench.bug("api-misuse",
              "void *w(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); if (p) pthread_mutex_unlock(&m); return 0; }\n"
              "int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, &a); pthread_join(t, 0);"
              " pthread_join(u, 0); return 0; }")
    # A variable on a stack.
    bench.bug("assertion", "void *w(void *p) { int v = atomic_load(&a); atomic_store(&a, 0); atomic_fetch_add(&a, 0); assert(!v);"
              " return p; }\n" + one("atomic_store(&a, 1); atomic_store(&a, 0);"))
    # What two threads that were swapped return.
    bench.bug("assertion", "void *w(void *p) { return (void *)(long)atomic_fetch_add(&a, 1); }\n"
              "int main(void) { pthread_t t, u; void *r, *s; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0);"
              " pthread_join(t, &r); pthread_join(u, &s); assert((long)r < (long)s); return 0; }")
    # An object of the heap that only a disguised address leads to.
    bench.bug("assertion", "atomic_uintptr_t k; enum { KEY = 0x5555 };\n"
              "void *w(void *p) { int *o = malloc(4); *o = atomic_load(&a) ? 7 : 5; atomic_store(&k, ~(uintptr_t)o ^ KEY); return p; }\n" +
              one("atomic_store(&a, 1); atomic_store(&a, 0);", "assert(*(int *)~(atomic_load(&k) ^ KEY) == 5);"))


def heaps(bench):
    """States alike but for addresses are one; those that differ in what is reached, or in what was freed, are not."""
    queue = ("struct o { int v; struct o *n; } *head;\n"
             "void *w(void *p) { for (;;) { pthread_mutex_lock(&m); struct o *x = head; if (x) head = x->n; pthread_mutex_unlock(&m);"
             " free(x); } return p; }\n" +
             one("for (;;) { struct o *x = malloc(sizeof *x); x->v = 1; pthread_mutex_lock(&m); if (!head) { x->n = head; head = x; x = 0; }"
                 " pthread_mutex_unlock(&m); free(x); }"))
    bench.verified(queue, executions=0)
    bench.inconclusive("more than 500 states", queue, "--heap=next-free", "--max-states=500")
    # What is behind one of two equal pointers, behind two, or gone.
    for do, end in (("*x = 7;", "assert(*x != 7);"), ("y = x;", "assert(x != y);"), ("free(y); y = 0; free(x);", "assert(*x == 0);"),
                    ("int *o = malloc(4); *o = *y; y = o;", "*x = 1; assert(*y == 1);"),
                    ("free(malloc(4)); memcpy(at + 1, &x, 8);", "int *o; memcpy(&o, at + 1, 8); assert(!o);")):
        text = ("#include <string.h>\nint *x, *y; char at[16];\n"
                "void *w(void *p) { pthread_mutex_lock(&m); if (!atomic_load(&a)) { " + do + " } pthread_mutex_unlock(&m);"
                " atomic_store(&a, 1); return p; }\n" + one("atomic_store(&a, 1);", end).replace(
                    "pthread_t t;", "pthread_t t; x = calloc(1, 4); y = " + ("x;" if "o = *y" in do else "calloc(1, 4);")))
        bench.bug("memory-error" if "free(x)" in do else "assertion", text)
    # Locks in objects: what marks them as initialised stands for where they lie.
    bench.verified("struct o { pthread_mutex_t l; sem_t s; int v; } *head;\n"
                   "void *w(void *p) { for (;;) { pthread_mutex_lock(&m); struct o *x = head; head = 0; pthread_mutex_unlock(&m);"
                   " if (x) { pthread_mutex_lock(&x->l); x->v = 2; pthread_mutex_unlock(&x->l); sem_wait(&x->s); free(x); } } return p; }\n" +
                   one("for (;;) { struct o *x = malloc(sizeof *x); pthread_mutex_init(&x->l, 0); sem_init(&x->s, 0, 0); pthread_mutex_lock(&x->l);"
                       " x->v = 1; pthread_mutex_unlock(&x->l); sem_post(&x->s); pthread_mutex_lock(&m); if (!head) { head = x; x = 0; }"
                       " pthread_mutex_unlock(&m); free(x); }"), executions=0)


def races_and_deadlocks(bench):
    bench.bug("data-race", "int x; void *w(void *p) { x++; return p; }\n" + one("x++;"))
    # The state behind the first access is known already, with a history in which the two are ordered.
    bench.bug("data-race",
              "int x; void *w(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x = 1; return p; }\n" +
              one("x = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"))
    bench.bug("deadlock", "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n"
              "void *w(void *p) { pthread_mutex_lock(&n); pthread_mutex_lock(&m); return p; }\n" +
              one("pthread_mutex_lock(&m); pthread_mutex_lock(&n);"))


def races_that_one_order_of_a_lock_hides(bench):
    for before in ("", "atomic_fetch_add(&b, 1);"):
        text = ("static int x;\nstatic void *first(void *u) { " + before + " x = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return u; }\n"
                "static void *second(void *u) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); atomic_fetch_add(&a, 1); x = 1; return u; }\n"
                "int main(void) { pthread_t s, t; pthread_create(&s, 0, first, 0); pthread_create(&t, 0, second, 0);\n"
                "  pthread_join(s, 0); pthread_join(t, 0); }\n")
        for reductions in ([], ["--thread-symmetry=exact", "--independence=symmetric"]):
            bench.bug("data-race", text, *reductions)


def limits(bench):
    grows = "void *w(void *p) { for (;;) atomic_fetch_add(&a, 1); return p; }\n" + one()
    bench.inconclusive("more than 500 states", grows, "--max-states=500")
    bench.inconclusive("time limit", grows, "--time-limit=1")
    bench.inconclusive("step limit", grows, "--max-steps=200")


def options(bench):
    for option, says in (("--algorithm=dpor", "does not go with --algorithm"), ("-j2", "does not go with -j"),
                         ("--races=report", "does not go with --races"), ("--preemptions=1", "does not go with --preemptions"),
                         ("--checkpoint=c", "does not go with --checkpoint"), ("--bound=3", "is for --engine=symbolic")):
        expect(bench.check("int main(void) { return 0; }", option) is None and says in bench.output, option, bench.output)


def reports(bench):
    bench.verified("int main(void) { return 0; }")
    report = bench.report
    expect(report["engine"] == "explicit" and report["algorithm"] == "depth-first" and report["visible"] == "all", report)
    expect(report["states"] == 2 and report["visited_bytes"] > 0 and report["transitions"] == 3, report)
    bench.check("int main(void) { return 0; }", "--visible=sync")
    expect(bench.report["races_checked"] is False, bench.report)


CASES = [states_counted_by_hand, loops_that_wait_are_cycles, programs_without_end, equal_but_for_one_thing, heaps, races_and_deadlocks, races_that_one_order_of_a_lock_hides,
         limits, options, reports]

if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__))
