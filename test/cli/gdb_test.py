#!/usr/bin/env python3
"""`inspect replay --gdb`: each thread of the program is one of gdb's, on its own stack, where the bug is.

    gdb_test.py --bin BIN
"""

import argparse
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = None

DEADLOCK = """
#include <pthread.h>
static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *one, pthread_mutex_t *two) {
  pthread_mutex_lock(one);
  pthread_mutex_lock(two);
  pthread_mutex_unlock(two);
  pthread_mutex_unlock(one);
}
static void *leftmost(void *unused) { both(&left, &right); return unused; }
static void *rightmost(void *unused) { both(&right, &left); return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, leftmost, 0);
  pthread_create(&b, 0, rightmost, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""

# Reads its input and its arguments, and fails only with those; a thread has ended by then.
ASSERTION = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t never;
static int level, limit;
static void *ended(void *unused) { return unused; }
static void *filler(void *unused) {
  pthread_mutex_lock(&lock);
  level += 2;
  pthread_mutex_unlock(&lock);
  sem_wait(&never);
  return unused;
}
static void *checker(void *unused) {
  pthread_mutex_lock(&lock);
  assert(level < limit);
  pthread_mutex_unlock(&lock);
  sem_post(&never);
  return unused;
}
int main(int count, char **words) {
  pthread_t a, b, c;
  if (count != 2 || strcmp(words[1], "a b") || scanf("%d", &limit) != 1) return 0;
  sem_init(&never, 0, 0);
  pthread_create(&a, 0, ended, 0);
  pthread_join(a, 0);
  pthread_create(&b, 0, filler, 0);
  pthread_create(&c, 0, checker, 0);
  pthread_join(b, 0);
  pthread_join(c, 0);
}
"""

CRASH = """
#include <pthread.h>
#include <stdatomic.h>
static _Atomic(int *) pointer;
static int deep(int n) { volatile char frame[65536]; frame[0] = (char)n; return n ? deep(n + 1) + frame[0] : 0; }
static void *reader(void *unused) { if (!pointer) deep(1); return unused; }
int main(void) {
  static int value;
  pthread_t a;
  pthread_create(&a, 0, reader, 0);
  pointer = &value;
  pthread_exit(0);
}
"""

RACE = """
#include <pthread.h>
static int counter;
static void *adder(void *unused) { counter++; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, adder, 0);
  pthread_create(&b, 0, adder, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
"""


EVERY_STEP = """
right = 0
for step, thread, *_ in [line for line in INSPECT.lines if line[0]]:
    INSPECT.go(step)
    right += INSPECT.present() == step and gdb.selected_thread().name == "thread " + thread
print(right, "of", INSPECT.steps, "steps")
INSPECT.go(INSPECT.steps + 1)
"""


class Gdb(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def run_inspect(self, *words, given="", **environment):
        variables = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
        variables.update(environment)
        (self.folder / "input").write_text(given)
        with open(self.folder / "input", encoding="utf-8") as source:
            result = subprocess.run([BIN / "inspect", *words], cwd=self.folder, env=variables, stdin=source, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", timeout=120, check=False)
        return result.returncode, result.stdout

    def record(self, text, *options, arguments=(), given=""):
        (self.folder / "program.c").write_text(text)
        status, said = self.run_inspect("check", "--quiet", *options, "program.c", "--", *arguments, given=given)
        self.assertEqual(status, 1, said)

    def replay(self, *gdb, given="", status=1):
        got, said = self.run_inspect("replay", "--quiet", "--gdb", "inspect-bug.schedule", *(["--", *gdb] if gdb else []), given=given)
        self.assertEqual(got, status, said)
        return said

    def stacks(self, said):
        """Thread name → names of the functions on its stack, from `thread apply all backtrace`."""
        parts = re.split(r"^Thread \d+ \(.*\"(.*)\"\):$", said, flags=re.MULTILINE)
        return {name: re.findall(r"^#\d+ +(?:0x\w+ in )?([\w:]+)", text, re.MULTILINE) for name, text in zip(parts[1::2], parts[2::2])}

    def test_deadlock(self):
        self.record(DEADLOCK)
        said = self.replay()
        stacks = self.stacks(said)
        self.assertEqual(sorted(stacks), ["thread 0", "thread 0.0", "thread 0.1"], said)
        self.assertIn("main", stacks["thread 0"])
        for thread, function in (("thread 0.0", "leftmost"), ("thread 0.1", "rightmost")):
            self.assertIn("both", stacks[thread], said)
            self.assertIn(function, stacks[thread], said)
        self.assertIn("inspect: every thread waits", said)
        self.assertRegex(said, r"#\d+ +0x\w+ in both ")  # the frame that is selected, not the runtime's
        self.assertRegex(said, "(?m)^BUG: deadlock: ")

    def test_assertion(self):
        self.record(ASSERTION, arguments=["a b"], given="2\n")
        said = self.replay(given="2\n")
        stacks = self.stacks(said)
        self.assertEqual(sorted(stacks), ["thread 0", "thread 0.1", "thread 0.2"], said)  # 0.0 has ended
        for thread, function in (("thread 0", "main"), ("thread 0.1", "filler"), ("thread 0.2", "checker")):
            self.assertIn(function, stacks[thread], said)
        self.assertIn("inspect: assertion failed: level < limit", said)

    def test_crash(self):
        self.record(CRASH)
        said = self.replay("-batch", "-ex", "backtrace 2", "-ex", "continue")
        self.assertIn("SIGSEGV", said)
        self.assertRegex(said, r"#1 .* in deep ")
        self.assertIn("inspect: stack overflow", said)

    def test_race(self):
        self.record(RACE, "--visible=all")
        stacks = self.stacks(self.replay())
        self.assertTrue(any("adder" in functions for functions in stacks.values()))

    def test_again(self):
        """From the start, to a place before the bug, as often as one likes."""
        self.record(DEADLOCK)
        commands = ["break rightmost", "run", "print $_thread", "run", "backtrace 1", "continue"]
        said = self.replay("-batch", *[word for command in commands for word in ("-ex", command)])
        self.assertEqual(said.count("hit Breakpoint 1"), 2, said)
        self.assertEqual(said.count("inspect: every thread waits"), 2, said)

    def steps(self, *commands, **more):
        """What each command says."""
        marked = [word for i, command in enumerate(commands) for word in ("-ex", f"echo <{i}>\\n", "-ex", command)]
        said = self.replay("-batch", *marked, **more)
        return re.split(r"<\d+>\n", said)[1:]

    def test_steps(self):
        """Forward and back along the schedule, and where one is."""
        self.record(DEADLOCK)
        said = self.steps("inspect-switch", "inspect-where", "inspect-next", "inspect-prev 2", "print $_thread", "inspect-next 99",
                          "inspect-prev", "inspect-thread 0.0", "inspect-goto 1", "continue", "inspect-where all", "continue",
                          "inspect-prev", "backtrace", "inspect-goto 3", "info threads", "inspect-thread")
        self.assertRegex(said[0], r"before step 6 of 7: thread 0\.1: starts\ninspect: this is the decisive switch: thread 0\.0 stops "
                         r"here, thread 0\.1 goes on")
        self.assertRegex(said[1], r"(?m)^ +5 0\.0 pthread_mutex_lock\(left\)  program\.c:5\n +-+ decisive switch -+\n=> +6 0\.1 starts$")
        self.assertRegex(said[2], r"before step 7 of 7: thread 0\.1: pthread_mutex_lock\(right\)  program\.c:5\n"
                         r"#\d+ .* in both .*\n5\t  pthread_mutex_lock\(one\);")
        self.assertRegex(said[3], r"before step 5 of 7: thread 0\.0: pthread_mutex_lock\(left\)")
        self.assertRegex(said[5], r"inspect: every thread waits")
        self.assertRegex(said[6], r"before step 7 of 7")
        self.assertRegex(said[7], r"#\d+ .* in both .*\n6\t  pthread_mutex_lock\(two\);")
        self.assertRegex(said[8], r"before step 1 of 7: thread 0: starts")
        self.assertRegex(said[9], r"inspect: every thread waits")
        self.assertRegex(said[10], r"=> the bug")
        self.assertRegex(said[11], r"exited normally")
        self.assertRegex(said[12], r"before step 7 of 7")  # from an end that is over
        self.assertRegex(said[13], r"#\d+ .* in both ")
        self.assertNotIn("inspect", said[13])  # no frames but the program's
        names = re.findall(r"\"(thread [0-9.]+)\"", said[15])
        self.assertEqual(sorted(names), ["thread 0", "thread 0.0"], said[15])  # the new one has its name at once
        self.assertRegex(said[15], r'(?m)^\* 1 +"thread 0" +0x\w+ in main \(\) at .*program\.c:\d+$')  # each where it stands
        self.assertNotIn("inspect", said[15])
        self.assertIn("a thread's name is expected", said[16])
        for at_the_end in (said[5], said[9]):  # in the words of the report
            self.assertRegex(at_the_end, r"every thread waits: thread 0 for the end of thread 0\.0, thread 0\.0 for mutex right, "
                             r"thread 0\.1 for mutex left")

    def test_steps_of_its_own_breakpoint(self):
        """A step is under way where the user's own breakpoint is; wrong numbers are refused."""
        self.record(ASSERTION, arguments=["a b"], given="2\n")
        said = self.steps("inspect-goto 3", "break checker", "continue", "inspect-where", "inspect-next", "inspect-goto 0", "inspect-next x",
                          "inspect-thread 0.7", "inspect-goto 99", given="2\n")
        self.assertRegex(said[2], r"hit Breakpoint \d+, checker")
        self.assertRegex(said[3], r"(?m)^=> +\d+ 0\.2 starts$")
        self.assertRegex(said[4], r"thread 0\.2: pthread_mutex_lock\(lock\)")
        for i, what in ((5, "a step from 1 to"), (6, "a number of steps"), (7, "no thread 0.7 is alive"), (8, "a step from 1 to")):
            self.assertIn(what, said[i])

    def test_every_step(self):
        """Each stop is before its step, in the thread that takes it."""
        self.record(ASSERTION, arguments=["a b"], given="2\n")
        (self.folder / "all.py").write_text(EVERY_STEP)
        said = self.steps("source all.py", given="2\n")
        self.assertIn("12 of 12 steps", said[0])

    def test_terminal(self):
        """At a terminal gdb stops before the decisive switch first."""
        self.record(DEADLOCK)
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execve(BIN / "inspect", ["inspect", "replay", "--quiet", "--gdb", "inspect-bug.schedule"], {**os.environ, "TERM": "dumb"})
        said, answers = "", ["inspect-next\n", "continue\n", "kill\n", "quit\n"]
        while True:
            try:
                if not select.select([terminal], [], [], 60)[0]:
                    break
                said += os.read(terminal, 65536).decode(errors="replace")
            except OSError:  # the terminal's other end is closed
                break
            if said.endswith("(gdb) ") and answers:
                os.write(terminal, answers.pop(0).encode())
            elif said.endswith("(y or n) "):
                os.write(terminal, b"y\n")
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 1, said)
        order = [said.find(text) for text in ("this is the decisive switch", "before step 7 of 7", "every thread waits", "BUG: deadlock")]
        self.assertEqual(order, sorted(order), said)
        self.assertNotIn(-1, order, said)

    def test_nobody_answers(self):
        """Input that has been written in advance, to a terminal, and then ends."""
        self.record(DEADLOCK)
        command = f"{BIN / 'inspect'} replay --quiet --gdb inspect-bug.schedule"
        result = subprocess.run(["script", "-qec", command, "/dev/null"], cwd=self.folder, input=b"quit\n", stdout=subprocess.PIPE,
                                env={**os.environ, "TERM": "dumb"}, timeout=100, check=False)
        said = result.stdout.decode(errors="replace")
        self.assertEqual(result.returncode, 1, said)
        self.assertIn("gdb ended before the program came to the bug", said)

    def test_divergence(self):
        """A user who changes the program under gdb is told that this is not the recorded run."""
        self.record(ASSERTION, arguments=["a b"], given="2\n")
        said = self.replay("-batch", "-ex", "break checker", "-ex", "run", "-ex", "set var limit = 100", "-ex", "continue",
                           given="2\n", status=4)
        self.assertRegex(said, "UNSUPPORTED: program.c: under gdb, the run (ended without the recorded bug|diverges from the schedule at step 1[0-9])")

    def test_ended_early(self):
        self.record(DEADLOCK)
        said = self.replay("-batch", "-ex", "break leftmost", "-ex", "run")
        self.assertIn("gdb ended before the program came to the bug", said)

    def test_no_gdb(self):
        status, said = self.run_inspect("replay", "--gdb", "x.schedule", PATH=str(self.folder))
        self.assertEqual((status, said), (2, "inspect: error: --gdb: gdb is not installed; as root: apt-get install gdb\n"))
        status, said = self.run_inspect("replay", "x.schedule", "--", "-batch")
        self.assertEqual((status, said), (2, "inspect: error: arguments after -- are gdb's: --gdb is missing\n"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    BIN = options.bin.resolve()
    if not shutil.which("gdb"):
        sys.exit("gdb is not installed: ./dev setup")
    unittest.main(argv=[sys.argv[0], *rest])
