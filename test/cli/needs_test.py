#!/usr/bin/env python3
"""What the system refuses to Inspect itself is told as that, in one line, and never as a finding about the program.

    needs_test.py --bin DIR [NAME...]     DIR holds inspect and inspect-cc; cases whose name contains one of the NAMEs
"""

import itertools
import json
import os
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from cases import expect, run  # noqa: E402

VERIFIED, BUG, USAGE, INCONCLUSIVE = 0, 1, 2, 3
LIMIT = 120  # seconds; only a hang comes near it

SOURCE = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void* a(void* p) { x++; return p; }
int main(int n, char** v) {
  pthread_t t, u;
  pthread_create(&t, 0, a, 0); pthread_create(&u, 0, a, 0); pthread_join(t, 0); pthread_join(u, 0);
  if (n > 1) assert(x != 2);
  return !v;
}
"""


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        folder.chmod(0o777)
        (folder / "a.c").write_text(SOURCE)
        subprocess.run([tools / "inspect-cc", "-O1", "-g", "-pthread", "a.c", "-o", "a"], cwd=folder, check=True, timeout=LIMIT)

    def command(self, *words):
        return [str(self.tools / "inspect"), *map(str, words)]

    def inspect(self, *words, **more):
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        return subprocess.run(self.command(*words), cwd=self.folder, text=True, timeout=LIMIT, check=False, **more)

    def refused(self, done, says):
        text = (done.stdout or "") + (done.stderr or "")
        expect(done.returncode == USAGE and text.startswith("inspect: error: ") and text.count("\n") == 1 and says in text, done.args,
               done.returncode, text)


def limits(bench):
    """Limits of a shell under which Inspect cannot work are named before anything else happens."""
    expect(bench.inspect("check", "a", "--", "fails").returncode == BUG)
    for name, value, says in (("NOFILE", 8, "ulimit -n"), ("NOFILE", 16, "ulimit -n"), ("NOFILE", 32, "ulimit -n"), ("FSIZE", 0, "ulimit -f"),
                              ("FSIZE", 1024, "ulimit -f"), ("AS", 1 << 30, "ulimit -v"), ("DATA", 1 << 30, "ulimit -d"),
                              ("STACK", 64 << 10, "ulimit -s"), ("CPU", 1, "ulimit -t")):
        number = getattr(resource, "RLIMIT_" + name)
        for words in (("check", "a"), ("check", "a.c"), ("check", "-j2", "a"), ("replay", "inspect-bug.schedule")):
            bench.refused(bench.inspect(*words, preexec_fn=lambda: resource.setrlimit(number, (value, value))), says)
    for name, value in (("CORE", 0), ("STACK", resource.RLIM_INFINITY), ("MEMLOCK", 0)):
        number = getattr(resource, "RLIMIT_" + name)
        done = bench.inspect("check", "a", preexec_fn=lambda: resource.setrlimit(number, (value, value)))
        expect(done.returncode == VERIFIED, name, done.returncode, done.stdout, done.stderr)


def few_processes(bench):
    """A process that may not be started is the system's refusal; only an ordinary user is refused."""
    if os.geteuid():
        print("    needs root: not run")
        return
    allowed = lambda n: {"preexec_fn": lambda: (resource.setrlimit(resource.RLIMIT_NPROC, (n, n)), os.setgid(65534), os.setuid(65534))}
    probe = bench.inspect("--version", **allowed(1000))
    if probe.returncode:
        print("    others may not run it from here: not run")
        return
    for words in (("check", "a"), ("check", "-j2", "a"), ("check", "a.c"), ("replay", "inspect-bug.schedule")):
        done = bench.inspect(*words, "--schedule=/dev/null" if words[0] == "check" else "--quiet", **allowed(0))
        bench.refused(done, "Resource temporarily unavailable" if words[0] == "check" else "")


def closed_descriptors(bench):
    """What is closed of the standard descriptors changes no verdict, and a result that cannot be written is an error."""
    for closed in itertools.chain.from_iterable(itertools.combinations((0, 1, 2), n) for n in range(4)):
        for words, status in ((("check", "a"), VERIFIED), (("check", "-j2", "a"), VERIFIED), (("check", "a", "--", "fails"), BUG)):
            (bench.folder / "out.json").unlink(missing_ok=True)
            command = "exec \"$@\" " + " ".join(f"{fd}>&-" for fd in closed)
            done = subprocess.run(["sh", "-c", command, "sh", *bench.command(words[0], "--json=out.json", *words[1:])], cwd=bench.folder,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)
            report = json.loads((bench.folder / "out.json").read_text())
            expect(report["verdict"] == ("bug" if status else "verified"), closed, words, report["reason"])
            expect(done.returncode == (USAGE if 1 in closed else status), closed, words, done.returncode, done.stdout, done.stderr)


def ignored_signals(bench):
    """A parent that ignores signals hands that down."""
    for name in ("CHLD", "PIPE", "XFSZ", "INT"):
        for target in ("a", "a.c"):
            done = subprocess.run(["env", f"--ignore-signal={name}", *bench.command("check", target)], cwd=bench.folder,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT, check=False)
            expect(done.returncode == VERIFIED, name, target, done.returncode, done.stdout, done.stderr)


def nobody_reads(bench):
    """Whoever has read enough closes the pipe: nothing is lost, and nobody is told."""
    for words in (("check", "a"), ("check", "--json=-", "a"), ("check", "--coverage-list")):
        for pipe in ({"stdout"}, {"stdout", "stderr"}):
            read, write = os.pipe()
            os.close(read)
            done = bench.inspect(*words, **{name: write for name in pipe})
            os.close(write)
            expect(done.returncode == VERIFIED and "error" not in (done.stderr or ""), words, done.returncode, done.stderr)


def full_disks(bench):
    """A result that finds no room, and folders that are not there."""
    with open("/dev/full", "w", encoding="utf-8") as full:
        for words in (("check", "a"), ("check", "--json=-", "a"), ("check", "--coverage-list"), ("--version",)):
            done = bench.inspect(*words, stdout=full)
            expect(done.returncode == USAGE and "No space left on device" in done.stderr, words, done.returncode, done.stderr)
    expect(bench.inspect("check", "--json=/dev/full", "a").returncode == USAGE)
    expect(bench.inspect("check", "--schedule=/dev/full", "a", "--", "fails").returncode == USAGE)
    paged = bench.inspect("check", "--html=/dev/full", "a", "--", "fails")  # what can be told is told
    expect(paged.returncode == USAGE and "BUG" in paged.stdout, paged.stdout + paged.stderr)
    (bench.folder / "device").symlink_to("/dev/full")
    done = bench.inspect("check", "--checkpoint=device", "a")
    expect(done.returncode == VERIFIED and "device: No space left" in done.stderr, done.returncode, done.stderr)
    expect((bench.folder / "device").is_symlink() and pathlib.Path("/dev/full").is_char_device(), "it was replaced")
    for folder in ("/nonexistent", "/proc"):
        bench.refused(bench.inspect("check", "a.c", env={**os.environ, "TMPDIR": folder}), f"cannot create a folder below {folder}")
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
        print("    mounts need root: not run")
        return
    (bench.folder / "disk").mkdir()
    mount = "mount -t tmpfs -o size=64k none disk && head -c 1M /dev/zero >disk/ballast 2>/dev/null; "
    for free in (0, 8):
        script = mount + f"truncate -s {64 - free}k disk/ballast; TMPDIR=disk exec \"$@\""
        done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *bench.command("check", "a.c")], cwd=bench.folder, capture_output=True,
                              text=True, stdin=subprocess.DEVNULL, timeout=LIMIT, check=False)
        bench.refused(done, "No space left on device")
    script = "mount -t tmpfs none /proc; exec \"$@\""
    done = subprocess.run(["unshare", "-m", "sh", "-c", script, "sh", *bench.command("check", "a")], cwd=bench.folder, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, timeout=LIMIT, check=False)
    expect(done.returncode == VERIFIED, "without /proc", done.returncode, done.stdout, done.stderr)


CASES = [limits, few_processes, closed_descriptors, ignored_signals, nobody_reads, full_disks]


if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__.splitlines()[0]))
