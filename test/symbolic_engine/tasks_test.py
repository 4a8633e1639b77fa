#!/usr/bin/env python3
"""A program of test/programs/symbolic, all its cases, through `inspect check --engine=symbolic`: verdict, kind, and each bug replayed.

    tasks_test.py --bin BIN [--native] FILE

--native: the native engine must not contradict, with the few values that it takes for inputs.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "programs"))
import run as programs  # the grammar of the headers


def command(folder, *words):
    return subprocess.run([str(w) for w in words], cwd=folder, capture_output=True, text=True, timeout=300, check=False, stdin=subprocess.DEVNULL)


def check(tools, folder, path, case, *options):
    """Returns exit status, text, report."""
    report = pathlib.Path(folder) / "report.json"
    report.unlink(missing_ok=True)
    cflags = [f"--cflags={case['cflags']}"] if "cflags" in case else []
    done = command(folder, tools / "inspect", "check", "--json=report.json", "--progress=off", *options, *cflags,
                   *shlex.split(case.get("options", "")), path)
    return done.returncode, done.stdout + done.stderr, json.loads(report.read_text()) if report.exists() else {}


def problem(tools, path, case, native):
    """What is wrong; empty: nothing."""
    name = f"{path.name} {case['case']}"
    with tempfile.TemporaryDirectory() as folder:
        status, text, report = check(tools, folder, path, case, "--engine=symbolic", "--time-limit=60")
        if report.get("verdict") != case["verdict"] or status != programs.EXIT_OF[case["verdict"]]:
            return f"{name}: exit status {status}, expected {case['verdict']}\n{text}"
        if case["verdict"] == "bug":
            if report["bugs"][0]["kind"] not in case["kind"].split("|"):
                return f"{name}: {report['bugs'][0]}, expected {case['kind']}\n{text}"
            again = command(folder, tools / "inspect", "replay", "--quiet", report["bugs"][0]["schedule"])
            if again.returncode != 1:
                return f"{name}: replay ends with {again.returncode}\n{again.stdout}{again.stderr}"
        if case.get("reason", "") not in (report["reason"] or ""):
            return f"{name}: {report['reason']}"
        if native and case["verdict"] == "verified":
            status, text, report = check(tools, folder, path, case, "--time-limit=60")
            if status == 1:
                return f"{name}: verified for all inputs, but\n{text}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--native", action="store_true")
    parser.add_argument("file", nargs="+")
    options = parser.parse_args()
    findings = []
    for file in options.file:
        path = pathlib.Path(file).resolve()
        findings += [problem(pathlib.Path(options.bin).resolve(), path, case, options.native) for case in programs.read_cases(path)]
    wrong = [f for f in findings if f]
    print(*wrong, f"{len(findings)} cases, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or not findings else 0


if __name__ == "__main__":
    sys.exit(main())
