"""Table 1 of R. Iosif's paper on symmetries of heaps (2004): the ordered list and the concurrent B-tree*, with our figures beside the
paper's.

Columns as in the paper: "-" states told apart by addresses (--heap=next-free --independence=ordinary), "SI" the same with
--independence=symmetric, "SR" --heap=canonical --independence=ordinary, "SI+SR" both; besides "none" (--heap=next-free, no reduction) and
"+TS" (SI+SR with --thread-symmetry=exact). The paper's models are not in the paper, so the numbers can only be compared by
their growth. The list's nodes are allocated into a global variable, and its keys inserted in any order: what lies where is a matter of the
run, which SR leaves out, and no node is private before it is linked, so SI leaves out nothing that "-" does not. Each thread
allocates from a part of the heap of its own here, so that allocations of different threads commute in any case: in the tree SI helps by
private nodes. States are those at operations on locks, choices, and accesses to memory that threads share. "spin": a copy of
the list, with ascending keys, in Promela (ordered_list.pml), without and with spin's own partial order reduction.
"""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INSPECT = HERE.parent.parent / "build" / "bin" / "inspect"
COLUMNS = {
    "none": ["--heap=next-free"],
    "-": ["--heap=next-free", "--independence=ordinary"],
    "SI": ["--heap=next-free", "--independence=symmetric"],
    "SR": ["--heap=canonical", "--independence=ordinary"],
    "SI+SR": ["--heap=canonical", "--independence=symmetric"],
    "+TS": ["--heap=canonical", "--independence=symmetric", "--thread-symmetry=exact"],
}
# name, file, flags, states of the paper in thousands: SI+SR, SR, SI, -
ROWS = ([(f"list {n}", "ordered_list.c", f"-DL={n} -DGLOBAL -DANY", paper)
         for n, paper in [*((n, None) for n in range(1, 8)), (8, ("296", "296", "766", "766")), (9, ("727", "727", "2290", "2290")),
                          (10, ("1750", "1750", "4620", "4620"))]] +
        [(f"tree {n},{k},{d}", "btree.c", f"-DN={n} -DK={k} -DD={d}", paper)
         for n, k, d, paper in ((2, 2, 2, None), (2, 2, 3, ("1.2", "6.8", "1.2", "94")), (2, 4, 3, ("3", "18", "3", "766")),
                                (2, 4, 4, ("32", "142", "-", "-")), (3, 2, 2, None), (3, 2, 3, None))])


def measure(file, flags, options, seconds):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([INSPECT, "check", "--engine=explicit", *options, f"--time-limit={seconds}", "--quiet", "--progress=off",
                        f"--json={report}", f"--schedule={folder}/s", f"--cflags={flags}", HERE / file],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=seconds + 120, check=False)
        return json.loads(report.read_text())


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


def show(seconds, only=""):
    print(f"\n{'':12}" + "".join(f"{c:>9}" for c in COLUMNS) + f"{'states/s':>9} {'bytes':>6} {'verdict':>9} | paper (thousands) SI+SR, SR, SI, - | spin")
    given_up = set()
    for name, file, flags, paper in ROWS:
        if only not in name or name.split()[0] in given_up:
            continue
        cells, last = "", None
        for options in COLUMNS.values():
            last = measure(file, flags, options, seconds)
            cells += f"{'>' * (last['verdict'] == 'inconclusive') + str(last['states']):>9}"
        rate = last["states"] / last["seconds"] if last["seconds"] else 0
        copy = f"{spin(name.split()[1], ['-DNOREDUCE'])}, {spin(name.split()[1], [])}" if file == "ordered_list.c" else ""
        print(f"{name:12}{cells}{rate:9.0f} {last['visited_bytes'] / max(1, last['states']):6.0f} {last['verdict']:>9} | "
              f"{', '.join(paper or []):32} | {copy}", flush=True)
        if last["verdict"] == "inconclusive":
            given_up.add(name.split()[0])
