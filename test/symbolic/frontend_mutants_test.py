#!/usr/bin/env python3
"""Deliberate errors of the front end (src/symbolic/frontend/mutations.def): each must give some program another verdict than it has.

    frontend_mutants_test.py CLANG INSPECT_SYMBOLIC_MUTANTS INCLUDE [--find]

The programs are those of test/symbolic/programs. --find looks for the first one for each error, and prints the table below.
"""

import concurrent.futures
import os
import pathlib
import re
import sys

import programs_test

HERE = pathlib.Path(__file__).resolve().parent
ERRORS = re.findall(r"^MUTATION\((\w+),", (HERE.parent.parent / "src/symbolic/frontend/mutations.def").read_text(), re.MULTILINE)
NOTICED_BY = {
    "overflow_unnoticed": "overflow",
    "comparisons_unsigned": "meanings",
    "extensions_unsigned": "meanings",
    "phi_from_another_edge": "meanings",
    "branches_swapped": "meanings",
    "shifts_unchecked": "meanings",
    "divisions_unchecked": "misuse",
    "bounds_unchecked": "array_index",
    "constants_written": "meanings",
    "handles_are_numbers": "handles",
    "locals_never_end": "local_ends",
    "frees_forgotten": "freed_by_others",
    "initialisers_dropped": "meanings",
    "stores_to_first": "meanings",
    "locks_do_not_hold": "counter_locked",
    "locks_do_not_wait": "counter_locked",
    "waits_keep_the_mutex": "handshake",
    "signals_wake_nobody": "handshake",
    "posts_do_not_count": "semaphores",
    "joins_do_not_wait": "counter_locked",
    "exchanges_always_store": "meanings",
    "accesses_not_noted": "counter_racy",
    "cuts_are_ends": "loop_bound",
    "uninitialised_is_zero": "uninitialised",
    "unknown_is_nothing": "meanings",
}


def cases_of(name):
    path = HERE / "programs" / f"{name}.c"
    return [(path, expected) for expected in programs_test.expectations(path)]


def notices(error, name, tools):
    """The first case of the program that comes out otherwise."""
    os.environ["INSPECT_MUTANT"] = error  # of this process alone: one error after the other
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(lambda case: programs_test.check(*case, tools), cases_of(name))
        return next((text for text in found if text), "")


def main():
    tools, more = [sys.argv[1], *(pathlib.Path(p).resolve() for p in sys.argv[2:4])], sys.argv[4:]
    if more == ["--find"]:
        names = sorted(p.stem for p in (HERE / "programs").glob("*.c"))
        for error in ERRORS:
            print(f'    "{error}": "{next((n for n in names if notices(error, n, tools)), "")}",', flush=True)
        return 0
    wrong = [f"{error} is not in the table" for error in ERRORS if not NOTICED_BY.get(error)]
    wrong += [f"{error}: {name} does not notice it" for error, name in NOTICED_BY.items() if not notices(error, name, tools)]
    print(*wrong, f"{len(ERRORS)} errors, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
