#!/usr/bin/env python3
"""States kept along a schedule (runtime/execution/checkpoint.hpp), from which others go on: they change nothing but the time.

    checkpoints.py --bin BUILD/bin --prefix BUILD/test/native/mutants --work FOLDER [NAME...]

With INSPECT_CHECKPOINTS=everywhere the runtime keeps states whatever they cost. Each program is explored with and without, and the
reports must agree in all that is no measurement. With the runtime's deliberate errors some program must differ.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

PROGRAMS = pathlib.Path(__file__).resolve().parents[2] / "test/programs"
# (program, algorithm, options)
CASES = [
    ("pass/kept_offsets.c", "dpor", ()),
    ("pass/environment_full_pipe.c", "source", ()),
    ("pass/environment_files.c", "source", ()),
    ("pass/environment_mapping.c", "source", ()),
    ("pass/environment_signals.c", "source", ()),
    ("pass/environment_time.c", "source", ()),
    ("pass/environment_exit.c", "optimal", ()),
    ("pass/environment_directories.c", "source", ()),
    ("pass/signal_interrupts.c", "source", ()),
    ("pass/rule_h3_lock_order_reversed.c", "optimal", ()),
    ("pass/rule_h3_lock_order_reversed.c", "sdpor", ()),
    ("fail/racy_counter.c", "source", ("--races=report",)),
    ("fail/condition_wakes_any.c", "dpor", ()),
    ("fail/spin_shows_a_count.c", "source", ()),
]
MEASURED = {"seconds", "executions_per_second", "peak_memory_bytes", "symmetry_seconds", "schedule"}
# Each must be shown by the program: the report differs, or a check ends without one.
SHOWN_BY = {
    "checkpoints_share_offsets": ("pass/kept_offsets.c", "dpor", ()),
    "checkpoints_one_step_further": ("pass/rule_h3_lock_order_reversed.c", "optimal", ()),
}


def without_measurements(value):
    if isinstance(value, dict):
        return {k: without_measurements(v) for k, v in value.items() if k not in MEASURED}
    return [without_measurements(v) for v in value] if isinstance(value, list) else value


class Bench:
    def __init__(self, tools, prefix, work):
        self.tools, self.prefix, self.work = tools, prefix, work
        work.mkdir(parents=True, exist_ok=True)

    def build(self, program, compilers):
        source = PROGRAMS / program
        name = "inspect-c++" if source.suffix == ".cpp" else "inspect-cc"
        executable = self.work / f"{compilers.parent.name}_{source.stem}"
        subprocess.run([compilers / name, "-O1", "-g", "-pthread", "--inspect-states", source, "-o", executable], check=True, timeout=300)
        return executable

    def explore(self, executable, algorithm, options, **environment):
        report = self.work / "report.json"
        report.unlink(missing_ok=True)
        command = [self.tools / "inspect", "check", f"--algorithm={algorithm}", "--max-executions=40", "--progress=off", f"--json={report}",
                   f"--schedule={self.work / 'bug.schedule'}", *options, executable]
        subprocess.run(command, env=os.environ | environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
        return without_measurements(json.loads(report.read_text())) if report.exists() else "no report"


def processes_of(executable):
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "exe") == str(executable.resolve()):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def difference(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            if found := difference(one.get(key), other.get(key), f"{path}.{key}"):
                return found
        return ""
    return "" if one == other else f"{path}: {str(one)[:200]} | {str(other)[:200]}"


def compare(bench, case):
    program, algorithm, options = case
    executable = bench.build(program, bench.tools)
    plain = bench.explore(executable, algorithm, options, INSPECT_CHECKPOINTS="auto")
    kept = bench.explore(executable, algorithm, options, INSPECT_CHECKPOINTS="everywhere")
    left = processes_of(executable)
    return difference(plain, kept) or (f"processes are left: {left}" if left else "")


def shows(bench, mutation, case):
    program, algorithm, options = case
    executable = bench.build(program, bench.prefix / "bin")
    right, wrong = (bench.explore(executable, algorithm, options, INSPECT_CHECKPOINTS="everywhere", INSPECT_MUTANT=m) for m in ("none", mutation))
    return difference(right, wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--prefix", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    bench = Bench(options.bin.resolve(), options.prefix.resolve(), options.work.resolve())
    failed = 0
    for case in CASES:
        if options.names and not any(name in case[0] for name in options.names):
            continue
        began = time.monotonic()
        wrong = compare(bench, case)
        failed += bool(wrong)
        print(f"{'differs' if wrong else 'same   '} {case[0]} {case[1]} ({time.monotonic() - began:.1f} s) {wrong}", flush=True)
    for mutation, case in SHOWN_BY.items():
        if options.names and mutation not in options.names:
            continue
        found = shows(bench, mutation, case)
        failed += not found
        print(f"{mutation}: {found or 'NOT NOTICED'}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
