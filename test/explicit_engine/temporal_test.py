#!/usr/bin/env python3
"""inspect check --ltl: the commands of docs/temporal.md, propositions, fairness, replays, and what is refused.

    temporal_test.py --bin BIN
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test" / "support"))
from cases import expect, run  # noqa: E402

HEAD = """#include <inspect/inspect.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
#define P inspect_proposition
atomic_int a, b;
"""
TWO = "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); BODY pthread_join(t, 0); return 0; }\n"


def two(thread, body):
    return "void *w(void *p) { " + thread + " return p; }\n" + TWO.replace("BODY", body)


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def inspect(self, *words, folder=None):
        done = subprocess.run([str(self.tools / "inspect"), *words], cwd=folder or self.folder, capture_output=True, text=True,
                              timeout=120, check=False)
        self.output = f"{shlex.join(words)}\n{done.stdout}{done.stderr}"
        return done.returncode

    def check(self, text, formula, *options, name="p.c"):
        (self.folder / name).write_text(HEAD + text)
        (self.folder / "r.json").unlink(missing_ok=True)
        status = self.inspect("check", "--engine=explicit", "--json=r.json", "--schedule=s", "--ltl=" + formula, *options, name)
        report = self.folder / "r.json"
        self.report = json.loads(report.read_text()) if report.exists() else None
        return status

    def holds(self, text, formula, *options, **more):
        expect(self.check(text, formula, *options, **more) == 0, self.output)
        expect(self.report["formula"] == formula, self.output)

    def violated(self, text, formula, *options, **more):
        expect(self.check(text, formula, *options, **more) == 1, self.output)
        expect(self.report["bugs"][0]["kind"] == "temporal", self.output)
        shown = self.output
        cycle = re.search(r"^cycle (\d+)$", (self.folder / "s").read_text(), re.M)
        expect(cycle, "the schedule has no cycle", self.output)
        turns = ["--turns=3"] if int(cycle[1]) else []
        for words in [[], turns]:
            expect(self.inspect("replay", *words, "s") == 1, "it does not happen again", self.output)
        return int(cycle[1]), shown

    def inconclusive(self, reason, text, formula, *options):
        expect(self.check(text, formula, *options) == 3 and reason in self.report["reason"], self.output)

    def refused(self, message, text, formula, *options):
        expect(self.check(text, formula, *options) == 2 and message in self.output, self.output)


def commands_of_the_guide(bench):
    page = (ROOT / "docs" / "temporal.md").read_text()
    commands = re.findall(r"^(inspect check .*?)\s*# (verified|bug)$", page, re.M)
    expect(len(commands) == 8, commands)
    for command, verdict in commands:
        words = shlex.split(command)[1:]
        words[1:1] = ["--schedule=" + str(bench.folder / "s"), "--json=" + str(bench.folder / "r.json")]
        expect(bench.inspect(*words, folder=ROOT) == {"verified": 0, "bug": 1}[verdict], bench.output)
        if verdict == "bug":
            report = json.loads((bench.folder / "r.json").read_text())
            expect(report["bugs"][0]["kind"] == "temporal", bench.output)
            expect("for ever" in bench.output, bench.output)
            expect(bench.inspect("replay", "--turns=2", str(bench.folder / "s"), folder=ROOT) == 1, bench.output)


def runs_that_end_stutter(bench):
    sets = two('atomic_store(&a, 1); P("done", 1);', 'P("begun", 1);')
    bench.holds(sets, "F done")
    bench.holds(sets, "F G done")
    bench.holds(sets, "!done U begun")
    cycle, shown = bench.violated(sets, "G !done")
    expect(cycle == 0 and "it ends after" in shown, shown)
    bench.violated(sets, "G F !done")
    bench.violated(sets, "begun")  # not yet in the initial state


def a_proposition_belongs_to_the_state(bench):
    # Two ways lead to states that differ in the proposition alone.
    program = two("int v = atomic_load(&b); if (v) P(\"late\", 1); atomic_store(&b, 0);", "atomic_store(&b, 1); atomic_store(&b, 0);")
    bench.violated(program, "G !late")
    bench.violated(program, "F late")
    # It takes effect with the operation before it; the last value counts.
    bench.holds(two('atomic_store(&a, 1); P("p", 1); P("p", 0);', ""), "G !p")
    bench.violated(two('atomic_store(&a, 1); P("p", 1); atomic_store(&a, 2); P("p", 0);', ""), "G !p")
    # What code before main has set.
    before = '__attribute__((constructor)) void c(void) { P("p", 1); }\n' + two("atomic_store(&a, 1);", 'P("p", 0);')
    bench.holds(before, "p && F !p")


def variables_are_compared(bench):
    program = ("enum { small, large } size; struct { char c; unsigned long n[2]; } s; signed char negative = -3; unsigned u = -1;\n"
               + two("atomic_store(&a, 1); atomic_store(&a, 2);", "s.n[1] = 7; size = large;"))
    bench.holds(program, "F a == 2")
    bench.holds(program, "(a < 2) U (a >= 2)")
    bench.holds(program, "a == 0 && F (s.n[1] == 7 && size == 1) && G (negative == -3 && u > 0)")
    bench.violated(program, "G a != 1")
    bench.violated(program, "G (a)")
    bench.refused("undefined_name is neither a proposition", program, "G undefined_name")
    for short in ("r", "w", "n", "exit"):  # texts of the runtime's
        bench.refused(short + " is neither a proposition", program, "G !" + short)
    bench.refused("n is no global variable", program, "G n == 1")
    bench.refused("a is a variable, and a proposition", program.replace("return p;", 'P("a", 0); return p;'), "G a")
    bench.refused("negativ is no global variable", program, "G negativ == 1")
    same = "static volatile int x; int f(void) { static volatile int x = 1; return x; }\n" + two("x = f();", "")
    bench.refused("x names several variables", same, "F x == 1")


def in_cpp(bench):
    program = ("#include <atomic>\n#include <thread>\nnamespace n { std::atomic<int> state{0}; struct Q { static inline std::atomic<bool> open{true}; }; }\n"
               "int main() { std::thread t([] { n::state = 1; n::Q::open = false; inspect_proposition(\"done\", true); }); t.join(); }\n")
    for formula in ("F n::state == 1", "F done", "!done U n::state == 1"):
        (bench.folder / "p.cpp").write_text("#include <inspect/inspect.h>\n" + program)
        expect(bench.inspect("check", "--engine=explicit", "--ltl=" + formula, "p.cpp") == 0, bench.output)


def fairness(bench):
    program = two('for (;;) { int v = atomic_load(&a); P("seen", v); if (v) break; }', 'atomic_store(&a, 1); P("stored", 1);')
    cycle, shown = bench.violated(program, "F seen")
    expect(cycle > 0 and "what follows repeats for ever" in shown, shown)
    bench.holds(program, "F seen", "--fairness=weak")
    bench.holds(program, "G (stored -> F seen)", "--fairness=weak")
    # A lock that is taken again and again: weak fairness promises nothing.
    lock = ("pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n" +
            two('pthread_mutex_lock(&m); P("in", 1); pthread_mutex_unlock(&m);',
                "for (;;) { pthread_mutex_lock(&m); atomic_fetch_xor(&b, 1); pthread_mutex_unlock(&m); }"))
    bench.violated(lock, "F in", "--fairness=weak")
    # A thread that has ended is not enabled.
    bench.violated(two('P("p", 1);', "for (;;) atomic_fetch_xor(&a, 1);"), "G F (a == 1 && !p)", "--fairness=weak")


def runs_that_do_not_count(bench):
    assumes = two("int v = atomic_load(&a); P(\"late\", !v); atomic_load(&b); inspect_assume(v);", "atomic_store(&a, 1);")
    bench.holds(assumes, "G (late -> F !late)")
    bench.violated(assumes.replace("inspect_assume(v);", ""), "G (late -> F !late)")


def other_bugs_come_first(bench):
    expect(bench.check(two("inspect_assert(!atomic_load(&a));", "atomic_store(&a, 1);"), "G a == 0") == 1, bench.output)
    expect(bench.report["bugs"][0]["kind"] == "assertion", bench.output)


def what_is_not_known_is_said(bench):
    bench.inconclusive("time passes", two("usleep(10); atomic_store(&a, 1);", ""), "F a == 1")
    bench.violated(two("usleep(10); atomic_store(&a, 1);", ""), "G a == 0")
    counts = two("for (;;) atomic_fetch_add(&a, 1);", "")
    bench.inconclusive("states", counts, "G a >= 0", "--max-states=200")
    bench.violated(two("for (;;) { int v = atomic_load(&b); atomic_store(&b, !v); atomic_fetch_add(&a, v * 0); }", "atomic_store(&a, 5);"),
                   "F a == 5")
    never = two('if (atomic_load(&a) == 7) P("wrong", 1);', "atomic_store(&a, 1);")
    bench.holds(never, "G !wrong")
    expect("never set wrong" in bench.output, bench.output)


def what_is_refused(bench):
    program = two('P("p", 1);', "")
    bench.refused("X (next) is not offered", program, "G X p")
    bench.refused("something is missing at the end\n  G (p ->\n         ^", program, "G (p ->")
    bench.refused("expected a value", program, "")
    bench.refused("the formula is empty", program, " ")
    bench.refused("nested deeper", program, "(" * 5000 + "p" + ")" * 5000)
    (bench.folder / "p.c").write_text(HEAD + program)
    for words, message in ((["--ltl=p"], "--ltl is for --engine=explicit"),
                           (["--engine=symbolic", "--ltl=p"], "--ltl is for --engine=explicit"),
                           (["--engine=explicit", "--fairness=weak"], "--ltl is missing"),
                           (["--fairness=weak"], "--fairness is for --engine=explicit")):
        expect(bench.inspect("check", *words, "p.c") == 2 and message in bench.output, bench.output)
    bench.violated(program, "G !p")
    expect(bench.inspect("replay", "--turns=2", "s") == 2 and "no cycle" in bench.output, bench.output)
    # Elsewhere propositions say nothing.
    expect(bench.inspect("check", "p.c") == 0, bench.output)


CASES = [commands_of_the_guide, runs_that_end_stutter, a_proposition_belongs_to_the_state, variables_are_compared, in_cpp, fairness,
         runs_that_do_not_count, other_bugs_come_first, what_is_not_known_is_said, what_is_refused]

if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__))
