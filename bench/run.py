#!/usr/bin/env python3
"""The speed table: programs whose number of executions is known, explored on one core and on two.

    run.py [--algorithm NAME] [--json FILE] [--quick] [NAME...]     rows whose name contains one of the NAMEs; all without
    run.py --against BUILD [--rounds N] [...]                       this build and another one, in turns, on one core

Rates count executions and redundant executions, by CPU time of explorer and program together on one core (`1 core`), and by
elapsed time with both cores (`2 cores`). A row fails if the number of executions is not what theory says; a rate below its target
is marked, and fails nothing: machines differ, ratios of one run hold. Peers: Nidhugg 0.4 and GenMC 0.11, as measured on a machine of
this kind (CPU time, start-up included); they are not run here.

--against takes the folder of another build (its bin and lib). Of N rounds the least CPU time of each build counts: what else the
machine does only adds to it. A row fails if the two builds do not explore the same.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ROOT / "build" / "bin"
HERE, PASS = ROOT / "bench" / "programs", ROOT / "test" / "programs" / "pass"

# name, source, cflags, executions (None: more than the classes known), target in executions/s on one core, Nidhugg, GenMC, quick
ROWS = [
    ("10 events", HERE / "ten_events.c", "", 2, None, None, None, True),
    ("load/store 5x5", PASS / "count_load_store.c", "-DN=5", 34904, 200e3, 23.6e3, 39.6e3, True),
    ("load/store 6x6", PASS / "count_load_store.c", "-DN=6", 372436, 200e3, None, 51e3, False),
    ("mutex 8", HERE / "mutex.c", "-DN=8", 40320, 100e3, 10.7e3, 9.4e3, True),
    ("readers 15", HERE / "readers.c", "-DN=15", 32768, 100e3, 4.0e3, 28.7e3, True),
    ("last zero 12", PASS / "count_last_zero.c", "-DN=12", 15360, 80e3, 4.5e3, 8.4e3, True),
    ("last zero 15", PASS / "count_last_zero.c", "-DN=15", 147456, 74e3, None, 6.3e3, False),
    ("indexer 15", PASS / "count_indexer.c", "-DN=15", 4096, 40e3, 1.7e3, 1.8e3, True),
    ("file system 22", PASS / "count_file_system.c", "-DN=22", 512, 30e3, 0.8e3, 0.4e3, True),
    ("file system 26", PASS / "count_file_system.c", "-DN=26", 8192, 30e3, None, None, False),
    ("philosophers 6", HERE / "philosophers.c", "-DN=6", 62, None, None, None, True),
    ("buffer 1, 1 item", HERE / "bounded_buffer.c", "-DSIZE=1 -DITEMS=1", 64, None, None, None, True),
    ("buffer 2, 1 item", HERE / "bounded_buffer.c", "-DSIZE=2 -DITEMS=1", 60, None, None, None, True),
    ("buffer 1, 2 items", HERE / "bounded_buffer.c", "-DSIZE=1 -DITEMS=2", 86336, 100e3, None, None, False),
    ("buffer 2, 2 items", HERE / "bounded_buffer.c", "-DSIZE=2 -DITEMS=2", 33192, 100e3, 7e3, None, False),
    ("compute 20,000", HERE / "compute.c", "-DTURNS=20000", 19, None, None, None, True),
]


def compile_row(folder, source, flags, tools=TOOLS):
    folder.mkdir(exist_ok=True)
    program = folder / (source.stem + flags.replace("-D", ".").replace(" ", "").replace("=", ""))
    subprocess.run([tools / "inspect-cc", "-std=gnu17", "-O1", "-g", "-pthread", *flags.split(), source, "-o", program], check=True)
    return program


def explore(program, algorithm, cores, report, tools=TOOLS):
    """One check; returns its JSON report and the CPU seconds of explorer and program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = ["taskset", "-c", cores, str(tools / "inspect"), "check", f"--algorithm={algorithm}", "--progress=off",
               f"--json={report}", f"--schedule={report}.schedule", str(program)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not report.exists():
        raise SystemExit(f"{' '.join(command)}:\n{result.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(report.read_text()), cpu


def measure(folder, row, algorithm):
    name, source, flags, expected, target, nidhugg, genmc, _ = row
    program = compile_row(folder, source, flags)
    one, cpu = explore(program, algorithm, "0", folder / "one.json")
    two, _ = explore(program, algorithm, "0,1" if (os.cpu_count() or 1) > 1 else "0", folder / "two.json")
    runs = one["executions"] + one["redundant_executions"]
    ok = one["verdict"] == "verified" and (one["executions"] == expected)
    return {
        "program": name, "algorithm": one["algorithm"], "verdict": one["verdict"], "executions": one["executions"],
        "redundant": one["redundant_executions"], "expected": expected, "exact": ok, "cpu_seconds": round(cpu, 4),
        "one_core_per_second": round(runs / max(cpu, 1e-4)), "two_cores_per_second": round(two["executions_per_second"]),
        "memory_bytes": one["peak_memory_bytes"], "target_per_second": target, "nidhugg_per_second": nidhugg,
        "genmc_per_second": genmc,
    }


def compare(folder, row, algorithm, other, rounds):
    """The row by this build and by the other one: counts, and the least CPU seconds of each."""
    name, source, flags, *_ = row
    builds = [TOOLS, other / "bin"]
    programs = [compile_row(folder / str(i), source, flags, tools) for i, tools in enumerate(builds)]
    reports, least = [None, None], [float("inf")] * 2
    for round_ in range(rounds):
        for i in (0, 1) if round_ % 2 else (1, 0):
            reports[i], cpu = explore(programs[i], algorithm, "0", folder / "one.json", builds[i])
            least[i] = min(least[i], cpu)
    counts = [(r["verdict"], r["executions"], r["redundant_executions"]) for r in reports]
    return {"program": name, "algorithm": reports[0]["algorithm"], "counts": counts, "same": counts[0] == counts[1],
            "cpu_seconds": [round(s, 4) for s in least], "ratio": round(least[0] / least[1], 3)}


def print_comparison(r):
    now, then = r["cpu_seconds"]
    print(f"{r['program']:18} {r['counts'][0][1]:>9} {r['counts'][0][2]:>9} {now:>9.3f} {then:>9.3f} {r['ratio']:>7.3f}"
          f"{'' if r['same'] else '  DIFFER: ' + str(r['counts'])}", flush=True)


def text(value):
    return "-" if value is None else f"{value / 1e3:.1f} k"


def print_row(r):
    mark = "" if r["exact"] else f"  NOT {r['expected']}"
    slow = "  below target" if r["target_per_second"] and r["one_core_per_second"] < r["target_per_second"] else ""
    print(f"{r['program']:18} {r['executions']:>9} {r['redundant']:>9} {r['cpu_seconds']:>8.2f} {text(r['one_core_per_second']):>10} "
          f"{text(r['two_cores_per_second']):>10} {text(r['target_per_second']):>9} {text(r['nidhugg_per_second']):>8} "
          f"{text(r['genmc_per_second']):>8} {r['memory_bytes'] / 2**20:>6.0f} MB{slow}{mark}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--algorithm", default="auto")
    parser.add_argument("--json", default=str(ROOT / "build" / "bench.json"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--against", type=pathlib.Path, metavar="BUILD")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.against:
        print(f"{'program':18} {'executed':>9} {'redundant':>9} {'CPU s now':>9} {'then':>9} {'ratio':>7}")
    else:
        print(f"{'program':18} {'executed':>9} {'redundant':>9} {'CPU s':>8} {'1 core /s':>10} {'2 cores /s':>10} {'target':>9} "
              f"{'Nidhugg':>8} {'GenMC':>8} {'memory':>9}")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for row in ROWS:
            if (options.names and not any(n in row[0] for n in options.names)) or (options.quick and not row[-1]):
                continue
            if options.against:
                results.append(compare(pathlib.Path(folder), row, options.algorithm, options.against.resolve(), options.rounds))
                print_comparison(results[-1])
            else:
                results.append(measure(pathlib.Path(folder), row, options.algorithm))
                print_row(results[-1])
    pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n")
    return 0 if all(r.get("exact", r.get("same")) for r in results) else 1


if __name__ == "__main__":
    sys.exit(main())
