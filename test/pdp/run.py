#!/usr/bin/env python3
"""Does pdp find a data race if and only if naive, or dpor where there are too many schedules, finds one? In the programs of programs/, of
which the first line says what they have, and in generated ones. A free that nothing orders with an access counts as a race.

    run.py --bin DIR --work DIR [--seeds FIRST LAST]
    run.py --bin DIR --work DIR --wrappers DIR --error NAME     the wrappers there make that deliberate error, and it must be noticed

A program that fails stays in the work folder; the message says how to run it again.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import generate

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = ("-O1", "-O0", "-O2")


def check(options, program, algorithm, *more):
    report = program.with_suffix(f".{algorithm}.json")
    subprocess.run([options.bin / "inspect", "check", f"--algorithm={algorithm}", "--quiet", "--progress=off", f"--json={report}",
                    f"--schedule={program.with_suffix('.schedule')}", *more, program],
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=False)
    return json.loads(report.read_text())


def is_racy(report):
    return any(bug["kind"] == "data-race" or (bug["kind"] == "memory-error" and "without order" in bug["message"]) for bug in report["bugs"])


def write_generated(options, seed):
    """A generated program and the level that it is compiled at."""
    source = options.work / f"p{seed}.c"
    source.write_text(generate.program(seed))
    return source, LEVELS[seed % 3]


def build(options, source, level, program):
    """The program, of two object files if its source has two parts."""
    command = [options.wrappers / "inspect-cc", "--inspect-code", level, "-w"]
    if "SECOND_FILE" not in source.read_text():
        subprocess.run([*command, source, "-o", program], check=True)
        return
    parts = [program.with_suffix(suffix) for suffix in (".1.o", ".2.o")]
    subprocess.run([*command, "-c", source, "-o", parts[0]], check=True)
    subprocess.run([*command, "-DSECOND_FILE", "-c", source, "-o", parts[1]], check=True)
    subprocess.run([*command, *parts, "-o", program], check=True)


def examine(options, source, level):
    """What is wrong with the verdict on one program, and the report of pdp."""
    program = options.work / source.stem
    build(options, source, level, program)
    truth = check(options, program, "naive", "--max-executions=20000")
    if truth["verdict"] == "inconclusive":
        truth = check(options, program, "dpor", "--max-executions=20000")
    if truth["verdict"] not in ("verified", "bug") or (truth["verdict"] == "bug" and not is_racy(truth)):
        return None, None
    found = check(options, program, "pdp")
    expected = source.read_text().splitlines()[0]
    if expected.startswith(("// race", "// no race")) and is_racy(truth) != (expected == "// race"):
        return f"{truth['algorithm']} says {truth['verdict']}", found
    if expected.endswith("in 1 execution") and found["executions"] + found["redundant_executions"] != 1:
        return f"{found['executions']} executions: {found['pruning_limits']}", found
    if is_racy(truth) != is_racy(found) or (not is_racy(truth) and found["verdict"] != "verified"):
        return f"{truth['algorithm']} says {truth['verdict']}, pdp says {found['verdict']}", found
    if not is_racy(found) and found["property"] != "data-race":
        return "the verdict does not name its property", found
    if is_racy(found):
        again = subprocess.run([options.bin / "inspect", "replay", "--quiet", f"--program={program}", program.with_suffix(".schedule")],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60, check=False)
        if again.returncode != 1:
            return f"the race does not replay: exit status {again.returncode}", found
    for file in (*options.work.glob(f"{source.stem}.*"), program):
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


def verdict_and_refusals(options):
    """What is wrong with the text of the verdict, or with what is refused."""
    source = HERE / "programs" / "rwlock.c"
    command = [options.bin / "inspect", "check", "--algorithm=pdp", "--progress=off", source]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    if result.returncode != 0 or "no data race in any schedule for this input (other properties not covered)" not in result.stdout + result.stderr:
        return "the verdict does not say what it covers"
    for more in (["-j", "2"], [f"--checkpoint={options.work / 'checkpoint'}"], ["--visible=all"]):
        result = subprocess.run([*command, *more], capture_output=True, text=True, timeout=60, check=False)
        if result.returncode != 2 or result.stderr.count("\n") != 1 or "pdp" not in result.stderr:
            return f"{more[0]} is not refused in one line"
    return None


def all_programs(options):
    for source in sorted((HERE / "programs").glob("*.c")):
        for level in LEVELS:
            yield source, level
    for seed in range(options.seeds[0], options.seeds[1] + 1):
        yield write_generated(options, seed)


def is_noticed(options):
    """Does a program show the error? Of those by hand, their first line says what they have."""
    for level in LEVELS:
        for source in sorted((HERE / "programs").glob("*.c")):
            build(options, source, level, options.work / source.stem)
            if is_racy(check(options, options.work / source.stem, "pdp")) != source.read_text().startswith("// race"):
                print(f"noticed by {source.name} at {level}")
                return True
    for seed in range(options.seeds[0], options.seeds[1] + 1):
        source, level = write_generated(options, seed)
        wrong, _ = examine(options, source, level)
        if wrong:
            print(f"noticed by {source.name} at {level}: {wrong}")
            return True
    print("no program notices this error")
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--wrappers", type=pathlib.Path)
    parser.add_argument("--error")
    parser.add_argument("--seeds", type=int, nargs=2, default=(1, 40))
    options = parser.parse_args()
    options.wrappers = options.wrappers or options.bin
    options.work.mkdir(parents=True, exist_ok=True)
    if options.error:
        os.environ["INSPECT_CODE_ERROR"] = options.error
        sys.exit(not is_noticed(options))
    if not refuses_without_table(options):
        sys.exit("an executable without the table of code is not refused as it should be")
    if wrong := verdict_and_refusals(options):
        sys.exit(wrong)
    failed = programs = racy = checks = successes = 0
    for source, level in all_programs(options):
        wrong, found = examine(options, source, level)
        if wrong:
            failed += 1
            seed = source.stem.removeprefix("p")
            again = f" --seeds {seed} {seed}" if seed.isdigit() else ""
            print(f"{source.name} at {level}: {wrong}; run.py --bin {options.bin} --work {options.work}{again}")
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
