#!/usr/bin/env python3
"""A project with GoogleTest and Catch2 finds the installed package: each case is a check, with the verdict that it must have.

    package_test.py BUILD WORK
"""

import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = {
    "check.Account.BothAmountsArrive": "Passed",
    "check.Account.IsLockedByNobody": "Failed",
    "check.Account.TheOtherIsAlwaysFirst": "Failed",
    "check.Account.DISABLED_Overdrawn": "Disabled",
    "check.Small/Amounts.Add/0": "Passed",
    "check.Small/Amounts.Add/1": "Passed",
    "both amounts, [all] of them, arrive": "Passed",
    "nobody locks": "Failed",
    "the other is always first": "Failed",
    "transfer.locked": "Passed",
    "transfer.unlocked": "Failed",
    "transfer.sources": "Passed",
    "parts.locked": "Passed",
    "parts.unlocked": "Failed",
    "check.Plain.NoThreads": "Passed",
    "check.Plain.Threads": "Skipped",
}
# What the output of a check must say.
SAID = {
    "check.Account.BothAmountsArrive": "VERIFIED",
    "check.Account.IsLockedByNobody": r"data-race.*account\.cpp:11",
    "check.Account.TheOtherIsAlwaysFirst": r"google_test\.cpp:\d+: Failure",
    "parts.unlocked": r"data-race.*counter\.c:4",
    "nobody locks": r"data-race.*account\.cpp:11",
    "the other is always first": r"catch_test\.cpp:\d+: FAILED",
    "check.Plain.Threads": r"assumption: uninstrumented function called: .*\n(.*\n)*INCONCLUSIVE",
}


def run(*words, status=0):
    done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False)
    if done.returncode != status:
        sys.exit(f"{words} ends with {done.returncode}:\n{done.stdout}")
    return done.stdout


def results_of(text):
    """Maps test to (result, output) from what `ctest -V` prints."""
    numbers = {m[1]: m[2] for m in re.finditer(r"^ +Start +(\d+): (.*)$", text, re.MULTILINE)}
    output = {n: "\n".join(re.findall(rf"^{n}: (.*)$", text, re.MULTILINE)) for n in numbers}
    ends = re.finditer(r"^ *\d+/\d+ Test +#(\d+): .*?\.\.+[ *]*(Passed|Failed|Skipped|Not Run \(Disabled\)|Timeout|Not Run)", text,
                       re.MULTILINE)
    return {numbers[m[1]]: ("Disabled" if "Disabled" in m[2] else m[2], output[m[1]]) for m in ends}


def main():
    build, work = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    run("cmake", "--install", build, "--prefix", work / "prefix")
    run("cmake", "-S", HERE / "project", "-B", work / "out", f"-DCMAKE_PREFIX_PATH={work / 'prefix'}")
    run("cmake", "--build", work / "out", "-j2")
    text = run("ctest", "--test-dir", work / "out", "-V", status=8)
    results = results_of(text)
    wrong = [f"{name}: {results.get(name, ('missing',))[0]}, expected {result}" for name, result in EXPECTED.items()
             if results.get(name, ("missing",))[0] != result]
    wrong += [f"{name}: an unexpected test" for name in results if name not in EXPECTED]
    wrong += [f"{name}: its output does not say {what!r}" for name, what in SAID.items()
              if name in results and not re.search(what, results[name][1])]
    if wrong:
        sys.exit("\n".join(wrong + [text]))


if __name__ == "__main__":
    main()
