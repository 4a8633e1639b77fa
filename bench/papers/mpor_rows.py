"""Table 1 of the MPOR paper: dining philosophers, with our figures beside the paper's.

Its model is described in words only; ours has 7 transitions a philosopher, as its numbers of steps say, or 4 where local ones are
merged into the one before. One question for all depths up to the number of steps; seconds are processor time of ours, wall time
of the paper's. Method "event" is the event encoding, which the paper has not: its steps are those of one philosopher, and there are rows
of up to 30 philosophers.
"""

import pathlib
import subprocess

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent / "build" / "bin" / "mpor_bench"
# (philosophers, property): seconds, thousands of conflicts, thousands of decisions, each of none, mpor, ppor
PAPER = {
    (2, "pa"): (("0.2", 1, 1), ("0.2", 1, 1), ("0.1", 1, 0)),
    (3, "pa"): (("18.2", 17, 23), ("0.9", 1, 2), ("1.1", 1, 3)),
    (4, "pa"): (("49.6", 39, 53), ("5.3", 3, 8), ("44.9", 27, 41)),
    (5, "pa"): (("76.3", 48, 69), ("22.9", 6, 17), ("148.6", 53, 82)),
    (6, "pa"): (("98.4", 56, 84), ("52.3", 12, 30), ("504.4", 92, 147)),
    (7, "pa"): (("502.3", 161, 238), ("161.6", 16, 48), (">3600", "-", "-")),
    (2, "pb"): (("0.1", 1, 1), ("0.1", 1, 1), ("0.1", 1, 0)),
    (3, "pb"): (("1.5", 2, 4), ("1.3", 1, 4), ("0.3", 1, 1)),
    (4, "pb"): (("18.3", 12, 17), ("9.5", 3, 11), ("3.8", 3, 6)),
    (5, "pb"): (("195.5", 44, 61), ("94.7", 9, 26), ("61.7", 16, 31)),
    (6, "pb"): ((">3600", "-", "-"), ("315.4", 16, 52), ("2283", 122, 200)),
    (7, "pb"): ((">3600", "-", "-"), ("1218", 31, 85), (">3600", "-", "-")),
}
METHODS = ["none", "mpor", "ppor"]


def show(seconds):
    print(f"\n{'program':9} {'steps':>5} {'local':>7} {'method':7} {'answer':>7} {'seconds':>8} {'conflicts':>10} {'decisions':>10} "
          f"{'variables':>10} {'clauses':>8} | paper: {'seconds':>8} {'conflicts':>10} {'decisions':>10}")
    process = subprocess.Popen([BENCH, "--seconds", str(seconds)], stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        if not line.startswith("row\t"):
            continue
        count, prop, steps, local, method, answer, took, conflicts, decisions, variables, clauses = line.rstrip("\n").split("\t")[1:]
        figures = ("-", "-", "-")
        if method in METHODS and local == "apart":
            paper = PAPER[int(count), prop][METHODS.index(method)]
            figures = (paper[0], *(x if x == "-" else f"{x}k" for x in paper[1:]))
        print(f"phil{count}-{prop:3} {steps:>5} {local:>7} {method:7} {answer:>7} {took:>8} {conflicts:>10} {decisions:>10} "
              f"{variables:>10} {clauses:>8} |        {figures[0]:>8} {figures[1]:>10} {figures[2]:>10}", flush=True)
    if process.wait() != 0:
        raise SystemExit(f"{BENCH} failed")
