#!/usr/bin/env python3
"""Bad input through the real `inspect`: exit status, one clear line on standard error, nothing left behind.

    commands_test.py --bin BIN
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "files"))
import seal  # noqa: E402

BIN = None

SCHEDULE = """inspect-schedule 1
program nothing 0123
args
options --visible=sync
bug deadlock 0 a.c:1:1 - stuck
0 ThreadStart - ?
"""


def with_trailer(text):
    """A schedule file's text with the trailer that belongs to it."""
    return seal.schedule(text.encode()).decode()


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir()
        self.addCleanup(shutil.rmtree, self.folder)

    def inspect(self, *words, stdout=subprocess.PIPE, **environment):
        variables = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
        variables.update(environment, TMPDIR=str(self.temporary))
        return subprocess.run([BIN / "inspect", *words], cwd=self.folder, env=variables, stdin=subprocess.DEVNULL, stdout=stdout,
                              stderr=subprocess.PIPE, text=True, errors="replace", timeout=60, check=False)

    def refused(self, *words, says, status=2, **environment):
        """The command must exit with `status` and say `says` in its one line on standard error."""
        result = self.inspect(*words, **environment)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("inspect: error: "), result.stderr)
        self.assertIn(says, result.stderr)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return name

    def test_commands(self):
        self.refused(says="no command")
        self.refused("chek", says="did you mean 'inspect check'?")
        self.refused("check", says="no TARGET")
        self.refused("replay", says="takes one schedule file")
        self.refused("replay", "a", "b", says="takes one schedule file")
        self.refused("report", says="takes one schedule file")

    def test_options(self):
        self.refused("check", "--max-execution=3", "x.c", says="did you mean '--max-executions'?")
        self.refused("check", "--max-executions=-1", "x.c", says="got '-1'")
        self.refused("check", "x.c", says="INSPECT_SEED", INSPECT_SEED="many")
        self.refused("check", "--ltl=G p", "x.c", says="--ltl is for --engine=explicit")
        self.refused("check", "--engine=explicit", "--algorithm=dpor", "x.c", says="does not go with --algorithm")
        self.refused("check", "--gdb", "x.c", says="an option of 'inspect replay'")
        self.refused("check", "--json=a", "--schedule=./a", "x.c", says="the same file")

    def test_help_and_version(self):
        for words in (["--help"], ["check", "--help"], ["replay", "-h"], ["report", "--help"], ["--version"]):
            result = self.inspect(*words)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue(result.stdout)

    def test_targets(self):
        self.refused("check", "missing", says="missing: No such file or directory")
        self.refused("check", "missing.c", says="missing.c: No such file or directory")
        self.refused("check", "missing.c", "--", "x", says="missing.c: No such file or directory")
        self.refused("check", "tmp", says="tmp is a directory")
        self.refused("check", self.write("plain", "text"), says="plain is not executable")
        self.refused("check", self.write("script", "#!/bin/sh\n", 0o755), says="script is not an ELF executable")
        self.refused("check", "/bin/true", says="/bin/true is not instrumented; build it with the wrappers: CC=")
        self.refused("check", "/bin/true", "/bin/false", says="more than one executable")
        self.refused("check", "/bin/true", self.write("a.c", ""), says="not both")
        self.refused("check", "--cflags=-O2", "/bin/true", says="--cflags is for source files")
        self.refused("check", "/dev/null", says="not a regular file")

    def test_output_files(self):
        self.refused("check", "--json=no/such/folder", "/bin/true", says="cannot write no/such/folder: No such file")
        self.refused("check", "--schedule=tmp", "/bin/true", says="cannot write tmp: Is a directory")
        self.refused("check", "--json=tmp", "/bin/true", says="cannot write tmp: Is a directory")
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = self.inspect("--version", stdout=full)
        self.assertEqual(result.returncode, 2)
        self.assertIn("No space left on device", result.stderr)

    def test_schedule_files(self):
        whole = with_trailer(SCHEDULE)
        self.refused("replay", "missing.schedule", says="cannot read missing.schedule: No such file")
        self.refused("replay", "tmp", says="cannot read tmp: Is a directory")
        self.refused("report", self.write("empty", ""), says="empty: the file is empty")
        self.refused("replay", "/bin/true", says="line 1: expected 'inspect-schedule 1'")
        self.refused("replay", self.write("version", whole.replace("schedule 1", "schedule 9")), says="format version 9")
        self.refused("report", self.write("cut", whole[:-30]), says="truncated")
        self.refused("replay", self.write("edited", whole.replace("a.c:1:1", "a.c:2:1")), says="digest does not match")
        self.refused("replay", self.write("step", with_trailer(SCHEDULE + "0.7 MutexLock m a.c:1\n")), says="thread 0.7 does not exist")
        self.refused("replay", self.write("options", with_trailer(SCHEDULE.replace("--visible=sync", "--visible=sink"))),
                     says="its options line: --visible")
        self.refused("replay", self.write("good", whole), says="recorded from nothing, which is neither in this folder nor beside the file")
        self.refused("replay", "--program=/bin/true", "good", says="/bin/true is not instrumented")

    def test_replay_in_another_folder(self):
        """What a schedule was recorded from is looked for here, then beside the schedule."""
        home, away = self.folder / "home", self.folder / "away"
        home.mkdir(), away.mkdir()
        (home / "fails.c").write_text("#include <assert.h>\nint main(void) { assert(0); return 0; }\n")
        subprocess.run([BIN / "inspect-cc", "-g", "fails.c", "-o", "fails"], cwd=home, timeout=60, check=True)
        for target, schedule in (("fails.c", "of_source"), ("./fails", "of_program")):
            words = [BIN / "inspect", "check", "--quiet", "--progress=off", f"--schedule={schedule}", target]
            self.assertEqual(subprocess.run(words, cwd=home, capture_output=True, timeout=60, check=False).returncode, 1)
            self.assertEqual(self.inspect("replay", f"home/{schedule}").returncode, 1)
            (away / schedule).write_bytes((home / schedule).read_bytes())
            self.refused("replay", f"away/{schedule}", says="which is neither in this folder nor beside the file: replay it in the folder")
        self.assertEqual(self.inspect("replay", "--program=home/fails", "away/of_program").returncode, 1)

    def test_replay_needs_the_same_input(self):
        source = self.write("reads.c", "#include <assert.h>\n#include <stdio.h>\nint main(void) { assert(getchar() != 'x'); return 0; }\n")
        words = [BIN / "inspect", "check", "--quiet", "--progress=off", source]
        found = subprocess.run(words, cwd=self.folder, input="x", capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(found.returncode, 1, found.stderr)
        self.refused("replay", "inspect-bug.schedule", says="another standard input (1 byte, now 0): redirect the same")
        source = self.write("does_not_read.c", "#include <assert.h>\nint main(void) { assert(0); return 0; }\n")
        words = [BIN / "inspect", "check", "--quiet", "--progress=off", "--schedule=other.schedule", source]
        found = subprocess.run(words, cwd=self.folder, input="x", capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(found.returncode, 1, found.stderr)
        self.assertEqual(self.inspect("replay", "other.schedule").returncode, 1)
        words = [BIN / "inspect", "replay", "inspect-bug.schedule"]
        again = subprocess.run(words, cwd=self.folder, input="x", capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_replay_keeps_to_harmless_flags(self):
        self.write("a.c", "int main(void) { return 0; }\n")
        for flag in ("-fplugin=./a.so", "-fpass-plugin=./a.so", "-Xclang -load -Xclang ./a.so", "-B.", "--specs=a", "@more", "-wrapper a",
                     "-O1 -Wl,--plugin=./a.so", "-fuse-ld=./ld", "-o /tmp/other", "--config=a", "-mllvm -load=./a.so",
                     "-L.", "-l:a.so", "-Wp,-MD,a", "-fprofile-use=a", "-fsanitize-ignorelist=a", "-fdebug-prefix-map=a=b", "a.o"):
            text = SCHEDULE.replace("args\n", f"source a.c cflags {flag}\nargs\n")
            self.refused("replay", self.write("flags", with_trailer(text)), says="may run other code")
        told = self.inspect("replay", "--allow-compile", self.write("flags", with_trailer(SCHEDULE.replace("args\n", "source a.c cflags -L.\nargs\n"))))
        self.assertIn("the program has changed", told.stderr)
        text = SCHEDULE.replace("args\n", "source a.c cflags -O1 -DN=2 -I . -std=gnu11 -fno-builtin -mavx -Wall\nargs\n")
        self.refused("replay", self.write("flags", with_trailer(text)), says="the program has changed")

    def test_report_quotes_only_what_the_program_was_built_of(self):
        self.write("a.c", '#include "a.h"\nint main(void) { return A; }  // quoted\n')
        self.write("a.h", "#define A 1  // quoted\n")
        self.write("b.c", "int secret;\n")
        self.write("b.txt", "secret\n")
        steps = "".join(f"0 MutexLock m {place}:1\n" for place in ("a.c", "a.h", "b.c", "b.txt", "/etc/passwd", "./b.c", "../etc/passwd"))
        for sources, quoted in (("source a.c cflags\n", 2), ("source a.c b.txt /etc/passwd cflags\n", 2), ("", 0)):
            text = SCHEDULE.replace("args\n", sources + "args\n").replace("a.c:1:1", "/etc/passwd:1:1") + steps
            name = self.write("foreign", with_trailer(text))
            for words in (["report", name], ["report", name, "--html=page"]):
                result = self.inspect(*words)
                self.assertEqual(result.returncode, 0, result.stderr)
                shown = result.stdout + ((self.folder / "page").read_text() if len(words) > 2 else "")
                self.assertEqual(shown.count("#include") + shown.count("#define"), quoted, shown)
                self.assertNotIn("secret", shown)
                self.assertNotIn("root:", shown)
        program = subprocess.run([BIN / "inspect-cc", "-g", "-O1", self.write("c.c", "#include <assert.h>\nint main(void) { assert(0); }\n"), "-o",
                                  "program"], cwd=self.folder, check=True, timeout=60)
        self.assertEqual(self.inspect("check", "./program", "--progress=off").returncode, 1, program)
        file = (self.folder / "inspect-bug.schedule").read_text()
        text = file[:file.rfind("\nsums ") + 1] + "0 MutexLock m c.c:2\n0 MutexLock m b.c:1\n0 MutexLock m /etc/passwd:1\n"
        shown = self.inspect("report", self.write("foreign", with_trailer(text))).stdout
        self.assertIn("assert(0)", shown)
        self.assertNotIn("secret", shown)
        self.assertNotIn("root:", shown)

    def test_report_shows_both_accesses_of_a_race(self):
        source = self.write("race.c", "#include <pthread.h>\nstatic int n;\nstatic void* a(void* p) {\n  n = 1;  // the one\n  return p;\n}\n"
                            "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, a, 0);\n  n = 2;  // the other\n"
                            "  pthread_join(t, 0);\n  return 0;\n}\n")
        self.assertEqual(self.inspect("check", "--progress=off", source).returncode, 1)
        self.inspect("report", "inspect-bug.schedule", "--html=page")
        for shown in (self.inspect("report", "inspect-bug.schedule").stdout, (self.folder / "page").read_text()):
            self.assertIn("the one", shown)
            self.assertIn("the other\n" if "<html" not in shown else 'the other"', shown)

    def test_listed_inputs_are_kept(self):
        source = self.write("input.c", "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
                            "int main(void) { assert(__VERIFIER_nondet_int() != 7); return 0; }\n")
        result = self.inspect("check", "--quiet", "--progress=off", "--nondet=7,1..2", "--json=a.json", source)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn('"nondet": "1..2,7"', (self.folder / "a.json").read_text())
        self.assertIn("--nondet=1..2,7", (self.folder / "inspect-bug.schedule").read_text())
        result = self.inspect("replay", "inspect-bug.schedule")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("inspect_nondet -> 7", result.stdout)
        self.assertIn("inspect_nondet -> 7", self.inspect("report", "inspect-bug.schedule").stdout)
        result = self.inspect("check", "--quiet", "--progress=off", "--nondet=1..6", "--checkpoint=a.checkpoint", source)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.refused("check", "--progress=off", "--nondet=1..7", "--resume=a.checkpoint", source, says="a run with other options")

    def test_quiet_prints_the_assumptions_that_it_refers_to(self):
        source = self.write("input.c", "int __VERIFIER_nondet_int(void);\nint main(void) { return 0 * __VERIFIER_nondet_int(); }\n")
        self.refused("check", "--progress=off", "--nondet=4294967338", source, says="none of the values of --nondet fits its type")
        result = self.inspect("check", "--quiet", "--progress=off", source)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn("(see assumptions)", result.stdout)
        self.assertIn("assumption: nondet_int: only 0, 1, -1 and the largest value are explored\n", result.stdout)
        source = self.write("none.c", "int main(void) { return 0; }\n")
        result = self.inspect("check", "--quiet", "--progress=off", source)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertNotIn("assumption", result.stdout)

    RACY = """#include <assert.h>
#include <pthread.h>
static int n;
static void* count(void* unused) { n++; return unused; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifdef ASSERTED
  assert(n == 2);
#endif
  return 0;
}
"""

    def report_of(self, *words, status):
        result = self.inspect("check", "--quiet", "--json=-", *words)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return json.loads(result.stdout)

    def test_known_races_refused(self):
        racy = self.write("racy.c", self.RACY)
        for known in ("--races=report", "--races=ignore", "--baseline=none.json"):
            self.refused("check", "--algorithm=pdp", known, racy, says="pdp looks for data races alone")
            self.refused("check", "--algorithm=sdpor", "--visible=sync", known, racy, says="only with --visible=all")
        self.refused("check", "--races=none", racy, says="--races")
        self.refused("check", "--suppressions=none", racy, says="none")
        self.refused("check", f"--suppressions={self.write('rules', 'race:a' + chr(10) + 'rase:b')}", racy, says="rules:2: unknown type 'rase'")
        self.refused("check", f"--baseline={racy}", racy, says="not a report")
        self.refused("check", "--baseline=b.json", "--json=b.json", racy, says="would replace the baseline")

    def test_baseline_and_suppressions(self):
        racy = self.write("racy.c", self.RACY)
        first = self.inspect("check", "--races=report", "--keep-going", "--json=known.json", "--cflags=-DASSERTED", racy)
        self.assertEqual(first.returncode, 1, first.stderr)
        again = self.report_of("--baseline=known.json", "--cflags=-DASSERTED", racy, status=0)
        self.assertEqual((again["verdict"], again["bugs"]), ("verified", []))
        self.assertEqual({b["kind"] for b in again["known_bugs"]}, {"assertion", "data-race"})
        self.assertTrue(any("known before" in a for a in again["assumptions"]), again["assumptions"])
        # A line more above is no new bug, another assertion is.
        moved = self.write("racy.c", "// moved" + chr(10) + self.RACY)
        self.report_of("--baseline=known.json", "--cflags=-DASSERTED", moved, status=0)
        changed = self.write("racy.c", self.RACY.replace("n == 2", "n > 1"))
        new = self.report_of("--baseline=known.json", "--cflags=-DASSERTED", changed, status=1)
        self.assertEqual([b["kind"] for b in new["bugs"]], ["assertion"])
        rules = self.write("rules", "race:^count$" + chr(10) + "race:nobody" + chr(10))
        text = self.inspect("check", f"--suppressions={rules}", racy).stdout
        self.assertIn("suppressed by", text)
        self.assertIn("suppresses nothing", text)
        self.assertIn("no new bug", text)
        behind = self.report_of(f"--suppressions={rules}", "--cflags=-DASSERTED", racy, status=1)
        self.assertEqual([b["kind"] for b in behind["bugs"]], ["assertion"])
        other = self.report_of(f"--suppressions={self.write('others', 'race:nobody')}", racy, status=1)
        self.assertEqual([b["kind"] for b in other["bugs"]], ["data-race"])

    def test_both_stacks_of_a_race_are_whole(self):
        body = "{ %s; __asm__ volatile(\"\"); }\n"
        functions = [("low", "n++"), ("middle", "low()"), ("high", "middle()")]
        text = "#include <pthread.h>\nstatic int n;\n"
        text += "".join(f"__attribute__((noinline)) static void {name}(void) " + body % what for name, what in functions)
        text += "".join(f"static void* {name}(void* p) {{ high(); return p; }}\n" for name in ("first", "second"))
        deep = self.write("deep.c", text + "int main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0);"
                          " pthread_create(&b, 0, second, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }\n")
        shown = self.inspect("check", deep).stdout
        for thread, function in (("0.0", "first"), ("0.1", "second")):
            stack = shown.split(f"stack of thread {thread}:\n")[1].splitlines()[:4]
            self.assertEqual([line.split()[1] for line in stack], ["low", "middle", "high", function], shown)
        for name in ("middle", "first", "second"):
            self.report_of(f"--suppressions={self.write('rules', f'race:^{name}$' + chr(10))}", deep, status=0)

    def test_stacks_end_with_main(self):
        text = ("#include <pthread.h>\nstatic int n;\nstatic void add() { n++; }\nstatic void* other(void* p) { add(); return p; }\n"
                "int main() { pthread_t t; pthread_create(&t, 0, other, 0); add(); pthread_join(t, 0); }\n")
        for name, cxx in (("c.c", ""), ("cxx.cpp", "()")):
            for level in ("-O0", "-O1"):
                shown = self.inspect("check", f"--cflags={level}", self.write(name, text)).stdout
                stack = shown.split("stack of thread 0:\n")[1].splitlines()[:2]
                self.assertEqual([line.split(" at ")[0] for line in stack], [f"  #0 add{cxx}", "  #1 main"], shown)

    def test_death_is_noticed_where_nobody_waits(self):
        source = self.write("dies.c", "__attribute__((naked)) static void leave(void) { __asm__(\"xor %edi, %edi\\n mov $231, %eax\\n"
                            " syscall\"); }\nint main(void) { leave(); return 0; }\n")
        words = ["env", "--ignore-signal=CHLD", BIN / "inspect", "check", "--quiet", "--progress=off", source]
        found = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        self.assertIn(found.returncode, (3, 4), found.stdout + found.stderr)
        self.assertIn("ended by itself", found.stdout)

    def test_limits_hold_within_an_execution(self):
        source = self.write("loop.c", "int main(void) { for (volatile unsigned i = 0;; ++i) {} }\n")
        result = self.inspect("check", "--quiet", "--progress=off", "--time-limit=0.3", source)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn("the time limit was reached", result.stdout)

    def test_report_runs_nothing(self):
        self.write("good", with_trailer(SCHEDULE))
        result = self.inspect("report", "good")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.startswith("deadlock: stuck (thread 0 at a.c:1:1)\n"), result.stdout)
        result = self.inspect("report", "good", "--html=a.html", "--dot=a.dot", "--sarif=a.sarif")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        for name in ("a.html", "a.dot", "a.sarif"):
            self.assertGreater((self.folder / name).stat().st_size, 100)
        self.refused("report", "good", "--html=no/such", says="cannot write no/such")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    BIN = options.bin.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
