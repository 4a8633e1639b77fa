"""Table 1 (i) of R. Iosif's paper on symmetries of heaps (2004): the ordered list, with our figures beside the paper's.

"raw": --heap=next-free, states told apart by the addresses of their objects; "heap": --heap=canonical, the paper's SR. Each
thread allocates from a part of the heap of its own here, so allocations of different threads commute by themselves, which is what the paper's
symmetric independence (SI) is for; there is no partial order reduction in these figures, the paper's all have one. The program's states are those at
operations on locks and at accesses to memory that both threads share; the paper's model is not in the paper, so the numbers can only be
compared by their growth. The last column is a twin of the program in Promela under spin (bench/papers/ordered_list.pml), with
and without its own partial order reduction.
"""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INSPECT = HERE.parent.parent / "build" / "bin" / "inspect"
PAPER = {8: ("296", "766"), 9: ("727", "2290"), 10: ("1750", "4620")}  # thousands of states: SR, none


def measure(length, heap, seconds):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([INSPECT, "check", "--engine=explicit", f"--heap={heap}", f"--time-limit={seconds}", "--quiet", "--progress=off",
                        f"--json={report}", f"--schedule={folder}/s", f"--cflags=-DL={length} -DGLOBAL", HERE / "ordered_list.c"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds + 120, check=False)
        r = json.loads(report.read_text())
    rate = r["states"] / r["seconds"] if r["seconds"] else 0
    return (">" if r["verdict"] == "inconclusive" else "") + str(r["states"]), rate, r["visited_bytes"] / max(1, r["states"]), r["verdict"]


def spin(length, flags):
    """States that spin stores; - where it is not installed."""
    if not shutil.which("spin"):
        return "-"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["spin", "-a", f"-DL={length}", HERE / "ordered_list.pml"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cc", "-O2", "-w", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True)
        out = subprocess.run(["./pan", "-m1000000"], cwd=folder, capture_output=True, text=True, check=False).stdout
    stored = re.search(r"(\d+) states, stored", out)
    return stored.group(1) if stored else "-"


def show(seconds):
    print(f"\n{'list':6} {'raw':>10} {'heap':>10} {'raw/heap':>9} {'states/s':>9} {'bytes':>6} {'verdict':>12} | "
          f"{'paper -':>8} {'SR':>6} {'ratio':>6} | spin {'full':>8} {'reduced':>8}")
    for length in range(1, 11):
        raw, _, _, _ = measure(length, "next-free", seconds)
        heap, rate, size, verdict = measure(length, "canonical", seconds)
        full = [float(x.lstrip(">")) for x in (raw, heap)]
        sr, none = PAPER.get(length, ("", ""))
        ratio = f"{float(none) / float(sr):.2f}" if sr else ""
        print(f"L={length:<4} {raw:>10} {heap:>10} {full[0] / max(1, full[1]):>9.2f} {rate:>9.0f} {size:>6.0f} {verdict:>12} | "
              f"{none:>7}{'k' if none else ' '} {sr:>5}{'k' if sr else ' '} {ratio:>6} |      {spin(length, ['-DNOREDUCE']):>8} {spin(length, []):>8}", flush=True)
        if raw.startswith(">") and heap.startswith(">"):
            break
