"""Compares library.def with the functions that the runtime defines: `check_library.py library.def libinspect-runtime.a nm`.

A row that says "runtime" must be true, or a call would pass unseen; a function that the runtime defines must have such a row, or its
callers would be reported as calling unknown code.
"""
import re
import subprocess
import sys

BY_RULE = ("inspect_", "_ZN7inspect", "_ZNK7inspect", "_ZZN7inspect", "_ZTVN7inspect", "_ZS", "_ZNS", "_ZNKS", "_ZN9__gnu_cxx", "__cxa_", "__VERIFIER_", "DW.")
# The library's own does all that their rows say; the runtime stands between for what it hands to the program.
PASSED_ON = ("qsort", "qsort_r")
# Names that a program has no call of: what its start files call, its own, and what the undefined behaviour sanitizer asks for.
NOT_CALLED = ("__libc_start_main", "reach_error", "__ubsan_default_options")


def rows(path):
    """Returns {function: its effects}."""
    text = open(path).read().split("#endif", 1)[1]
    found = {}
    for names, effects in re.findall(r'LIBRARY\(((?:\s*"[^"]*")+),\s*"([^"]*)"\)', text):
        for name in " ".join(re.findall(r'"([^"]*)"', names)).split():
            found[name] = effects.split()
    return found


def defined(archive, nm):
    """Returns the names of the global symbols that the archive defines."""
    text = subprocess.run([nm, "-g", "--defined-only", archive], capture_output=True, text=True, check=True).stdout
    lines = [line.split() for line in text.splitlines()]
    return {line[2] for line in lines if len(line) == 3 and line[1] in "TWVDBi"}


def main():
    table, symbols = rows(sys.argv[1]), defined(sys.argv[2], sys.argv[3])
    false_rows = sorted(n for n, effects in table.items() if "runtime" in effects and n not in symbols)
    missing = sorted(n for n in symbols if "runtime" not in table.get(n, []) and not n.startswith(BY_RULE))
    missing = [n for n in missing if n not in NOT_CALLED + PASSED_ON]
    for name in false_rows:
        print(f'{name}: library.def says "runtime", but the runtime does not define it')
    for name in missing:
        print(f'{name}: the runtime defines it: it needs a row with "runtime" in src/hooks/library.def')
    return 1 if false_rows or missing else 0


if __name__ == "__main__":
    sys.exit(main())
