#!/usr/bin/env python3
"""Do searches that leave out known states and mirror images come to the verdict of one that leaves out neither?

    verdicts.py --bin BIN --work DIRECTORY FIRST COUNT      random programs, each with each of its end states as the bug

And do they reach the same end states, where all are looked for? Compared with plain enumeration, where that ends. Programs that the plain search does not finish within a limit of executions are left aside; most must be finished.
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


def ends(options, program, way):
    """The end states that a search reaches, or None if it does not finish."""
    report = options.work / "report.json"
    report.unlink(missing_ok=True)
    subprocess.run([options.bin / "inspect", "check", *way, "--visible=all", "--keep-going", "--quiet", "--progress=off", "--max-executions=6000",
                    f"--json={report}", f"--schedule={options.work / 'bug.schedule'}", program / "ends"],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
    result = json.loads(report.read_text())
    return None if result["executions"] + result["redundant_executions"] >= 6000 else sorted((b["kind"], b["message"]) for b in result["bugs"])


def build(options, seed):
    """One executable per end state that is the bug, and one that ends with it; the seed decides how much is optimised."""
    folder = options.work / f"program{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    text = subprocess.run([sys.executable, HERE / "generate.py", str(seed), "--small"], check=True, capture_output=True, text=True,
                          timeout=60)
    (folder / "program.c").write_text(text.stdout)
    level = f"-O{seed % 3}"
    for name, macro in [("ends", "-DENDS"), *((f"bad{k}", f"-DBAD={k}") for k in range(9))]:
        subprocess.run([options.bin / "inspect-cc", "--inspect-states", "-w", macro, level, "-g", folder / "program.c", "-o", folder / name],
                       check=True, timeout=120)
    return folder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    wrong = compared = skipped = finished = bugs = several = enumerated = 0
    for seed in range(options.first, options.first + options.count):
        folder = build(options, seed)
        if check(options, folder, 8, ["--algorithm=source"])[0][0] != "verified":
            continue
        finished += 1
        plain = ends(options, folder, ["--algorithm=naive"])
        enumerated += plain is not None
        reached = ends(options, folder, ["--algorithm=source"]) if plain is None else plain
        several += len(reached or ()) > 1
        for way in WAYS:
            found = ends(options, folder, way)
            if reached is not None and found != reached:
                wrong += 1
                print(f"seed {seed}, {' '.join(way)}: ends {found}, expected {reached}")
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
    print(f"{enumerated} programs enumerated, {several} with several end states")
    print(f"{finished} programs, {compared} comparisons, {bugs} with a bug, {skipped} transitions skipped by symmetry, {wrong} wrong")
    return wrong > 0 or 3 * finished < options.count or not skipped or not several


if __name__ == "__main__":
    sys.exit(main())
