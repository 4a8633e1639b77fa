#!/usr/bin/env python3
"""The programs of the source paper's Table 6.1 and Figures 6.12 to 6.14, sequentially and with workers.

    table.py [--quick] [--workers N...]

Each row: workers (of `-j`, or ranks of mpirun), complete executions (which must be the same for every number of workers), redundant
ones, seconds. The efficiency is the rate of N workers, by elapsed time, against N times the rate of one worker alone on one core,
where its two processes share it. The paper explored redundantly without an aggressive update of backtrack sets (its Figure 6.9); redundancy.cpp shows how much. Here each
state has one owner, so what is redundant is the same for every number of workers.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test" / "support"))
from algorithms import SHARED  # noqa: E402

TOOLS, HERE, PASS = ROOT / "build" / "bin", ROOT / "bench" / "programs", ROOT / "test" / "programs" / "pass"

# name, source, flags, algorithm, runs and seconds of the paper, in --quick
ROWS = [
    ("fsbench, 26 threads", PASS / "count_file_system.c", "-DN=26", 8192, 291.32, True),
    ("indexer, 16 threads", PASS / "count_indexer.c", "-DN=16", 32768, 1188.73, True),
    ("aget, 6 threads", HERE / "aget.c", "-DTHREADS=5 -DPACKETS=2", 113400, 5662.96, True),
    ("bbuf, 8 threads", HERE / "bounded_buffer.c", "-DPAIRS=4 -DSIZE=4 -DITEMS=1", 1938816, 39710.43, False),
]


def check(program, folder, algorithm, workers, cores, mpi):
    report = folder / "report.json"
    command = ["taskset", "-c", cores]
    if mpi:
        command += ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(workers)]
    command += [str(TOOLS / "inspect"), "check", "--progress=off", f"--json={report}", "--mpi" if mpi else f"-j{workers}",
                f"--algorithm={algorithm}", f"--schedule={folder}/bug.schedule", str(program)]
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **as_root})
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(report.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 4])
    options = parser.parse_args()
    cores = "0,1"
    print(f"{'program':20} {'algorithm':9} {'workers':>7} {'executions':>10} {'redundant':>9} {'seconds':>8} {'per s':>8} "
          f"{'efficiency':>10} {'paper runs':>10} {'paper s':>9}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for title, source, flags, runs, seconds, quick in ROWS:
            if options.quick and not quick:
                continue
            program = folder / title.replace(" ", "_").replace(",", "")
            subprocess.run([TOOLS / "inspect-cc", "-std=gnu17", "-O1", "-g", "-pthread", *flags.split(), source, "-o", program], check=True)
            for algorithm in SHARED:
                expected = rate = None
                ways = [(n, False) for n in [1, *options.workers]]
                if shutil.which("mpirun"):
                    ways.append((2, True))
                for workers, mpi in ways:
                    r = check(program, folder, algorithm, workers, "0" if workers == 1 else cores, mpi)
                    all_runs = r["executions"] + r["redundant_executions"]
                    speed = all_runs / max(r["seconds"], 1e-9)
                    if expected is None:
                        expected, rate = r["executions"], speed
                    elif r["executions"] != expected:
                        raise SystemExit(f"{title}: {r['executions']} executions with {workers} workers, {expected} with one")
                    used = min(workers, len(cores.split(",")))
                    way = f"mpi {workers}" if mpi else str(workers)
                    print(f"{title:20} {r['algorithm']:9} {way:>7} {r['executions']:10} {r['redundant_executions']:9} {r['seconds']:8.2f} "
                          f"{speed:8.0f} {speed / rate / used:10.2f} {runs:10} {seconds:9.0f}", flush=True)


if __name__ == "__main__":
    main()
