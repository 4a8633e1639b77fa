#!/usr/bin/env python3
"""Questions to the SAT solver, written down by --dump-cnf and asked of another one (Z3): the same answers.

    z3_test.py CLANG INSPECT_SYMBOLIC INCLUDE

Tasks of test/programs/symbolic and test/symbolic/programs, by steps and by events. Of each dump some questions are asked again, as they were:
the clauses that were there, and what was assumed. What is written are the clauses as the encoding made them, not what the solver made of them.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TASKS = {HERE.parent / "programs" / "symbolic": ["counter_atomic", "dekker", "flag", "handover", "maximum", "once", "publish", "trylock"],
         HERE / "programs": ["counter_locked", "counter_racy", "handshake", "philosophers", "two_locks"]}
FLAGS = ["-std=gnu17", "-D__INSPECT__", "-O1", "-Xclang", "-disable-llvm-passes", "-ftrivial-auto-var-init=zero", "-g", "-w", "-emit-llvm", "-c"]
MOST = 3  # questions of a dump beside the last one
QUESTION = re.compile(r"^c question, assuming((?: -?\d+)*): (\w+)\n", re.MULTILINE)
EXPECTED = {"satisfiable": "s SATISFIABLE", "unsatisfiable": "s UNSATISFIABLE"}


def ask_z3(text, folder):
    path = pathlib.Path(folder) / "question.cnf"
    path.write_text(text)
    done = subprocess.run(["z3", "-dimacs", "-T:60", path], capture_output=True, text=True)
    return next((line for line in done.stdout.splitlines() if line.startswith("s ")), done.stdout + done.stderr)


def questions(dump):
    """The clauses as text, the assumed literals, the answer."""
    found, text = list(QUESTION.finditer(dump)), dump[dump.index("\n") + 1:]
    shift = dump.index("\n") + 1
    variables = dump.split()[2]
    chosen = found[::-(-len(found) // MOST)] + found[-1:]
    for question in chosen:
        lines = [line for line in text[:question.start() - shift].splitlines() if not line.startswith("c")]
        assumed = [f"{literal} 0" for literal in question[1].split()]
        clauses = lines + assumed
        yield f"p cnf {variables} {len(clauses)}\n" + "\n".join(clauses) + "\n", question[2]
    yield dump, found[-1][2]  # as it is: its assumptions stand at its end


def judge(path, encoding, tools):
    """What is wrong, and the answers on which both agree."""
    clang, symbolic, include = tools
    wrong, agreed = [], []
    with tempfile.TemporaryDirectory() as folder:
        code, dump = pathlib.Path(folder) / "program.bc", pathlib.Path(folder) / "dump.cnf"
        subprocess.run([clang, *FLAGS, f"-I{include}", path, "-o", code], check=True)
        subprocess.run([symbolic, f"--encoding={encoding}", "--unwind=2", "--bound=24", f"--dump-cnf={dump}", code], stdout=subprocess.DEVNULL)
        for number, (text, answer) in enumerate(questions(dump.read_text())):
            said = ask_z3(text, folder)
            if said == EXPECTED[answer]:
                agreed.append(answer)
            else:
                wrong.append(f"{path.name}, {encoding}, question {number}: {answer}, but Z3: {said}")
    return wrong, agreed


def main():
    if not shutil.which("z3"):
        print("z3 is not installed")
        return 77
    tools = [sys.argv[1], *(pathlib.Path(p).resolve() for p in sys.argv[2:4])]
    jobs = [(folder / f"{name}.c", encoding) for folder, names in TASKS.items() for name in names for encoding in ("step", "event")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        judged = list(pool.map(lambda job: judge(*job, tools), jobs))
    wrong = [text for texts, _ in judged for text in texts]
    agreed = [answer for _, answers in judged for answer in answers]
    counts = {answer: agreed.count(answer) for answer in EXPECTED}
    print(*wrong, f"{len(jobs)} dumps, agreed: {counts}, {len(wrong)} wrong", sep="\n")
    return 1 if wrong or min(counts.values()) < len(jobs) // 2 else 0


if __name__ == "__main__":
    sys.exit(main())
