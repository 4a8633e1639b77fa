"""Table 1 and Figure 5 of the MPOR paper: dining philosophers (philosophers.c), with our figures beside the paper's.

The paper's numbers of steps, 7 N + 1, are the transitions of our program. One question for all depths where the answer is yes (pb), one after
the other where it is no (pa): each is the faster way there. Seconds are processor time of ours, translation included, wall time of the
paper's. "event" is the event encoding, which the paper has not; there are rows of up to 30 philosophers of it.
"""

import math
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build"
FIGURE = BUILD / "mpor-figure-5.svg"
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
METHODS = ["none", "mpor", "ppor", "lex"]
PROPOSITION = {"pa": "eats", "pb": "ate"}
BITCODE = ["-std=gnu17", "-D__INSPECT__", "-O1", "-Xclang", "-disable-llvm-passes", "-ftrivial-auto-var-init=zero", "-g", "-emit-llvm", "-c"]


def compiled(count, folder):
    code = pathlib.Path(folder) / f"philosophers{count}.bc"
    if not code.exists():
        subprocess.run(["clang-19", *BITCODE, f"-I{HERE.parent.parent / 'include'}", f"-DN={count}", HERE / "philosophers.c", "-o", code], check=True)
    return code


def ask(count, prop, method, steps, limit, folder):
    """Answer, seconds, conflicts, decisions, variables, clauses."""
    names = ",".join(f"{PROPOSITION[prop]}{i}" for i in range(count))
    how = ["--encoding=event"] if method == "event" else ["--encoding=step", f"--por={method}", f"--bound={steps}"]
    if prop == "pb" and method != "event":
        how.append("--at-once")
    command = [BUILD / "bin" / "inspect-symbolic", f"--reach={names}", *how, "--effort", "--threads=30", "--unwind=30", f"--time-limit={limit}",
               compiled(count, folder)]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    effort = re.search(r"^effort: (\d+) conflicts, (\d+) decisions, ([0-9.]+) s", text, re.MULTILINE)
    size = re.search(r"(\d+) variables, (\d+) clauses", text)
    if not effort or not size:
        raise SystemExit(f"{command}: {text}")
    answer = "sat" if "BUG: proposition" in text else "unknown" if "time limit" in text else "unsat"
    return answer, float(effort[3]), int(effort[1]), int(effort[2]), int(size[1]), int(size[2])


def row(count, prop, method, limit, folder):
    steps = 7 * count + 1
    answer, seconds, *figures = ask(count, prop, method, steps, limit, folder)
    paper = ("-", "-", "-")
    if method in METHODS[:3] and (count, prop) in PAPER:
        seconds_then, *more = PAPER[count, prop][METHODS.index(method)]
        paper = (seconds_then, *(x if x == "-" else f"{x}k" for x in more))
    print(f"phil{count}-{prop:3} {steps:>5} {method:7} {answer:>7} {seconds:>8.2f} {figures[0]:>10} {figures[1]:>10} {figures[2]:>10} {figures[3]:>8} |"
          f"        {paper[0]:>8} {paper[1]:>10} {paper[2]:>10}", flush=True)


def panel(count, curves, at):
    """One program: seconds, on a logarithmic scale, over the depth."""
    width, height, left, top = 300, 190, at % 3 * 360 + 50, at // 3 * 260 + 40
    deepest = 7 * count + 1

    def place(depth, seconds):
        return f"{left + width * depth / deepest:.1f},{top + height * (1 - (math.log10(max(seconds, 0.03)) + 1.6) / 3.4):.1f}"

    text = [f'<text x="{left}" y="{top - 10}">{count} philosophers</text>',
            f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>']
    for seconds in (0.1, 1, 10):
        x, y = place(0, seconds).split(",")
        text.append(f'<text x="{float(x) - 6}" y="{float(y) + 4}" text-anchor="end">{seconds} s</text>'
                    f'<line x1="{x}" y1="{y}" x2="{left + width}" y2="{y}" stroke="#ddd"/>')
    for depth in range(8, deepest + 1, 7):
        text.append(f'<text x="{place(depth, 1).split(",")[0]}" y="{top + height + 16}" text-anchor="middle">{depth}</text>')
    for method, colour in zip(METHODS, ("#888888", "#0060c0", "#c05000", "#009060")):
        text.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{" ".join(place(*point) for point in curves[method])}"/>')
        text.append(f'<text x="{left + 8}" y="{top + 18 + 16 * METHODS.index(method)}" fill="{colour}">{method}</text>')
    return text


def draw(counts, limit, folder):
    """Figure 5: property pa, by the depth up to which it is asked."""
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" width="1090" height="540" font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>']
    for at, count in enumerate(counts):
        depths = range(8, 7 * count + 2, 7)
        curves = {method: [(depth, ask(count, "pa", method, depth, limit, folder)[1]) for depth in depths] for method in METHODS}
        lines += panel(count, curves, at)
    FIGURE.write_text("\n".join([*lines, "</svg>"]) + "\n")
    print(f"Figure 5, seconds of processor time over the depth: {FIGURE}", flush=True)


def show(seconds, most=7):
    print(f"\n{'program':9} {'steps':>5} {'method':7} {'answer':>7} {'seconds':>8} {'conflicts':>10} {'decisions':>10} "
          f"{'variables':>10} {'clauses':>8} | paper: {'seconds':>8} {'conflicts':>10} {'decisions':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for prop in ("pa", "pb"):
            for count in range(2, most + 1):
                for method in (*METHODS, "event"):
                    row(count, prop, method, seconds, folder)
        for prop in ("pa", "pb"):
            for count in (10, 20, 30):
                row(count, prop, "event", seconds, folder)
        draw(range(2, most + 1), seconds, folder)
