#!/usr/bin/env python3
"""inspect check --engine=symbolic: what it links, what becomes of a solver that dies, its options, its reports.

    check_test.py --bin BIN
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

BIN = None

COUNTER = """#include <assert.h>
#include <inspect/inspect.h>
#include <pthread.h>
int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *unused) {
  pthread_mutex_lock(&m);
  count += 1;
  pthread_mutex_unlock(&m);
  return unused;
}
int main(void) {
  pthread_t t[2];
  int by = __VERIFIER_nondet_int();
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(count == 2 && by != WRONG);
  return 0;
}
"""
LOOP = """#include <inspect/inspect.h>
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  while (i < n)
    i++;
  return i != n;
}
"""


class Symbolic(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def write(self, **files):
        for name, text in files.items():
            (self.path / (name.replace("_", ".", 1))).write_text(text)

    def command(self, *words, status=None, **options):
        done = subprocess.run([str(w) for w in words], cwd=self.path, capture_output=True, text=True, timeout=120, check=False,
                              stdin=subprocess.DEVNULL, **options)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        return done

    def check(self, *words, status, tool=None):
        """Returns the text and the report."""
        report = self.path / "report.json"
        report.unlink(missing_ok=True)
        done = self.command(tool or BIN / "inspect", "check", "--engine=symbolic", "--json=report.json", "--progress=off", *words, status=status)
        return done.stdout + done.stderr, json.loads(report.read_text()) if report.exists() else None

    def build(self, *words):
        self.command(BIN / "inspect-cc", "--inspect-bitcode", "-std=gnu17", "-O1", "-g", "-pthread", *words, status=0)

    # What a user sees.

    def test_verified(self):
        self.write(a_c=COUNTER.replace("&& by != WRONG", ""))
        text, report = self.check("a.c", status=0)
        self.assertRegex(text, r"VERIFIED: a\.c: no bug in any schedule, for any input \(engine symbolic, encoding event, bound 2\)")
        self.assertEqual((report["verdict"], report["engine"], report["encoding"], report["por"], report["solver"], report["inputs"], report["bound"]),
                         ("verified", "symbolic", "event", None, "cadical", [], 2))
        _, report = self.check("a.c", "--encoding=step", status=0)
        self.assertEqual((report["encoding"], report["por"]), ("step", "lex"))

    def test_bug_has_its_inputs_and_replays(self):
        self.write(a_c=COUNTER.replace("WRONG", "-123456"))
        text, report = self.check("a.c", "--por=mpor", "--bound=3", status=1)
        self.assertIn("input: by at a.c:14 = -123456  (thread 0)", text)
        self.assertEqual(report["inputs"], [{"name": "by", "thread": "0", "location": "a.c:14", "value": "-123456"}])
        self.assertEqual((report["bugs"][0]["kind"], report["bugs"][0]["location"], report["por"], report["bound"]),
                         ("assertion", "a.c:17:3", "mpor", 3))
        again = self.command(BIN / "inspect", "replay", "inspect-bug.schedule", status=1)
        self.assertIn("BUG: assertion: assertion failed: count == 2 && by != -123456", again.stdout)

    def test_bound_too_small_says_what_to_give(self):
        self.write(a_c=LOOP)
        text, report = self.check("a.c", "--bound=5", status=3)
        self.assertIn("a.c:4: a loop goes on after 5 iterations: give --bound=10 or more", text)
        self.assertEqual(report["bound"], 5)

    def test_bound_grows_up_to_the_time_limit(self):
        self.write(a_c=LOOP)
        began = time.monotonic()
        _, report = self.check("a.c", "--time-limit=3", status=3)
        self.assertGreater(report["bound"], 8)
        self.assertLess(time.monotonic() - began, 30)
        self.write(a_c=LOOP.replace("i = 0", "i = 0; __VERIFIER_assume(n < 21)"))
        _, report = self.check("a.c", status=0)
        self.assertEqual(report["bound"], 32)

    def test_bound_has_advice_of_its_own(self):
        self.write(a_c=LOOP)
        text, _ = self.check("a.c", "--bound=2", status=3)
        self.assertIn("what to do: raise --bound", text)
        self.assertNotIn("executions explored", text)

    def test_what_nobody_initialises(self):
        self.write(a_c="#include <assert.h>\n#include <inspect/inspect.h>\nint main(void) {\n  int x;\n  if (__VERIFIER_nondet_int()) x = 1;\n"
                       "  assert(x != 42);\n  return 0;\n}\n")
        text, _ = self.check("a.c", status=3)
        self.assertIn("stands in x at a.c:4, which is read and was never initialised", text)
        self.assertIn("what to do: initialise it", text)
        # With zeros it goes wrong, too: that can be shown.
        self.write(a_c=(self.path / "a.c").read_text().replace("x != 42", "x != 42 && x == 1"))
        text, _ = self.check("a.c", status=1)
        self.assertIn("BUG: assertion", text)

    def test_what_the_compiler_takes_away(self):
        # Unused quotients are not computed, if the compiler optimises.
        self.write(a_c="#include <inspect/inspect.h>\nint main(void) {\n  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n"
                       "  if (b != 0) {\n    int q = a / b;\n    (void)q;\n  }\n  return 0;\n}\n")
        text, report = self.check("a.c", status=1)
        self.assertEqual((report["bugs"][0]["kind"], report["bugs"][0]["location"].split(":")[1]), ("crash", "5"))
        self.command(BIN / "inspect", "replay", "inspect-bug.schedule", status=1)

    def test_unsupported_names_the_line(self):
        self.write(a_c="#include <math.h>\nint main(void) {\n  volatile double d = 2;\n  return d > 3;\n}\n")
        text, _ = self.check("a.c", status=4)
        self.assertRegex(text, r"UNSUPPORTED: a\.c: a\.c:\d: .*--engine=native does")

    def test_progress(self):
        self.write(a_c=LOOP.replace("i++", "i += 1 + i % 7 * 0"))
        done = self.command(BIN / "inspect", "check", "--engine=symbolic", "--time-limit=14", "--progress=on", "a.c", status=3)
        self.assertRegex(done.stderr, r"inspect: bound \d+, depth \d+, \d+ clauses, \d+ conflicts, \d+ s")

    def test_dumps(self):
        self.write(a_c=COUNTER.replace("&& by != WRONG", ""))
        text, _ = self.check("a.c", "--dump-transitions", "--dump-cnf=out.cnf", "--bound=2", status=0)
        self.assertRegex(text, r"(?m)^cell count: 32 bits = 0$")
        self.assertRegex((self.path / "out.cnf").read_text(), r"(?m)^p cnf \d+ \d+$")

    def test_options_that_say_nothing_here_are_refused(self):
        self.write(a_c=LOOP)
        for words, says in ((["--engine=symbolic", "--algorithm=dpor"], "does not go with --algorithm"),
                            (["--engine=symbolic", "--encoding=event", "--por=lex"], "it goes with --encoding=step"),
                            (["--engine=symbolic", "--solver=other"], "--solver: expected one of cadical"),
                            (["--engine=symbolic", "-j", "2"], "does not go with -j"),
                            (["--bound=3"], "--bound is for --engine=symbolic"), (["--por=lex"], "--por is for --engine=symbolic")):
            done = self.command(BIN / "inspect", "check", *words, "a.c", status=2)
            self.assertIn(says, done.stderr)

    # What is linked.

    def test_members_of_archives_are_those_the_linker_takes(self):
        self.write(main_c="int one(void);\nint main(void) { return one() != 1; }\n", one_c="int one(void) { return 1; }\n",
                   other_c="int other;\nint one(void) { return 2; }\n", unused_c="double unused(double d) { return d * 2; }\n")
        for name in ("main", "one", "other", "unused"):
            self.build("-c", f"{name}.c")
        self.command("ar", "rcs", "liba.a", "one.o", "unused.o", status=0)
        self.command("ar", "rcs", "libb.a", "other.o", status=0)
        self.build("main.o", "liba.a", "libb.a", "-o", "first")
        self.build("main.o", "libb.a", "liba.a", "-o", "second")
        self.check("./first", status=0)
        text, _ = self.check("./second", status=1)
        self.assertIn("exit-status", text)

    def test_statics_of_one_name_are_two(self):
        self.write(a_c="static int x = 1;\nint b(void);\nint main(void) { x++; return x + b() != 12; }\n",
                   b_c="static int x = 10;\nint b(void) { return x; }\n")
        self.check("a.c", "b.c", status=0)

    def test_objects_without_their_code(self):
        self.write(main_c="int one(void);\nint main(void) { return one() != 1; }\n", one_c="int one(void) { return 1; }\n")
        self.build("-c", "main.c")
        self.command(BIN / "inspect-cc", "-c", "one.c", status=0)
        self.build("main.o", "one.o", "-o", "program")
        text, _ = self.check("./program", status=4)
        self.assertIn("main.c:2: a call to one (defined in an object without its code)", text)
        self.command(BIN / "inspect-cc", "main.c", "one.c", "-o", "program", status=0)
        text, _ = self.check("./program", status=4)
        self.assertIn("build it with inspect-cc --inspect-bitcode", text)

    def test_functions_by_names_of_the_library_that_are_not(self):
        self.write(main_c="#include <pthread.h>\nint x;\npthread_mutex_t m;\nint main(void) { pthread_mutex_lock(&m); return x; }\n",
                   lock_c="int x;\nint pthread_mutex_lock(void *m) { x = 1; return 0; }\n".replace("int x;", "extern int x;"))
        self.build("-c", "main.c")
        self.command(BIN / "inspect-cc", "-c", "-w", "lock.c", status=0)
        self.build("main.o", "lock.o", "-o", "program")
        text, _ = self.check("./program", status=4)
        self.assertIn("pthread_mutex_lock (defined in an object without its code)", text)

    def test_weak_definitions_of_which_others_are_taken(self):
        self.write(main_c="__attribute__((weak, noinline)) int one(void) { return 1; }\nint main(void) { return one() != 1; }\n",
                   one_c="int one(void) { return 2; }\n")
        self.build("-c", "main.c")
        self.command(BIN / "inspect-cc", "-c", "one.c", status=0)
        self.build("main.o", "one.o", "-o", "program")
        text, _ = self.check("./program", status=4)
        self.assertIn("an object without its code, which defines one", text)

    def test_definitions_of_which_others_may_be_taken(self):
        self.write(main_c="__attribute__((weak, noinline)) int one(void) { return 1; }\nint main(void) { return one() != 1; }\n",
                   more_c="__attribute__((weak, noinline)) int one(void) { return 2; }\n", number_c="int n = 1;\n",
                   common_c="int n;\nint main(void) { return n; }\n")
        self.build("-c", "main.c")
        self.build("-fcommon", "-c", "common.c")
        self.command(BIN / "inspect-cc", "-c", "more.c", status=0)
        self.command(BIN / "inspect-cc", "-c", "number.c", status=0)
        self.build("more.o", "main.o", "-o", "weak")
        text, _ = self.check("./weak", status=4)
        self.assertIn("an object without its code, more.c, which may define one", text)
        self.build("common.o", "number.o", "-o", "common")
        text, _ = self.check("./common", status=4)
        self.assertIn("an object without its code, number.c, which may define n", text)
        self.build("-c", "more.c")
        self.build("more.o", "main.o", "-o", "weak")
        self.check("./weak", status=1)

    def test_code_before_main_by_the_linker(self):
        self.write(main_c="int x;\nvoid before(void) { x = 1; }\nint main(void) { return x; }\n")
        self.build("main.c", "-Wl,-init=before", "-o", "program")
        text, _ = self.check("./program", status=4)
        self.assertIn("code that runs before or after main", text)

    def test_code_before_main(self):
        self.write(main_c="int x;\nint main(void) { return x; }\n", before_c="extern int x;\n__attribute__((constructor)) void f(void) { x = 1; }\n")
        text, _ = self.check("main.c", "before.c", status=4)
        self.assertIn("code that runs before or after main", text)
        self.build("-c", "main.c")
        self.command(BIN / "inspect-cc", "-c", "before.c", status=0)
        self.build("main.o", "before.o", "-o", "program")
        text, _ = self.check("./program", status=4)
        self.assertIn("code that runs before or after main, in an object without its code", text)

    def test_shared_libraries(self):
        self.write(main_c="int main(void) { return 0; }\n", one_c="int one(void) { return 1; }\n")
        self.build("-shared", "-fPIC", "one.c", "-o", "libone.so")
        self.build("main.c", "-Wl,--no-as-needed", "-L.", "-lone", f"-Wl,-rpath,{self.path}", "-o", "program")
        text, _ = self.check("./program", status=4)
        self.assertIn("a shared library: libone.so", text)

    # What becomes of the solver.

    def with_solver(self, script):
        """A copy of inspect beside another inspect-symbolic."""
        folder = self.path / "bin"
        folder.mkdir(exist_ok=True)
        shutil.copy(BIN / "inspect", folder / "inspect")
        (folder / "inspect-symbolic").unlink(missing_ok=True)
        if script is not None:
            (folder / "inspect-symbolic").write_text("#!/bin/sh\n" + script)
            (folder / "inspect-symbolic").chmod(0o755)
        return folder / "inspect"

    def test_a_solver_that_dies_is_inconclusive(self):
        self.write(a_c="int main(void) { return 0; }\n")
        self.build("a.c", "-o", "program")
        for script, says in (("kill -9 $$\n", "was ended by signal 9"), ("exit 7\n", "ended with status 7 and without an answer"),
                             ("echo 'verdict verified \"\"'\n", "without an answer"), ("echo nonsense\n", "a line that is not understood"),
                             ("echo end\necho more\n", "a line that is not understood"),
                             ("echo 'terminate called: std::bad_alloc' >&2; kill -6 $$\n", "has no memory left")):
            tool = self.with_solver(script)
            text, report = self.check("./program", status=3, tool=tool)
            self.assertIn(says, text)
            self.assertEqual(report["verdict"], "inconclusive")

    def test_an_answer_that_says_nothing_is_no_verdict(self):
        self.write(a_c="int main(void) { return 0; }\n")
        self.build("a.c", "-o", "program")
        for answer in ("echo end\n", "echo 'verdict maybe \"\"'; echo end\n", "echo 'verdict bug \"\"'; echo end\n"):
            self.check("./program", status=3, tool=self.with_solver(answer))

    def test_a_bug_that_is_none_is_not_reported(self):
        self.write(a_c="int main(void) { return 0; }\n")
        self.build("a.c", "-o", "program")
        tool = self.with_solver("echo 'step 0 start \"\" \"\"'; echo 'bug assertion \"assertion failed\" a.c:1'\n"
                                "echo 'figures 2 1 1 1 1 1 1 1'; echo 'verdict bug \"\"'; echo end\n")
        text, report = self.check("./program", status=3, tool=tool)
        self.assertIn("the engines differ", text)
        self.assertEqual(report["bugs"], [])

    def test_a_solver_that_is_not_there_is_named(self):
        done = self.command(self.with_solver(None), "check", "--engine=symbolic", "x.c", status=2)
        self.assertRegex(done.stderr, r"needs the program inspect-symbolic, which is neither .*/bin/inspect-symbolic nor .*libexec")

    def test_a_solver_that_hangs_is_ended(self):
        self.write(a_c="int main(void) { return 0; }\n")
        self.build("a.c", "-o", "program")
        began = time.monotonic()
        text, _ = self.check("--time-limit=1", "./program", status=3, tool=self.with_solver("sleep 100\n"))
        self.assertIn("time limit reached", text)
        self.assertLess(time.monotonic() - began, 30)

    def test_memory_limit(self):
        self.write(a_c=LOOP.replace("i++", "i += 1 + i * i % 7 * 0").replace("return i != n", "return i * i * i % 1001 == 999"))
        text, _ = self.check("--memory-limit=200M", "--time-limit=60", "a.c", status=3)
        self.assertRegex(text, "memory")

    def test_interrupted(self):
        self.write(a_c=LOOP)
        process = subprocess.Popen([BIN / "inspect", "check", "--engine=symbolic", "--time-limit=60", "a.c"], cwd=self.path, stdout=subprocess.PIPE,
                                   text=True)
        time.sleep(3)
        process.send_signal(2)
        out, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 3)
        self.assertIn("INCONCLUSIVE", out)


def main():
    global BIN
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    options, rest = parser.parse_known_args()
    BIN = pathlib.Path(options.bin).resolve()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
