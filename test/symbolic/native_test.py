#!/usr/bin/env python3
"""Random C programs with threads: inspect-symbolic and the native engine must agree on whether there is a bug.

    native_test.py CLANG INSPECT_SYMBOLIC INCLUDE INSPECT

Threads with mutexes, atomics, condition variables, plain accesses, branches on what they read, and assertions; no free inputs, since the
native engine does not explore those. Each program is asked three scheduler constraints, and once more through
`inspect check --engine=symbolic`, where a bug counts only when the native engine has followed it. INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose
other programs than those of CI.
"""

import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

BITCODE = ["-std=gnu17", "-D__INSPECT__", "-O1", "-Xclang", "-disable-llvm-passes", "-ftrivial-auto-var-init=zero", "-g", "-w", "-emit-llvm", "-c"]
HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x[3];
_Atomic int n;
int ready;
struct { int v; long w; } *block;
pthread_barrier_t b;
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        # Most programs keep each variable under one mutex: else nearly all would race.
        self.careful = self.random.random() < 0.7
        self.has_heap, self.has_barrier = self.random.random() < 0.4, self.random.random() < 0.3

    def access(self, held):
        r = self.random
        kind = r.randrange(6)
        allowed = [i for i in range(3) if not self.careful or (i < 2 and i in held)]
        if kind < 2 or not allowed:
            return r.choice(["atomic_fetch_add(&n, 1);", "r = n;", "n = r + 1;", "if (n == 1) r = 2;",
                             "{ int e = 0; if (atomic_compare_exchange_strong(&n, &e, 3)) r = 5; }"])
        i = r.choice(allowed)
        return r.choice([f"x[{i}]++;", f"r = x[{i}];", f"x[{i}] = r + 1;", f"if (x[{i}] == 1) r = 3;", f"x[{i}] = {r.randrange(3)};",
                         f"assert(x[{i}] != {r.randrange(2, 5)});", f"if (x[{i}] > 0) x[{i}] = r;"])

    def block(self):
        r = self.random
        if r.random() < 0.25:
            return self.access(())
        first = r.randrange(2)
        if r.random() < 0.2:
            second = 1 - first
            return (f"pthread_mutex_lock(&m[{first}]); pthread_mutex_lock(&m[{second}]); {self.access((0, 1))} "
                    f"pthread_mutex_unlock(&m[{second}]); pthread_mutex_unlock(&m[{first}]);")
        inside = " ".join(self.access((first,)) for _ in range(r.randrange(1, 3)))
        if self.has_heap and (first == 1 or not self.careful):
            inside += r.choice([" if (block) block->v++;", " free(block); block = 0;", " if (block) r = block->w;", " if (!block) block = calloc(1, sizeof *block);",
                                " if (block) block->w = r;", " if (r) free(block);", " if (block) assert(block->v < 2);"])
        if first == 0 and r.random() < 0.25:
            inside += r.choice([" ready = 1; pthread_cond_signal(&c);", " ready = 1; pthread_cond_broadcast(&c);",
                                " if (!ready) pthread_cond_wait(&c, &m[0]);"])
        return f"pthread_mutex_lock(&m[{first}]); {inside} pthread_mutex_unlock(&m[{first}]);"

    def program(self):
        r = self.random
        threads = r.choice([2, 2, 2, 3])
        text = HEAD
        for t in range(threads):
            body = "\n  ".join(self.block() for _ in range(r.randrange(1, 3 if threads == 2 else 2)))
            if self.has_barrier:
                body += f"\n  if (pthread_barrier_wait(&b)) x[2] = {t};" if r.random() < 0.5 else "\n  pthread_barrier_wait(&b);"
                body += f"\n  {self.access(())}" if r.random() < 0.5 else ""
            text += f"void *run{t}(void *unused) {{\n  int r = 0;\n  {body}\n  return unused;\n}}\n"
        text += f"int main(void) {{\n  pthread_t t[{threads}];\n  int r = 1;\n"
        text += "  block = malloc(sizeof *block);\n  block->v = block->w = 0;\n" if self.has_heap else ""
        text += f"  pthread_barrier_init(&b, 0, {r.choice([threads, threads, threads, 2])});\n" if self.has_barrier else ""
        text += "".join(f"  pthread_create(&t[{t}], 0, run{t}, 0);\n" for t in range(threads))
        if r.random() < 0.4:
            text += f"  {self.block()}\n"
        text += "".join(f"  pthread_join(t[{t}], 0);\n" for t in range(threads))
        if r.random() < 0.6:
            text += f"  assert({r.choice(['n', 'x[0]', 'x[1]', 'x[2]'])} != {r.randrange(1, 4)});\n"
        return text + "  return 0;\n}\n"


def judge(seed, tools):
    """What is wrong, or empty; and what the engines found."""
    clang, symbolic, include, inspect = tools
    with tempfile.TemporaryDirectory() as folder:
        source, code = str(pathlib.Path(folder) / "program.c"), str(pathlib.Path(folder) / "program.bc")
        text = Generator(seed).program()
        pathlib.Path(source).write_text(text)
        native = subprocess.run([inspect, "check", "--json=-", "--quiet", "--time-limit=20", f"--schedule={folder}/bug.schedule", source],
                                capture_output=True, text=True)
        if not native.stdout.startswith("{"):
            return f"seed {seed}: the native engine fails, {native.returncode}: {native.stderr}", "wrong"
        report = json.loads(native.stdout)
        subprocess.run([clang, *BITCODE, f"-I{include}", source, "-o", code], check=True)
        answers = [subprocess.run([symbolic, f"--por={por}", "--time-limit=20", code], capture_output=True, text=True)
                   for por in ("none", "mpor", "lex")]
        answers.append(subprocess.run([inspect, "check", "--engine=symbolic", "--quiet", "--time-limit=20", f"--schedule={folder}/again.schedule", source],
                                      capture_output=True, text=True))
    found = {0: "verified", 1: "bug", 3: "inconclusive", 4: "unsupported"}
    verdicts = [found.get(a.returncode, "failed") for a in answers]
    known = {"verified", "bug"}
    decided = {v for v in [*verdicts, report["verdict"]] if v in known}
    lost = verdicts[2] == "bug" and verdicts[3] != "bug"
    if len(decided) < 2 and "failed" not in verdicts and not lost:
        return "", verdicts[2]
    return f"seed {seed}: native {report['verdict']} {[b['kind'] for b in report['bugs']]}, symbolic {verdicts}\n{text}\n{answers[2].stdout}{answers[3].stdout}", "wrong"


def main():
    tools = [sys.argv[1], *(pathlib.Path(p).resolve() for p in sys.argv[2:5])]
    first, count = int(os.environ.get("INSPECT_FUZZ_SEED", 1)), int(os.environ.get("INSPECT_FUZZ_COUNT", 12))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = list(pool.map(lambda seed: judge(seed, tools), range(first, first + count)))
    wrong = [text for text, _ in findings if text]
    counts = {v: [x for _, x in findings].count(v) for v in ("verified", "bug", "inconclusive", "unsupported")}
    print(*wrong[:3], f"{count} programs, {counts}, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or counts["verified"] + counts["bug"] < count // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
