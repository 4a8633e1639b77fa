#!/usr/bin/env python3
"""Several processes on one tree, as a user meets them: -j, --mpi, --checkpoint, --resume, and what goes wrong with them.

    workers_test.py --bin DIR [NAME...]     DIR holds inspect and inspect-cc; cases whose name contains one of the NAMEs

Counts are those of theory, so what is lost or counted twice shows. Prints each case, and fails with what differed.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "files"))
import seal  # noqa: E402
from algorithms import BEST, OPTIMAL, SHARED  # noqa: E402
from cases import expect, run  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BENCH, PASS, FAIL = ROOT / "bench" / "programs", ROOT / "test" / "programs" / "pass", ROOT / "test" / "programs" / "fail"
VERIFIED, BUG, USAGE, INCONCLUSIVE = 0, 1, 2, 3
LIMIT = 120  # seconds; only a hang comes near it


class Bench:
    """Compiles programs, runs checks in a folder of their own."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def compile(self, source, *flags):
        program = self.folder / (source.stem + "".join(flags).replace("-D", ".").replace("=", ""))
        if not program.exists():
            subprocess.run([self.tools / "inspect-cc", "-std=gnu17", "-O1", "-g", "-pthread", *flags, source, "-o", program],
                           check=True, timeout=LIMIT)
        return program

    def command(self, program, *options):
        return [str(self.tools / "inspect"), "check", "--progress=off", "--json=out.json", *options, str(program)]

    def report(self):
        return json.loads((self.folder / "out.json").read_text())

    def check(self, program, *options, prefix=(), stdin=subprocess.DEVNULL, environment=None):
        """Exit status, report (None if there is none), standard error."""
        (self.folder / "out.json").unlink(missing_ok=True)
        done = subprocess.run([*prefix, *self.command(program, *options)], cwd=self.folder, stdin=stdin, capture_output=True, text=True,
                              timeout=LIMIT, check=False, env={**os.environ, **(environment or {})})
        there = (self.folder / "out.json").exists() and (self.folder / "out.json").stat().st_size
        return done.returncode, self.report() if there else None, done.stdout + done.stderr

    def start(self, program, *options):
        return subprocess.Popen(self.command(program, *options), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)


def workers_of(process):
    """Process numbers of the workers that `process` has forked, by the order of their start."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1]) == process.pid:
                if (entry / "comm").read_text().strip() == "inspect":
                    found.append(int(entry.name))
        except OSError:
            pass
    return sorted(found)


def wait_for(condition, what):
    end = time.monotonic() + LIMIT
    while not (value := condition()):
        expect(time.monotonic() < end, f"{what}: not within {LIMIT} s")
        time.sleep(0.002)
    return value


def counts(bench):
    """Each class once, whatever the number of workers; the algorithm decides what is redundant."""
    for source, flag, executions in ((BENCH / "readers.c", "-DN=8", 256), (BENCH / "mutex.c", "-DN=6", 720),
                                     (PASS / "count_last_zero.c", "-DN=8", 704), (PASS / "count_indexer.c", "-DN=12", 8)):
        program = bench.compile(source, flag)
        for algorithm in SHARED:
            for workers in (1, 2, 3, 4, 8):
                status, report, text = bench.check(program, f"-j{workers}", f"--algorithm={algorithm}")
                expect(status == VERIFIED and report["executions"] == executions and report["workers"] == workers,
                       f"{program.name} {algorithm} -j{workers}: {status}, {report and report['executions']} executions", text)
                if algorithm in OPTIMAL and report["algorithm"] == algorithm:
                    expect(report["redundant_executions"] == 0, program.name, report["redundant_executions"])


def bug(bench):
    """Found by whoever; reported once; replays."""
    program = bench.compile(FAIL / "lock_order.c")
    for workers in (1, 2, 4):
        for more in ((), ("--keep-going",)):
            status, report, text = bench.check(program, f"-j{workers}", *more)
            expect(status == BUG and [b["kind"] for b in report["bugs"]] == ["deadlock"], status, report and report["bugs"], text)
            replay = subprocess.run([bench.tools / "inspect", "replay", "inspect-bug.schedule"], cwd=bench.folder, timeout=LIMIT,
                                    capture_output=True, text=True, check=False)
            expect(replay.returncode == BUG, replay.stdout, replay.stderr)


def input_is_shared(bench):
    """What comes through a pipe reaches every worker."""
    source = bench.folder / "reads.c"
    source.write_text('#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdio.h>\natomic_int x;\n'
                      'void* t(void* a) { x++; return x + (char*)a; }\nint main(void) {\n  pthread_t a[4]; char line[20];\n'
                      '  assert(fgets(line, sizeof line, stdin) && line[0] == \'s\');\n'
                      '  for (int i = 0; i < 4; i++) pthread_create(a + i, 0, t, 0);\n'
                      '  for (int i = 0; i < 4; i++) pthread_join(a[i], 0);\n}\n')
    program = bench.compile(source)
    results = set()
    for workers in (1, 3):
        with subprocess.Popen(["echo", "secret"], stdout=subprocess.PIPE) as echo:
            status, report, text = bench.check(program, f"-j{workers}", stdin=echo.stdout)
        expect(status == VERIFIED, status, text)
        results.add(report["executions"])
    expect(len(results) == 1, results)


def threads_named_late(bench):
    """Numbers of threads depend on the order in which they appear: the parts do not fit, and it is still right."""
    source = bench.folder / "late.c"
    source.write_text('#include <pthread.h>\n#include <stdatomic.h>\natomic_int order, x;\nvoid* leaf(void* a) { x++; x++; return a; }\n'
                      'void* node(void* a) {\n  pthread_t t;\n  if (atomic_fetch_add(&order, 1) != (int)(long)a) return 0;\n'
                      '  pthread_create(&t, 0, leaf, 0);\n  x++;\n  pthread_join(t, 0);\n  return 0;\n}\n'
                      'int main(void) {\n  pthread_t t[3];\n  for (long i = 0; i < 3; i++) pthread_create(t + i, 0, node, (void*)(2 - i));\n'
                      '  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n}\n')
    program = bench.compile(source)
    _, alone, _ = bench.check(program)
    for workers in (2, 4):
        status, report, text = bench.check(program, f"-j{workers}")
        expect(status == VERIFIED and report["executions"] == alone["executions"], status, report and report["executions"],
               alone["executions"], text)


def a_worker_dies(bench):
    """kill -9 of workers: others do their part, nothing counts twice."""
    program = bench.compile(BENCH / "readers.c", "-DN=17")
    process = bench.start(program, "-j3")
    wait_for(lambda: len(workers_of(process)) == 2, "workers")
    process.send_signal(signal.SIGSTOP)  # nothing ends without the first
    time.sleep(0.3)  # they have work, or ask for some
    for victim in workers_of(process):
        os.kill(victim, signal.SIGKILL)
    process.send_signal(signal.SIGCONT)
    text, _ = process.communicate(timeout=LIMIT)
    report = bench.report()
    expect(process.returncode == VERIFIED and report["executions"] == 131072, process.returncode, report["executions"], text)
    expect("died" in text, "no word of the death", text)


def ended_before_it_began(bench):
    """The search is over while workers start: they end, which is no death."""
    source = bench.folder / "short.c"
    source.write_text("#include <pthread.h>\nvoid* leaf(void* a) { return a; }\n"
                      "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, leaf, 0);\n  pthread_join(t, 0);\n}\n")
    program = bench.compile(source)
    for _ in range(20):
        status, _, text = bench.check(program, "-j8")
        expect(status == VERIFIED and "died" not in text, status, text)


def the_first_dies(bench):
    """kill -9 of the first worker: none is left behind, and the search goes on from the last checkpoint."""
    program = bench.compile(BENCH / "readers.c", "-DN=15")
    saved = bench.folder / "first.checkpoint"
    process = bench.start(program, "-j2", f"--checkpoint={saved}", "--checkpoint-interval=0.2")
    wait_for(saved.exists, "a checkpoint")
    others = workers_of(process)
    process.kill()
    process.communicate(timeout=LIMIT)
    wait_for(lambda: not any(pathlib.Path(f"/proc/{w}").exists() for w in others), "the end of the other workers")
    status, report, text = bench.check(program, "-j2", f"--resume={saved}")
    expect(status == VERIFIED and report["executions"] == 32768, status, report and report["executions"], text)


def stopped_and_resumed(bench):
    """SIGTERM saves; with another number of workers it goes on."""
    program = bench.compile(BENCH / "readers.c", "-DN=17")
    saved = bench.folder / "term.checkpoint"
    for before, after in ((1, 2), (2, 1), (3, 4)):
        saved.unlink(missing_ok=True)
        process = bench.start(program, f"-j{before}", f"--checkpoint={saved}", "--checkpoint-interval=0.05")
        wait_for(saved.exists, "a checkpoint")
        process.terminate()
        text, _ = process.communicate(timeout=LIMIT)
        expect(process.returncode == INCONCLUSIVE and "interrupted" in text, process.returncode, text)
        done = bench.report()["executions"]
        status, report, text = bench.check(program, f"-j{after}", f"--resume={saved}")
        expect(done < 131072 and status == VERIFIED and report["executions"] == 131072, done, status,
               report and report["executions"], text)


def in_small_pieces(bench):
    """A limit, a checkpoint, and on from there, until the end: each class once."""
    program = bench.compile(BENCH / "mutex.c", "-DN=6")
    saved = bench.folder / "pieces.checkpoint"
    for algorithm in SHARED:
        saved.unlink(missing_ok=True)
        for part in range(1, 60):
            more = (f"--resume={saved}",) if part > 1 else ()
            status, report, text = bench.check(program, f"--algorithm={algorithm}", f"--max-executions={part * 40}",
                                               f"--checkpoint={saved}", *more)
            if status == VERIFIED:
                break
            expect(status == INCONCLUSIVE and report["executions"] >= part * 40, algorithm, part, status, text)
        expect(status == VERIFIED and report["executions"] == 720 and part > 10, algorithm, part, report["executions"])
    status, report, _ = bench.check(program, f"--algorithm={algorithm}", f"--resume={saved}")  # nothing is left
    expect(status == VERIFIED and report["executions"] == 720, status, report)


def findings_survive(bench):
    """What was found, or left out, before a checkpoint stands in the verdict after it."""
    program = bench.compile(FAIL / "lock_order.c")
    saved = bench.folder / "bug.checkpoint"
    _, whole, _ = bench.check(program, "--keep-going")
    bench.check(program, "--keep-going", f"--checkpoint={saved}")
    status, report, text = bench.check(program, "--keep-going", f"--resume={saved}")
    expect(status == BUG and [b["kind"] for b in report["bugs"]] == [b["kind"] for b in whole["bugs"]], status, text)
    program = bench.compile(BENCH / "mutex.c", "-DN=3")
    bench.check(program, "--max-steps=12", f"--checkpoint={saved}")
    status, report, text = bench.check(program, "--max-steps=12", f"--resume={saved}")
    expect(status == INCONCLUSIVE and "step limit" in report["reason"], status, report and report["reason"], text)


def refused(bench):
    """Damaged or foreign checkpoints, options that exclude each other: one line, exit status 2."""
    program = bench.compile(BENCH / "mutex.c", "-DN=4")
    other = bench.compile(BENCH / "mutex.c", "-DN=5")
    saved = bench.folder / "whole.checkpoint"
    bench.check(program, "--max-executions=5", f"--checkpoint={saved}")
    text = saved.read_text()
    bad = bench.folder / "bad.checkpoint"
    lines = text.splitlines(keepends=True)
    cases = [("damaged", "".join(lines[:-1])), ("damaged", "".join(lines[:-2] + lines[-1:])), ("damaged", text[: len(text) // 2]),
             ("damaged", text.replace("node 1 ", "node 2 ", 1)), ("version", text.replace("inspect-checkpoint 4", "inspect-checkpoint 9")),
             ("no checkpoint", ""), ("no checkpoint", "hello\n")]
    for word, content in cases:
        bad.write_text(content)
        status, _, said = bench.check(program, f"--resume={bad}")
        expect(status == USAGE and word in said and said.count("\n") == 1, word, status, said)
    for word, arguments in (("build", (other, f"--resume={saved}")), ("options", (program, f"--resume={saved}", "--algorithm=dpor")),
                            ("No such file", (program, "--resume=nothing")), ("samples", (program, "-j2", "--algorithm=random")),
                            ("exclude", (program, "-j2", "--mpi"))):
        status, _, said = bench.check(*arguments)
        expect(status == USAGE and word in said and said.count("\n") == 1, word, status, said)
    with subprocess.Popen(["echo", "1"], stdout=subprocess.PIPE) as echo:
        status, _, said = bench.check(program, f"--resume={saved}", stdin=echo.stdout)
    expect(status == USAGE and "another standard input" in said and said.count("\n") == 1, status, said)
    elsewhere = bench.folder / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run(bench.command(program, f"--resume={saved}"), cwd=elsewhere, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=LIMIT, check=False)
    expect(done.returncode == USAGE and "another working directory" in done.stderr, done.returncode, done.stderr)
    for option in ("--visible=all", "--expect-exit=any", "--max-steps=5", "--spurious-wakeups", "--seed=3", "--nondet=1..3", "--keep-going",
                   "--abort=end", "--races=ignore", "--preemptions=1"):
        status, _, said = bench.check(program, f"--resume={saved}", option)
        expect(status == USAGE and "a run with other options" in said and said.count("\n") == 1, option, status, said)
    status, _, said = bench.check(program, f"--resume={saved}", environment={"FLAVOUR": "secret"})
    expect(status == USAGE and "another environment: FLAVOUR" in said and "secret" not in said, status, said)
    status, _, said = bench.check(program, f"--resume={saved}", environment={"INSPECT_TIME_LIMIT": "100", "OMPI_COMM_WORLD_RANK": "3", "SHLVL": "7",
                                                                         "SSH_TTY": "/dev/pts/3"})
    expect(status == VERIFIED, status, said)
    done = subprocess.run([*bench.command(program, f"--resume={saved}"), "--", "more"], cwd=bench.folder, capture_output=True, text=True,
                          timeout=LIMIT, check=False)
    expect(done.returncode == USAGE and "arguments" in done.stderr, done.returncode, done.stderr)


def contradictions(bench):
    """What a checkpoint says of threads and counts must be possible, also when its digests were written anew."""
    program = bench.compile(FAIL / "lock_order.c")
    saved, bad = bench.folder / "good.checkpoint", bench.folder / "contradicts.checkpoint"
    bench.check(program, "--max-executions=1", f"--checkpoint={saved}")
    body = seal.body_of(saved.read_bytes())
    others = [re.sub(rb"\nknowledge .*", b'\nknowledge "' + words + b'"', body)
              for words in (b"+0 1:0 0:1", b"+0 2:0 1:0", b"+0 0:0 2:0", b"+0 0:99999", b"+0 5:0", b"+0 0:0 0:0 0:1", b"+00 0:0 0:1",
                            b"+0 0:00 0:1", b"0 0:0 0:1", b"")]
    others += [body.replace(b"\npiece 0 ", b"\npiece 00 ", 1), re.sub(rb"(\npiece \S+) \S+", rb"\1 77", body, count=1)]
    others += [body.replace(b"\nnode 0 2 3 ", b"\nnode 0 2 2 ", 1), re.sub(rb"(\nknowledge .*) \S+\"", rb'\1"', body)]  # a root that waits
    others += [re.sub(rb"(\nnode \S+) 0 ", rb"\1 3 ", body, count=1)]  # what is left counts as explored
    others += [re.sub(rb"(\nnode \S+ 2) 3 ", rb"\1 7 ", body, count=3)]  # what may not sleep though no bug was found
    closed = re.search(rb"\nnode \S+ 3 .*", body)  # a closed node that is no longer there
    others += [body.replace(closed.group(), b"", 1)] if closed else []
    for content in others:
        bad.write_bytes(seal.checkpoint(content))
        status, _, said = bench.check(program, f"--resume={bad}")
        expect(status == USAGE and said.count("\n") == 1, status, content[:500], said)


def other_library(bench):
    """A search does not go on with another build of a shared library."""
    part, main = bench.folder / "part.c", bench.folder / "uses_part.c"
    part.write_text("#include <stdatomic.h>\natomic_int x;\nint go(void) { return ++x + EXTRA; }\n")
    main.write_text("#include <pthread.h>\nint go(void);\nvoid *run(void *p) { go(); go(); return p; }\n"
                    "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); pthread_join(t, 0); return 0; }\n")
    library, program, saved = bench.folder / "libpart.so", bench.folder / "uses_part", bench.folder / "part.checkpoint"
    build = lambda *words: subprocess.run([bench.tools / "inspect-cc", "-O1", "-g", *words], check=True, timeout=LIMIT)
    build("-shared", "-fPIC", "-DEXTRA=0", part, "-o", library)
    build(main, library, f"-Wl,-rpath,{bench.folder}", "-o", program)
    status, _, text = bench.check(program, "--max-executions=2", f"--checkpoint={saved}")
    expect(status == INCONCLUSIVE, status, text)
    build("-shared", "-fPIC", "-DEXTRA=1", part, "-o", library)
    status, _, said = bench.check(program, f"--resume={saved}")
    expect(status == USAGE and "another build of a shared library" in said and "libpart.so" in said, status, said)
    build("-shared", "-fPIC", "-DEXTRA=0", part, "-o", library)
    status, _, said = bench.check(program, f"--resume={saved}")
    expect(status == VERIFIED, status, said)


def a_full_disk(bench):
    """A checkpoint that cannot be written leaves the one before, is said, and stops nothing."""
    program = bench.compile(BENCH / "readers.c", "-DN=14")
    disk = bench.folder / "disk"
    disk.mkdir()
    script = (f"mount -t tmpfs -o size=64k none {disk} && head -c 56k /dev/zero > {disk}/ballast && "
              f"cp {bench.folder}/small {disk}/saved && exec \"$@\"")
    (bench.folder / "small").write_text("the one before\n")
    probe = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False)
    expect(probe.returncode == 0 or os.geteuid() != 0, "no mount namespaces here", probe.stderr)
    if probe.returncode:
        print("    needs root: not run")
        return
    tail = f"; status=$?; cp {disk}/saved {bench.folder}/after; exit $status"
    status, report, text = bench.check(
        program, "-j2", f"--checkpoint={disk}/saved", "--checkpoint-interval=0.05",
        prefix=("unshare", "-m", "sh", "-c", script.replace('exec "$@"', '{ "$@"') + tail + "; }", "sh"))
    expect(status == VERIFIED and report["executions"] == 16384, status, report and report["executions"], text)
    expect("No space left" in text, "no word of the full disk", text)
    after = (bench.folder / "after").read_text()
    expect(after == "the one before\n" or after.startswith("inspect-checkpoint 4\n"), after[:200])


def mpi(bench):
    """Ranks of mpirun, more than there are cores."""
    expect(shutil.which("mpirun"), "mpirun is not installed")
    program = bench.compile(BENCH / "mutex.c", "-DN=6")
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    for ranks in (1, 2, 4):
        for algorithm in BEST:
            status, report, text = bench.check(program, "--mpi", f"--algorithm={algorithm}",
                                               prefix=("mpirun", "--oversubscribe", "-n", str(ranks)), environment=root)
            expect(status == VERIFIED and report["executions"] == 720 and report["workers"] == ranks, ranks, status,
                   report and report["executions"], text)
            expect(len(re.findall("VERIFIED", text)) == 1, text)
    status, report, text = bench.check(bench.compile(FAIL / "lock_order.c"), "--mpi", prefix=("mpirun", "--oversubscribe", "-n", "3"),
                                       environment=root)
    expect(status == BUG and len(report["bugs"]) == 1, status, text)


CASES = [counts, bug, input_is_shared, threads_named_late, a_worker_dies, ended_before_it_began, the_first_dies,
         stopped_and_resumed, in_small_pieces, findings_survive, refused, contradictions, other_library, a_full_disk, mpi]


if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__.splitlines()[0]))
