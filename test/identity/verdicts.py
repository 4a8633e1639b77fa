#!/usr/bin/env python3
"""Do searches that leave out known states and mirror images come to the verdict of one that leaves out neither?

    verdicts.py --bin BIN --work DIRECTORY FIRST COUNT      random programs, each with each of its end states as the bug

Programs that the plain search does not finish within a limit of executions are left aside; most must be finished.
"""

import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
WAYS = [["--algorithm=sdpor"], ["--algorithm=dpor", "--symmetry"], ["--algorithm=sdpor", "--symmetry"]]


def check(options, program, bad, way):
    """The verdict, with the kinds of bugs, and how much was skipped."""
    report = options.work / "report.json"
    report.unlink(missing_ok=True)
    subprocess.run([options.bin / "inspect", "check", *way, "--visible=all", "--quiet", "--progress=off", "--max-executions=20000",
                    f"--json={report}", f"--schedule={options.work / 'bug.schedule'}", program / f"bad{bad}"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    result = json.loads(report.read_text())
    return (result["verdict"], sorted({b["kind"] for b in result["bugs"]})), result.get("symmetry_successes") or 0


def build(options, seed):
    """One executable per end state that is the bug; the seed decides how much is optimised."""
    folder = options.work / f"program{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    text = subprocess.run([sys.executable, HERE / "generate.py", str(seed), "--small"], check=True, capture_output=True, text=True,
                          timeout=60)
    (folder / "program.c").write_text(text.stdout)
    level = f"-O{seed % 3}"
    for bad in range(9):
        subprocess.run([options.bin / "inspect-cc", "--inspect-states", "-w", f"-DBAD={bad}", level, "-g", folder / "program.c", "-o",
                        folder / f"bad{bad}"], check=True, timeout=120)
    return folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    wrong = compared = skipped = finished = bugs = 0
    for seed in range(options.first, options.first + options.count):
        folder = build(options, seed)
        if check(options, folder, 8, ["--algorithm=source"])[0][0] != "verified":
            continue
        finished += 1
        for bad in range(9):
            expected, _ = check(options, folder, bad, ["--algorithm=source"])
            bugs += expected[0] == "bug"
            for way in WAYS:
                found, successes = check(options, folder, bad, way)
                compared += 1
                skipped += successes
                if found != expected:
                    wrong += 1
                    print(f"seed {seed}, BAD={bad}, {' '.join(way)}: {found}, expected {expected}")
    print(f"{finished} programs, {compared} comparisons, {bugs} with a bug, {skipped} transitions skipped by symmetry, {wrong} wrong")
    return wrong > 0 or 3 * finished < options.count or not skipped


if __name__ == "__main__":
    sys.exit(main())
