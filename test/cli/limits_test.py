#!/usr/bin/env python3
"""Limits hold within one execution, whoever explores, and nothing is lost by them.

    limits_test.py --bin DIR [NAME...]     DIR holds inspect and inspect-cc; cases whose name contains one of the NAMEs

No case measures time: a limit that does not hold is a check that does not end.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from cases import expect, run  # noqa: E402

VERIFIED, BUG, USAGE, INCONCLUSIVE, UNSUPPORTED = 0, 1, 2, 3, 4
LIMIT = 120  # seconds; only a hang comes near it

# Two threads; the first one to start may do what main was told. An execution in which it does not ends.
ENDLESS = """
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static atomic_int x;
static const char* what;
static char block[1 << 20];
static void go(void) {
  if (!strcmp(what, "loop")) for (volatile unsigned long i = 0;; i++) {}
  if (!strcmp(what, "yields")) for (volatile unsigned long i = 0;; i++) sched_yield();
  if (!strcmp(what, "files")) for (int fd = memfd_create("m", 0);;) if (write(fd, block, sizeof block) < 0) abort();
  if (!strcmp(what, "memory")) for (;;) { char* p = malloc(1 << 20); if (!p) abort(); memset(p, 1, 1 << 20); }
}
static void* a(void* p) { for (int i = 0; i < 4; i++) atomic_store(&x, i); if (atomic_load(&x) == 11) go(); return p; }
static void* b(void* p) { for (int i = 0; i < 3; i++) atomic_store(&x, 10 + i); return p; }
int main(int n, char** v) {
  what = n > 1 ? v[1] : "none";
  pthread_t t, u;
  pthread_create(&t, 0, a, 0); pthread_create(&u, 0, b, 0); pthread_join(t, 0); pthread_join(u, 0);
  return 0;
}
"""


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def compile(self, name, text, *flags):
        source, program = self.folder / (name + ".c"), self.folder / name
        source.write_text(text)
        subprocess.run([self.tools / "inspect-cc", "-std=gnu17", "-O1", "-g", "-pthread", *flags, source, "-o", program], check=True,
                       timeout=LIMIT)
        return program

    def command(self, program, *options, args=()):
        return [str(self.tools / "inspect"), "check", "--progress=off", "--json=out.json", *options, str(program), "--", *args]

    def check(self, program, *options, args=(), prefix=(), **more):
        """Exit status, report (None if there is none), standard error and standard output."""
        out = self.folder / "out.json"
        out.unlink(missing_ok=True)
        done = subprocess.run([*prefix, *self.command(program, *options, args=args)], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT, check=False, **more)
        return done.returncode, json.loads(out.read_text()) if out.exists() else None, done.stderr + done.stdout


WAYS = ((), ("-j2",), ("--checkpoint=saved",), ("-j2", "--checkpoint=saved"))


def within_an_execution(bench):
    """Time and memory limits end an execution under way, also with several workers and checkpoints."""
    program = bench.compile("endless", ENDLESS)
    for way in WAYS:
        for what, option, word in (("loop", "--time-limit=1", "time limit"), ("yields", "--time-limit=1", "time limit"),
                                   ("memory", "--memory-limit=200M", "memory limit"), ("files", "--memory-limit=200M", "memory limit")):
            (bench.folder / "saved").unlink(missing_ok=True)
            status, report, text = bench.check(program, option, "--max-steps=4000000000", *way, args=[what])
            expect(status == INCONCLUSIVE and word in report["reason"], way, what, status, text)
            expect((bench.folder / "saved").exists() == ("--checkpoint=saved" in way), way, what, "no checkpoint", text)


def interrupted(bench):
    """^C ends an execution under way, and those of other workers."""
    program = bench.compile("endless", ENDLESS)
    for way in WAYS:
        process = subprocess.Popen(bench.command(program, *way, args=["loop"]), cwd=bench.folder, stderr=subprocess.PIPE, text=True,
                                   stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=LIMIT)
        expect(process.returncode == INCONCLUSIVE, way, process.returncode, text)


def goes_on_from_there(bench):
    """What was stopped within an execution is explored by whoever resumes, each class once."""
    program = bench.compile("endless", ENDLESS)
    _, whole, _ = bench.check(program)
    for first, then in ((("--checkpoint=saved",), ()), (("-j2", "--checkpoint=saved"), ()), (("--checkpoint=saved",), ("-j2",))):
        (bench.folder / "saved").unlink(missing_ok=True)
        more = ()
        for turn in range(100):
            # Each part is stopped by a signal at some time, the first ones before anything was explored.
            process = subprocess.Popen(bench.command(program, *first, *more), cwd=bench.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(0.01 * turn)
            process.send_signal(signal.SIGTERM)
            _, text = process.communicate(timeout=LIMIT)
            expect(process.returncode in (VERIFIED, INCONCLUSIVE, -signal.SIGTERM), process.returncode, text)
            if process.returncode == VERIFIED:
                break
            more = ("--resume=saved",) if (bench.folder / "saved").exists() else ()
        if (bench.folder / "saved").exists():
            status, report, text = bench.check(program, "--resume=saved", *then)
            expect(status == VERIFIED and report["executions"] == whole["executions"], first, then, status, report, whole["executions"], text)


def a_halted_worker(bench):
    """A worker that was stopped does not hold up the end."""
    program = bench.compile("endless", ENDLESS)
    process = subprocess.Popen(bench.command(program, "-j3", args=["loop"]), cwd=bench.folder, stderr=subprocess.PIPE, text=True,
                               stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    names = lambda: [c for c in children.read_text().split() if pathlib.Path(f"/proc/{c}/comm").read_text().strip() == "inspect"]
    while len(names()) < 2:
        time.sleep(0.02)
    os.kill(int(names()[0]), signal.SIGSTOP)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, text = process.communicate(timeout=LIMIT)
    expect(process.returncode == INCONCLUSIVE and "died" in text, process.returncode, text)


def bad_values(bench):
    """Amounts of memory are numbers of bytes, with units."""
    program = bench.compile("endless", ENDLESS)
    for value in ("0", "", "1.5G", "-1", "12Q", "99999999999T"):
        status, _, text = bench.check(program, f"--memory-limit={value}")
        expect(status == USAGE and text.count("\n") == 1, value, status, text)
    status, report, text = bench.check(program, "--memory-limit=1G")
    expect(status == VERIFIED and report["limits"]["memory_limit"] == 1 << 30, status, report, text)


def planted_links(bench):
    """What stands where a file is made first does not say where it is made."""
    program, victim = bench.compile("endless", ENDLESS), bench.folder / "victim"
    victim.write_text("kept")
    (bench.folder / "saved.new").symlink_to(victim)
    status, _, text = bench.check(program, "--checkpoint=saved")
    expect(status == VERIFIED and victim.read_text() == "kept" and (bench.folder / "saved").exists(), status, text)


def much_output(bench):
    """Of what the program prints on its way to a bug, the beginning is shown, and nothing of it is a command to the terminal."""
    program = bench.compile("loud", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  puts(\"\\033[31mred\");\n"
                            "  for (int i = 0; i < 2000; i++) printf(\"%01000d\\n\", i);\n  abort();\n}\n")
    status, _, text = bench.check(program)
    expect(status == BUG and "more bytes" in text and len(text) < 200_000, status, len(text))
    expect("\033" not in text and "\\x1b[31mred" in text, text[:2000])


# Standard input is read from its start in each execution: who could write to it would write to those that follow.
READS = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
static atomic_int x;
static void* other(void* p) { x = 1; return p; }
int main(void) {
  char text[8] = "";
  assert(read(0, text, 7) == 5 && !strcmp(text, "hello") && write(0, "b", 1) < 0);
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int seen = x;
  pthread_join(t, 0);
  return seen > 1;
}
"""


def input_is_only_read(bench):
    """What came through a pipe is for reading, as a pipe is."""
    program = bench.compile("reads", READS)
    done = subprocess.run(bench.command(program), cwd=bench.folder, input="hello", capture_output=True, text=True, timeout=LIMIT, check=False)
    expect(done.returncode == VERIFIED, done.returncode, done.stdout + done.stderr)


# Goes wrong when it is checked, and does what the environment says when that is replayed.
WAYWARD = """
#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  const char* what = getenv("REPLAY_DOES");
  assert(what);
  if (!strcmp(what, "loop")) for (volatile unsigned long i = 0;; i++) {}
  if (!strcmp(what, "yields")) for (volatile unsigned long i = 0;; i++) sched_yield();
  for (;;) { char* p = malloc(1 << 20); if (!p) abort(); memset(p, 1, 1 << 20); }
}
"""


def within_a_replay(bench):
    """A program that no longer does what was recorded is bound by the limits of the replay, and by ^C."""
    program = bench.compile("wayward", WAYWARD)
    status, _, text = bench.check(program, "--max-steps=4000000000")
    expect(status == BUG, status, text)
    for what, option, word in (("loop", "--time-limit=1", "time limit"), ("yields", "--time-limit=1", "time limit"),
                               ("memory", "--memory-limit=200M", "memory limit"), ("loop", "", "interrupted")):
        process = subprocess.Popen([bench.tools / "inspect", "replay", *option.split(), "--json=out.json", "inspect-bug.schedule"], cwd=bench.folder,
                                   env={**os.environ, "REPLAY_DOES": what}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        if not option:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=LIMIT)
        expect(process.returncode == INCONCLUSIVE and word in text and "INCONCLUSIVE" in text, what, process.returncode, text)
        report = json.loads((bench.folder / "out.json").read_text())
        expect(report["verdict"] == "inconclusive" and word in report["reason"], report)


# Goes wrong once; whoever runs it again, and it notices, waits for ever. No library, no model of the runtime sees the file.
ONCE = """
#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
__attribute__((naked)) static long make(const char* path, long flags, long mode) { __asm__("mov $2, %eax\\n syscall\\n ret"); }
int main(int n, char** v) {
  assert(make("once", 0301, 0600) < 0);
  if (!strcmp(v[1], "loop")) for (volatile unsigned long i = 0;; i++) {}
  if (!strcmp(v[1], "yields")) for (volatile unsigned long i = 0;; i++) sched_yield();
  for (;;) { char* p = malloc(1 << 20); if (!p) abort(); memset(p, 1, 1 << 20); }
}
"""


def while_a_bug_is_shown(bench):
    """The second run, which shows what was found, is bound by the limits and by ^C too, and what was found is said all the same."""
    program = bench.compile("once_wrong", ONCE)
    for way in ((), ("-j2",)):
        for what, option, word in (("loop", "--time-limit=1", "time limit"), ("yields", "--time-limit=1", "time limit"),
                                   ("memory", "--memory-limit=200M", "memory limit"), ("loop", "--max-steps=4000000000", "interrupted")):
            (bench.folder / "once").unlink(missing_ok=True)
            process = subprocess.Popen(bench.command(program, option, "--max-steps=4000000000", *way, args=[what]), cwd=bench.folder,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            while word == "interrupted" and not (bench.folder / "once").exists():
                time.sleep(0.02)
            if word == "interrupted":
                time.sleep(0.5)
                process.send_signal(signal.SIGINT)
            text, _ = process.communicate(timeout=LIMIT)
            expect(process.returncode == INCONCLUSIVE and word in text and "a bug was found (assertion" in text, way, what,
                   process.returncode, text)


LEAVES = """
#include <unistd.h>
__attribute__((naked)) static long start(long number, long flags) {
  __asm__("mov %rdi, %rax\\n mov %rsi, %rdi\\n xor %esi, %esi\\n xor %edx, %edx\\n syscall\\n ret");
}
int main(int n, char** v) {
  static const long numbers[] = {57, 58, 56, 56, 435};
  int which = v[1][0] - '0';
  if (start(numbers[which], which == 2 ? 17 : which == 3 ? 0x50f00 : 0) == 0)
    for (;;) start(112, 0), start(34, 0);  // in a session of its own, it waits for ever
  return n > 9;
}
"""


def nothing_is_left(bench):
    """What the program starts without the library would outlive it: the kernel refuses."""
    program = bench.compile("leaves", LEAVES)
    for way in "01234":
        status, report, text = bench.check(program, args=[way])
        expect(status == UNSUPPORTED and "starts a process or a thread" in report["reason"], way, status, text)
    running = [entry for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit() and is_of(entry, program)]
    expect(not running, "left over", running)


def is_of(entry, program):
    try:
        return (entry / "exe").readlink() == program
    except OSError:
        return False


CASES = [input_is_only_read, while_a_bug_is_shown, within_a_replay, nothing_is_left, planted_links, much_output, within_an_execution, interrupted, goes_on_from_there, a_halted_worker, bad_values]


if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__.splitlines()[0]))
