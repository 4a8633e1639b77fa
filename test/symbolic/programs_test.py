#!/usr/bin/env python3
"""Programs through the real inspect-symbolic: verdict, exit status, text.

    programs_test.py CLANG INSPECT_SYMBOLIC INCLUDE [NAME]       the programs of test/symbolic/programs
    programs_test.py CLANG INSPECT_SYMBOLIC INCLUDE --compare    those of test/programs: no verdict may contradict theirs

First lines of a program: // expect: [cflags=...] [options=...] verdict=... [text="..."], one a run.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
STATUS = {"verified": 0, "bug": 1, "inconclusive": 3, "unsupported": 4}
FLAGS = ["-std=gnu17", "-D__INSPECT__", "-O1", "-Xclang", "-disable-llvm-passes", "-ftrivial-auto-var-init=zero", "-g", "-w",
         "-emit-llvm", "-c"]


def expectations(path):
    lines = [line[len("// expect:"):] for line in path.read_text().splitlines() if line.startswith("// expect:")]
    return [dict(part.split("=", 1) for part in shlex.split(line) if "=" in part) for line in lines]


def run(path, expected, tools, limit):
    """Returns exit status and output; None if clang refuses."""
    clang, symbolic, include = tools
    with tempfile.TemporaryDirectory() as folder:
        code = pathlib.Path(folder) / "program.bc"
        compiled = subprocess.run([clang, *FLAGS, f"-I{include}", *expected.get("cflags", "").split(), path.name, "-o", code],
                                  cwd=path.parent, capture_output=True, text=True)
        if compiled.returncode:
            return None, compiled.stderr
        done = subprocess.run([symbolic, *expected.get("options", "").split(), f"--time-limit={limit}", code], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr


def check(path, expected, tools):
    """Empty, or what is wrong."""
    found, text = run(path, expected, tools, 60)
    if found == STATUS[expected["verdict"]] and expected.get("text", "") in text:
        return ""
    return f"{path.name} {expected}: exit status {found}\n{text}"


def contradiction(path, tools):
    """What the tool says of a program of the native engine's, if both cannot be true. Its options are not ours: only runs without."""
    wrong = []
    for expected in expectations(path):
        if "options" in expected or "args" in expected or "stdin" in expected:
            continue
        found, text = run(path, expected, tools, 5)
        verdict = expected.get("verdict")
        if found not in (None, 0, 1, 3, 4) or (found == 0 and verdict == "bug") or (found == 1 and verdict == "verified"):
            wrong.append(f"{path.name} {expected}: exit status {found}\n{text}")
    return "".join(wrong)


def main():
    tools, more = [sys.argv[1], *(pathlib.Path(p).resolve() for p in sys.argv[2:4])], sys.argv[4:]
    if more == ["--compare"]:
        jobs = [(contradiction, path, tools) for path in sorted((HERE.parent / "programs").glob("*/*.c"))]
    else:
        paths = sorted(p for p in (HERE / "programs").glob("*.c") if not more or p.stem in more)
        jobs = [(check, path, expected, tools) for path in paths for expected in expectations(path)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        findings = [finding for finding in pool.map(lambda job: job[0](*job[1:]), jobs) if finding]
    print(*findings, f"{len(jobs)} jobs, {len(findings)} wrong", sep="\n")
    return 1 if findings or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
