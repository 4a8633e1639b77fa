#!/usr/bin/env python3
"""Programs of several parts, built with the wrappers: shared libraries are checked as the executable is.

    projects_test.py --bin BIN
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN = None

LIBRARY = """
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;
__thread int mine = 5;
int add(int x) {
  mine += x;
#ifndef RACE
  pthread_mutex_lock(&m);
#endif
  total += x;
#ifndef RACE
  pthread_mutex_unlock(&m);
#endif
  return mine;
}
int *place(void) { static __thread int other; return &other; }
__attribute__((constructor)) static void first(void) { mine = 7; }
"""
MAIN = """
#include <assert.h>
#include <pthread.h>
int add(int);
int *place(void);
extern int total;
extern __thread int mine;
static __thread int own;
static void *run(void *p) {
  assert(mine == 5 && add(1) == 6 && mine == 6 && own == 0 && *place() == 0);
  own = *place() = 9;
  return p;
}
int main(void) {
  assert(mine == 7);
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 2 && mine == 7 && *place() == 0 && own == 0);
  return 0;
}
"""


CONTAINER = """
#include <map>
#include <string>
#include <thread>
std::map<std::string, int> table;
[[gnu::noinline]] void count(const std::string &key) {
  table[key]++;
}
int main() {
  std::thread other([] { count("a"); });
  count("b");
  other.join();
}
"""


class Projects(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "library.c").write_text(LIBRARY)
        (self.folder / "main.c").write_text(MAIN)

    def run_in(self, *words, status=0):
        done = subprocess.run(words, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
                              check=False)
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout}{done.stderr}")
        return done

    def check(self, *flags, compiler="inspect-cc", linker=(), status):
        self.run_in(str(BIN / compiler), "-fPIC", "-shared", *flags, "library.c", "-o", "libpart.so")
        built = self.run_in(str(BIN / "inspect-cc"), *linker, "main.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "program")
        self.assertEqual(built.stderr, "")
        self.run_in(str(BIN / "inspect"), "check", "--quiet", "--json=report.json", "./program", status=status)
        return json.loads((self.folder / "report.json").read_text())

    def test_library_is_covered(self):
        for linker in [], ["-fuse-ld=lld"]:
            report = self.check("-Wl,-z,defs", *linker, linker=linker, status=0)
            self.assertEqual(report["verdict"], "verified", report)

    def test_bug_in_library_has_its_place(self):
        report = self.check("-DRACE", status=1)
        bug = report["bugs"][0]
        line = LIBRARY.splitlines().index("  total += x;") + 1
        self.assertEqual(bug["kind"], "data-race")
        self.assertIn(f"library.c:{line}:", bug["location"])
        self.assertIn(f"library.c:{line}:", bug["other_location"])
        replayed = self.run_in(str(BIN / "inspect"), "replay", "inspect-bug.schedule", status=1)
        self.assertIn("write total", replayed.stdout)

    def test_bug_within_the_standard_library_has_the_place_of_the_call(self):
        (self.folder / "user.cpp").write_text(CONTAINER)
        done = self.run_in(str(BIN / "inspect"), "check", "--json=report.json", "user.cpp", status=1)
        line = CONTAINER.splitlines().index("  table[key]++;") + 1
        self.assertIn(f"user.cpp:{line}:", json.loads((self.folder / "report.json").read_text())["bugs"][0]["location"])
        self.assertRegex(done.stdout, rf"#\d+ count\(std::string const&\) at user.cpp:{line}\n")
        replayed = self.run_in(str(BIN / "inspect"), "replay", "inspect-bug.schedule", status=1)
        self.assertIn(f"thread 0.0 at user.cpp:{line}", replayed.stdout)

    def test_library_without_wrappers_is_named(self):
        (self.folder / "main.c").write_text(MAIN.replace("extern __thread int mine;", "#define mine (add(0))"))
        self.run_in("clang-19", "-fPIC", "-shared", "library.c", "-o", "libpart.so")
        self.run_in(str(BIN / "inspect-cc"), "-DNDEBUG", "main.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "program")
        self.run_in(str(BIN / "inspect"), "check", "--quiet", "--json=report.json", "./program", status=3)
        self.assertIn("uninstrumented function called: place",
                      " ".join(json.loads((self.folder / "report.json").read_text())["assumptions"]))

    def test_objects_of_another_version_are_named(self):
        cc = str(BIN / "inspect-cc")
        (self.folder / "version").write_bytes(b"another!")
        for part in ("library", "main"):
            self.run_in(cc, "-g", "-fPIC", "-c", part + ".c", "-o", part + ".o")
            self.run_in("objcopy", "--update-section", "inspect_version=version", part + ".o", "old_" + part + ".o")
        for library, main, status, says in (("library", "old_main", 2, "compiled with another version of inspect"),
                                            ("old_library", "main", 4, "a shared library was compiled with another version of inspect"),
                                            ("library", "main", 0, "")):
            self.run_in(cc, "-shared", library + ".o", "-o", "libpart.so")
            self.run_in(cc, main + ".o", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "program")
            done = self.run_in(str(BIN / "inspect"), "check", "--quiet", "./program", status=status)
            self.assertIn(says, done.stdout + done.stderr)

    def test_main_comes_from_an_archive(self):
        (self.folder / "first.c").write_text("int other(int);\nint main(int argc, char **argv) { (void)argv; return other(argc); }\n")
        (self.folder / "other.c").write_text(
            "#include <pthread.h>\nstatic void *run(void *p) { return p; }\nint other(int count) {\n  pthread_t t;\n"
            "  if (count < 2) return 0;\n  pthread_create(&t, 0, run, 0);\n  pthread_join(t, 0);\n  return 0;\n}\n")
        for compiler, status in (str(BIN / "inspect-cc"), 0), ("clang-19", 3):
            self.run_in(compiler, "-c", "first.c", "-o", "first.o")
            (self.folder / "libfirst.a").unlink(missing_ok=True)
            self.run_in("ar", "rcs", "libfirst.a", "first.o")
            self.run_in(str(BIN / "inspect-cc"), "other.c", "libfirst.a", "-o", "program")
            self.run_in("./program", "x")
            self.run_in(str(BIN / "inspect"), "check", "--quiet", "./program")
            done = self.run_in(str(BIN / "inspect"), "check", "--quiet", "./program", "--", "x", status=status)
            self.assertEqual("assumption: uninstrumented function called: main\n" in done.stdout, status == 3, done.stdout)

    def test_library_without_wrappers_calls_who_creates_threads(self):
        (self.folder / "library.c").write_text("int n;\nvoid call(void (*f)(void)) { f(); n++; }\n")
        (self.folder / "main.c").write_text(
            "#include <pthread.h>\nvoid call(void (*)(void));\nextern int n;\nstatic pthread_t t;\n"
            "static void *run(void *p) { return p; }\nstatic void begin(void) { pthread_create(&t, 0, run, 0); }\n"
            "static void nothing(void) {}\nint main(int argc, char **argv) {\n  (void)argv;\n"
            "  call(argc > 1 ? begin : nothing);\n  if (argc == 1) begin();\n  pthread_join(t, 0);\n  return 0;\n}\n")
        self.run_in("clang-19", "-fPIC", "-shared", "library.c", "-o", "libpart.so")
        self.run_in(str(BIN / "inspect-cc"), "main.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "program")
        self.run_in(str(BIN / "inspect"), "check", "--quiet", "./program")
        done = self.run_in(str(BIN / "inspect"), "check", "--quiet", "./program", "--", "x", status=3)
        self.assertIn("assumption: uninstrumented function called: call at main.c:10\n", done.stdout)

    def test_library_without_wrappers_is_named_where_others_call_it(self):
        (self.folder / "library.c").write_text(
            "int n;\nvoid *start(void *p) { n++; return p; }\n__attribute__((destructor)) static void last(void) { n++; }\n")
        (self.folder / "main.c").write_text(
            "#include <pthread.h>\nvoid *start(void *);\nextern int n;\n"
            "int main(void) { pthread_t t; pthread_create(&t, 0, start, 0); n = 3; pthread_join(t, 0); return 0; }\n")
        self.run_in("clang-19", "-fPIC", "-shared", "library.c", "-o", "libpart.so")
        self.run_in(str(BIN / "inspect-cc"), "main.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "program")
        self.run_in(str(BIN / "inspect"), "check", "--quiet", "--json=report.json", "./program", status=3)
        assumptions = " ".join(json.loads((self.folder / "report.json").read_text())["assumptions"])
        self.assertIn("uninstrumented function started as a thread", assumptions)
        self.assertRegex(assumptions, "a destructor function of .*libpart.so")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    known, rest = parser.parse_known_args()
    BIN = known.bin.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
