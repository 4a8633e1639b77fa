#!/usr/bin/env python3
"""Runs one test program through the real tool and compares the verdict with the expectation in its first lines.

    run.py --list FOLDER...    one line a test: name;file;case;algorithms;tier
    run.py --bin BIN --work DIRECTORY FILE CASE ALGORITHM,…

Header grammar (README.md beside this file):  // expect: key=value key=value ...   one line is one case of the program.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "support"))
import bug_kinds  # noqa: E402
from algorithms import ALGORITHMS, AUTOMATIC, ENUMERATING, OPTIMAL, SAMPLERS  # noqa: E402

EXIT_OF = {"verified": 0, "bug": 1, "usage": 2, "inconclusive": 3, "unsupported": 4}
KEYS = {"verdict", "kind", "kinds", "args", "options", "cflags", "stdin", "algorithms", "case", "tier", "assumption", "reason", "sources",
        "property", "message", "naive"}
TOLD_BY = {"nothing": [], "states": ["--inspect-states"], "code": ["--inspect-code"]}
RECORDS = {a.name: TOLD_BY[a.needs] for a in ALGORITHMS if a.needs != "nothing"}  # what an executable must tell of itself
ALWAYS = [a.name for a in ALGORITHMS if a.covers_all]
ON_REQUEST = [a.name for a in ALGORITHMS if not a.covers_all] + SAMPLERS  # run only where a case names them
COUNT = re.compile(r"(executions|redundant)\((\w+)\)$")
MARK = re.compile(r"/\* ERROR \*/")
TIME_LIMIT = int(os.environ.get("INSPECT_TEST_SECONDS", "240"))  # seconds for one command; a time-out is a failure, never a pass


class BadHeader(Exception):
    """The header of a test program is not understood."""


def parse_case(path, text):
    """Returns one `expect:` line as a dictionary; `executions` and `redundant` map algorithms to exact numbers."""
    case = {"executions": {}, "redundant": {}, "case": "", "tier": "fast"}
    for token in shlex.split(text):
        key, _, value = token.partition("=")
        match = COUNT.match(key)
        if match:
            case[match.group(1)][match.group(2)] = int(value)
        elif key in KEYS:
            case[key] = value
        else:
            raise BadHeader(f"{path}: unknown key {key!r} in its expect line")
    if not set(case.get("verdict", "none").split("|")) <= set(EXIT_OF):
        raise BadHeader(f"{path}: verdict={case.get('verdict')!r}")
    if ("bug" in case["verdict"].split("|")) != ("kind" in case) or not set(case.get("kind", "deadlock").split("|")) <= set(bug_kinds.NAMES):
        raise BadHeader(f"{path}: a bug needs a known kind=, anything else none")
    return case


def read_cases(path):
    """Returns the cases of a program, in order; each needs a name of its own."""
    lines = path.read_text().splitlines()
    cases = [parse_case(path, line.split("expect:", 1)[1]) for line in lines if re.match(r"\s*(//|\*|/\*)\s*expect:", line)]
    if not cases:
        raise BadHeader(f"{path}: no expect line")
    if len({c["case"] for c in cases}) != len(cases):
        raise BadHeader(f"{path}: two expect lines of one name; add case=")
    if path.parent.name in ("pass", "fail") and (path.parent.name == "pass") != all(c["verdict"] == "verified" for c in cases):
        raise BadHeader(f"{path}: pass/ holds the programs that are verified in every case, fail/ the others")
    return cases


def list_tests(folders):
    """Prints one line per test for CMake: every case with its algorithms; those that run all schedules only where its header says `naive`."""
    for path in sorted(p.resolve() for f in folders for p in pathlib.Path(f).iterdir() if p.suffix in (".c", ".cpp")):
        for case in read_cases(path):
            wanted = case["algorithms"].split(",") if "algorithms" in case else [a for a in ALWAYS if a not in ENUMERATING or "naive" in case]
            name = ".".join(x for x in (path.parent.name, path.stem, case["case"]) if x)
            chosen = [a for a in ALWAYS + ON_REQUEST if a in wanted]
            if chosen:
                print(";".join((name, str(path), case["case"], ",".join(chosen), case["tier"])))


class Failure(Exception):
    """The tool did not do what the program expects; the text says what, for a person."""


class Run:
    """One case of one program, in a work folder of its own that stays for whoever looks into a failure."""

    def __init__(self, tools, work, path, case, gdb):
        self.tools, self.work, self.path, self.case, self.algorithm = tools, work, path, case, None
        self.executable = work / path.stem
        self.schedule = work / "bug.schedule"
        self.commands = []
        self.replayed = set()
        self.gdb = gdb

    def command(self, words, **options):
        self.commands.append(shlex.join(map(str, words)))
        if "stdin" in self.case:
            options["input"] = self.case["stdin"]
        else:
            options["stdin"] = subprocess.DEVNULL
        try:
            return subprocess.run([str(w) for w in words], cwd=self.work, capture_output=True, text=True, errors="replace",
                                  timeout=TIME_LIMIT, check=False, **options)
        except subprocess.TimeoutExpired:
            raise Failure(f"no end after {TIME_LIMIT} s") from None

    def compile(self):
        cplusplus = self.path.suffix == ".cpp"
        compiler = self.tools / ("inspect-c++" if cplusplus else "inspect-cc")
        sources = [self.path] + [self.path.parent / s for s in self.case.get("sources", "").split(",") if s]
        self.executable.unlink(missing_ok=True)
        symmetric = "--symmetry" in self.case.get("options", "")
        records = ["--inspect-states"] if symmetric else RECORDS.get(self.algorithm, [])
        result = self.command([compiler, *records, "-std=gnu++20" if cplusplus else "-std=gnu17", "-O1", "-g", "-pthread",
                               *shlex.split(self.case.get("cflags", "")), *sources, "-o", self.executable])
        if result.returncode:
            raise Failure("does not compile:\n" + result.stderr)

    def options(self):
        return shlex.split(self.case.get("options", "").replace("{here}", str(self.path.parent)))

    def check(self):
        """Runs the check and returns (exit status, report)."""
        report = self.work / "report.json"
        for stale in (report, self.schedule):
            stale.unlink(missing_ok=True)
        words = [self.tools / "inspect", "check", f"--algorithm={self.algorithm}", f"--json={report}",
                 f"--schedule={self.schedule}", "--progress=off", *self.options(), self.executable]
        if "args" in self.case:
            words += ["--", *shlex.split(self.case["args"])]
        result = self.command(words)
        self.output = result.stdout + result.stderr
        if not report.exists():
            raise Failure(f"exit status {result.returncode} and no report:\n{self.output}")
        return result.returncode, json.loads(report.read_text())

    def judge(self, status, report):
        """Compares exit status, verdict, counts and texts of the report with the expectation."""
        verdict = report["verdict"]
        if verdict not in self.case["verdict"].split("|"):
            raise Failure(f"verdict {verdict}, expected {self.case['verdict']} ({report.get('reason')})\n{self.output}")
        if status != EXIT_OF[verdict]:
            raise Failure(f"exit status {status} with verdict {verdict}")
        for key, field in (("reason", "reason"), ("assumption", "assumptions"), ("property", "property")):
            if key in self.case and self.case[key].lower() not in json.dumps(report.get(field)).lower():
                raise Failure(f"{field} is {report.get(field)!r}, expected it to say {self.case[key]!r}")
        if verdict == "verified":
            self.judge_counts(report["executions"], report["redundant_executions"])
        if verdict == "bug":
            self.judge_bug(report)
        elif report["bugs"]:
            raise Failure(f"verdict {verdict} with bugs: {report['bugs']}")

    def judge_counts(self, executions, redundant):
        counts, needless = self.case["executions"], self.case["redundant"]
        if executions != counts.get(self.algorithm, executions):
            raise Failure(f"{executions} executions, expected {counts[self.algorithm]}")
        if self.algorithm not in RECORDS and executions < max((counts.get(a, 0) for a in OPTIMAL), default=0):
            raise Failure(f"only {executions} executions cover more classes than that")
        if redundant != needless.get(self.algorithm, redundant):
            raise Failure(f"{redundant} redundant executions, expected {needless[self.algorithm]}")

    def judge_bug(self, report):
        bug = report["bugs"][0]
        if bug["kind"] not in self.case["kind"].split("|"):
            raise Failure(f"bug kind {bug['kind']}, expected {self.case['kind']}: {bug['message']}\n{self.output}")
        if self.case.get("message", "") not in bug["message"]:
            raise Failure(f"the bug is {bug['message']!r}, expected it to say {self.case['message']!r}")
        if "kinds" in self.case and sorted({b["kind"] for b in report["bugs"]}) != self.case["kinds"].split(","):
            raise Failure(f"the bugs are {[b['kind'] for b in report['bugs']]}, expected {self.case['kinds']}\n{self.output}")
        marked = {number for number, line in enumerate(self.path.read_text().splitlines(), 1) if MARK.search(line)}
        keys = ("location", "other_location") if bug["kind"] == "data-race" else ("location",)
        places = [bug[k] for k in keys if bug.get(k)]
        if marked and not places:
            raise Failure("the bug has no location")
        for place in places if marked else []:
            file, line, _ = place.rsplit(":", 2)
            if pathlib.Path(file).name != self.path.name or int(line) not in marked:
                raise Failure(f"the bug is reported at {place}, the lines marked ERROR are {sorted(marked)}")
        for each in report["bugs"] if "kinds" in self.case else [bug]:
            self.replay(each["kind"], each["schedule"])

    def replay(self, kind, schedule):
        """The schedule must lead to the same bug again, and show the same trace each time; one that an earlier algorithm wrote did."""
        if (written := (self.work / schedule).read_bytes()) in self.replayed:
            return
        self.replayed.add(written)
        traces = []
        for _ in range(1 if len(self.replayed) > 1 else 2):
            result = self.command([self.tools / "inspect", "replay", schedule])
            if result.returncode != 1:
                raise Failure(f"replay of the {kind} ends with {result.returncode}:\n{result.stdout}{result.stderr}")
            traces.append(result.stdout)
        if traces[0] != traces[-1]:
            raise Failure("two replays of one schedule show different traces")
        if self.gdb:
            result = self.command([self.tools / "inspect", "replay", "--quiet", "--gdb", schedule])
            if result.returncode != 1 or not re.search(r"^Thread \d+ ", result.stdout, re.MULTILINE):
                raise Failure(f"under gdb the {kind} ends with {result.returncode}:\n{result.stdout}{result.stderr}")

    def __call__(self, algorithms):
        built = None
        for self.algorithm in sorted(algorithms, key=lambda a: RECORDS.get(a, [])):  # each executable is made once
            try:
                if built != (built := RECORDS.get(self.algorithm, [])):
                    self.compile()
                self.judge(*self.check())
            except Failure as failure:
                raise Failure(f"{self.algorithm}: {failure}") from failure


def run_one(options):
    path = pathlib.Path(options.file).resolve()
    case = next(c for c in read_cases(path) if c["case"] == options.case)
    work = pathlib.Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    run = Run(pathlib.Path(options.bin).resolve(), work, path, case, options.gdb)
    try:
        run(options.algorithm.split(","))
    except Failure as failure:
        print(f"{path.name}: {failure}\nto see it again, in {work}:", file=sys.stderr)
        print("\n".join("  " + c for c in run.commands), file=sys.stderr)
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", metavar="FOLDER", nargs="+")
    parser.add_argument("--bin")
    parser.add_argument("--gdb", action="store_true", help="replay under gdb too, with OS threads in place of fibers")
    parser.add_argument("--work", default="work")
    parser.add_argument("file", nargs="?")
    parser.add_argument("case", nargs="?", default="")
    parser.add_argument("algorithm", nargs="?", default=AUTOMATIC)
    options = parser.parse_args()
    try:
        if options.list:
            list_tests(options.list)
            return 0
        return run_one(options)
    except BadHeader as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
