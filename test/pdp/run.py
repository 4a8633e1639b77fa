#!/usr/bin/env python3
"""Does pdp find a data race in generated C programs if and only if naive, or dpor where there are too many schedules, finds one?

    run.py --bin DIR --work DIR [--seeds FIRST LAST]

A program that fails stays in the work folder; the message says how to run it again.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import generate

LEVELS = ("-O1", "-O0", "-O2")


def check(options, program, algorithm, *more):
    report = program.with_suffix(f".{algorithm}.json")
    subprocess.run([options.bin / "inspect", "check", f"--algorithm={algorithm}", "--quiet", "--progress=off", f"--json={report}",
                    f"--schedule={program.with_suffix('.schedule')}", *more, program],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
    return json.loads(report.read_text())


def is_racy(report):
    return any(bug["kind"] == "data-race" for bug in report["bugs"])


def examine(options, seed):
    """What is wrong with the verdict on one program, and the report of pdp."""
    source = options.work / f"p{seed}.c"
    program = source.with_suffix("")
    source.write_text(generate.program(seed))
    subprocess.run([options.bin / "inspect-cc", "--inspect-code", LEVELS[seed % 3], "-w", source, "-o", program], check=True)
    truth = check(options, program, "naive", "--max-executions=20000")
    if truth["verdict"] == "inconclusive":
        truth = check(options, program, "dpor", "--max-executions=20000")
    if truth["verdict"] not in ("verified", "bug") or (truth["verdict"] == "bug" and not is_racy(truth)):
        return None, None
    found = check(options, program, "pdp")
    if is_racy(truth) != is_racy(found) or (not is_racy(truth) and found["verdict"] != "verified"):
        return f"{truth['algorithm']} says {truth['verdict']}, pdp says {found['verdict']}", found
    if not is_racy(found) and found["property"] != "data-race":
        return "the verdict does not name its property", found
    if is_racy(found):
        again = subprocess.run([options.bin / "inspect", "replay", "--quiet", f"--program={program}", program.with_suffix(".schedule")],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
        if again.returncode != 1:
            return f"the race does not replay: exit status {again.returncode}", found
    for file in options.work.glob(f"p{seed}*"):
        file.unlink()
    return None, found


def refuses_without_table(options):
    """An executable without the table of code is refused in one line that says how to build it."""
    source = options.work / "plain.c"
    source.write_text("int main(void) { return 0; }\n")
    program = source.with_suffix("")
    subprocess.run([options.bin / "inspect-cc", source, "-o", program], check=True)
    result = subprocess.run([options.bin / "inspect", "check", "--algorithm=pdp", program], capture_output=True, text=True, timeout=60, check=False)
    return result.returncode == 2 and result.stderr.count("\n") == 1 and "inspect-cc --inspect-code" in result.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 40))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if not refuses_without_table(options):
        sys.exit("an executable without the table of code is not refused as it should be")
    failed = programs = racy = checks = successes = 0
    for seed in range(options.seeds[0], options.seeds[1] + 1):
        wrong, found = examine(options, seed)
        if wrong:
            failed += 1
            print(f"seed {seed}: {wrong}; run.py --bin {options.bin} --work {options.work} --seeds {seed} {seed}")
        if not found:
            continue
        programs += 1
        racy += is_racy(found)
        checks += found["pruning_checks"] or 0
        successes += found["pruning_successes"] or 0
    print(f"{programs} programs, {racy} with a data race; {checks} backtrack points checked, {successes} pruned")
    if not failed and options.seeds[1] - options.seeds[0] >= 30 and (racy == 0 or racy == programs or successes == 0):
        print("these programs show nothing")
        failed = 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
