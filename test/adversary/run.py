#!/usr/bin/env python3
"""The standing adversary: random programs at the boundary to the library, the operating system and stack frames.

    run.py --bin BUILD/bin --work FOLDER [--part environment,memory,frames] [--seed N] [--count N] [--seconds S] [--native]

Each program's truth is known without the checker (environment.py, memory.py, frames.py). It is a failure if a program that goes wrong is verified,
and if one is reported that does not go wrong. `--native` asks ThreadSanitizer and AddressSanitizer too, with delayed threads, and counts where
they contradict what is taken for the truth. What is inconclusive or unsupported is counted, and its reasons are listed: honest, not useful.
"""
import argparse
import collections
import functools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import frames
import memory
import environment

CHUNK = 20  # programs in one executable
GOOD, BAD = "verified", "bug"


# The C library frees its time zone's name under a lock of its own, which ThreadSanitizer does not see.
UNSEEN_LOCK = " tzset_internal "


class Adversary:
    def __init__(self, options):
        self.options = options
        self.bin = pathlib.Path(options.bin).resolve()
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.programs = self.checks = 0
        self.answers = collections.Counter()
        self.failures = []
        self.reasons = collections.Counter()
        self.native = collections.Counter()

    def compile(self, compiler, text, name, *flags):
        path = self.work / name
        path.write_text(text)
        executable = path.with_suffix(f".{compiler}")
        standard = "-std=gnu++20" if path.suffix == ".cpp" else "-std=gnu17"
        tool = self.bin / compiler if compiler.startswith("inspect") else compiler
        done = subprocess.run([tool, standard, "-g", "-w", "-pthread", *flags, path, "-o", executable, "-lm"], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{path} does not compile with {compiler}:\n{done.stderr}")
        return executable

    def check(self, executable, *arguments, options=()):
        """(verdict, kind of bug or reason, message)"""
        folder = self.work / "empty"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        command = [self.bin / "inspect", "check", "--json=-", "--time-limit=60", "--expect-exit=any", *options,
                   f"--schedule={self.work}/bug.schedule", executable, "--", *arguments]
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        self.checks += 1
        try:
            report = json.loads(done.stdout)
        except json.JSONDecodeError:
            return "error", str(done.returncode), done.stderr[-300:]
        if report["verdict"] == BAD:
            return BAD, report["bugs"][0]["kind"], report["bugs"][0]["message"]
        return report["verdict"], report["reason"] or "", ""

    def judge(self, name, answer, goes_wrong, kinds, detail):
        """Compares one answer: goes_wrong is the truth; kinds are the kinds of bugs that are right."""
        verdict, kind, message = answer
        self.answers[verdict if verdict != BAD else kind] += 1
        if verdict in ("inconclusive", "unsupported"):
            self.reasons[kind.split("\n")[0][:110]] += 1
            if self.options.verbose:
                print(f"{name}: {verdict}: {kind}", flush=True)
            return
        if verdict == GOOD and not goes_wrong or verdict == BAD and goes_wrong and kind in kinds:
            return
        what = "goes wrong, but is verified" if verdict == GOOD else f"{'goes wrong otherwise' if goes_wrong else 'is right'}, but: {kind} {message}"
        self.failures.append(name)
        print(f"{name}: {what}\n  {detail}", flush=True)

    # Parts: each takes the seeds of some programs.

    def environment(self, seeds):
        programs = [environment.generate(s) for s in seeds]
        plain = self.compile("clang-19", environment.source(programs, True), f"environment-{seeds[0]}-steps.c")
        ours = self.compile("inspect-cc", environment.source(programs, False), f"environment-{seeds[0]}.c", "-O1")
        folder = self.work / "orders"
        shutil.rmtree(folder, ignore_errors=True)
        for number, (seed, lists) in enumerate(zip(seeds, programs)):
            found = environment.outcomes(plain, number, lists, folder)
            if found is None:
                continue
            self.programs += 1
            detail = f"{' '.join(lists[0])} | {' '.join(lists[1])} | {' '.join(lists[2])}: {ours} -- {number}"
            check = functools.partial(self.check, ours, str(number))
            options = []
            if environment.is_misuse(lists) or environment.has_race(lists):
                kind = "api-misuse" if environment.is_misuse(lists) else "data-race"
                answer = check("among", *found)
                self.judge(f"environment {seed}", answer, True, {kind}, detail)
                if answer[1] == "data-race" and "hidden state of setlocale" not in answer[2]:
                    self.failures.append(seed)
                    print(f"environment {seed}: the locale is not named: {answer[2]}")
                if environment.is_misuse(lists):
                    continue
                options = ["--races=ignore"]  # what can be observed is as exact as without the race
            for outcome in found:
                self.judge(f"environment {seed}", check("not", outcome, options=options), True, {"assertion"}, f"{detail} not {outcome}")
            self.judge(f"environment {seed}", check("among", *found, options=options), False, set(), f"{detail} among {' '.join(found)}")

    def memory(self, seeds):
        for cpp in (False, True):
            programs = [memory.Program(s, cpp) for s in seeds]
            text, name = memory.source(programs, cpp), f"memory-{seeds[0]}.{'cpp' if cpp else 'c'}"
            ours = self.compile("inspect-c++" if cpp else "inspect-cc", text, name, "-O1")
            sanitized = self.compile("clang++-19" if cpp else "clang-19", text, name, "-O1", "-fsanitize=thread") if self.options.native else None
            for number, (seed, program) in enumerate(zip(seeds, programs)):
                self.programs += 1
                racy = program.has_race()
                if sanitized and self.races_natively(sanitized, number, len(program.threads)) and not racy:
                    self.native["ThreadSanitizer sees a race that the program should not have"] += 1
                    print(f"memory {seed} {name}: ThreadSanitizer sees a race\n  {program.text()}", flush=True)
                    racy = True
                self.judge(f"memory {seed} {'C++' if cpp else 'C'}", self.check(ours, str(number)), racy, {"data-race", "memory-error"},
                           f"{program.text()}: {ours} -- {number}")

    def races_natively(self, executable, number, threads):
        for delayed in range(1 << threads):
            done = subprocess.run([executable, str(number), str(delayed)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, cwd=self.work, timeout=60)
            reports = done.stderr.split("==================")
            if any("ThreadSanitizer: data race" in r and UNSEEN_LOCK not in r for r in reports):
                return True
        return False

    def frames(self, seeds):
        for seed in seeds:
            cpp, kind, use, level = frames.choose(seed)
            text, name = frames.source(cpp, kind, use), f"frames-{seed}.{'cpp' if cpp else 'c'}"
            self.programs += 1
            for right in (True, False):
                flags = [f"-O{level}"] + ["-DRIGHT"] * right
                ours = self.compile("inspect-c++" if cpp else "inspect-cc", text, name, *flags)
                detail = f"{kind} {use} -O{level} {'right' if right else 'wrong'}: {self.work / name}"
                if self.options.native:
                    self.ask_address_sanitizer(text, name, flags[1:], right, detail, cpp)
                answer = self.check(ours)
                self.judge(f"frames {seed}", answer, not right, {"memory-error", "data-race"}, detail)

    def ask_address_sanitizer(self, text, name, flags, right, detail, cpp):
        plain = self.compile("clang++-19" if cpp else "clang-19", text, name, "-O0", "-fsanitize=address",
                             "-fsanitize-address-use-after-return=always", *flags)
        done = subprocess.run([plain, "delayed"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
        found = "AddressSanitizer" in done.stderr
        self.native[f"AddressSanitizer {'finds' if found else 'does not find'} a {'right' if right else 'wrong'} program"] += 1
        if found and right:
            self.failures.append(name)
            print(f"AddressSanitizer contradicts: {detail}", flush=True)

    def run(self):
        begin = time.monotonic()
        seed, end = self.options.seed, self.options.seed + self.options.count
        while seed < end and not (self.options.seconds and time.monotonic() - begin > self.options.seconds):
            seeds = range(seed, min(seed + CHUNK, end))
            for part in self.options.part:
                getattr(self, part)(seeds)
            seed += CHUNK
        answers = ", ".join(f"{n} {k}" for k, n in self.answers.most_common())
        print(f"{self.programs} programs, {self.checks} checks: {answers}; {len(self.failures)} failures, {time.monotonic() - begin:.0f} s")
        for what, n in self.native.items():
            print(f"  {n} times {what}")
        for reason, n in self.reasons.most_common():
            print(f"  {n} undecided: {reason}")
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True, help="where inspect and the wrappers are")
    parser.add_argument("--work", required=True, help="for programs and executables")
    parser.add_argument("--part", type=lambda t: t.split(","), default=["environment", "memory", "frames"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1 << 60)
    parser.add_argument("--seconds", type=float, default=0, help="stop after that time")
    parser.add_argument("--native", action="store_true", help="ask the sanitizers too")
    parser.add_argument("--fresh", action="store_true", help="other programs each time (INSPECT_FUZZ_SEED, INSPECT_FUZZ_SECONDS)")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.fresh:
        options.seed = int(os.environ.get("INSPECT_FUZZ_SEED", int(time.time())))
        options.seconds = float(os.environ.get("INSPECT_FUZZ_SECONDS", 600))
        print(f"first seed: {options.seed}", flush=True)
    return Adversary(options).run()


if __name__ == "__main__":
    sys.exit(main())
