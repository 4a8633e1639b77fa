#!/usr/bin/env python3
"""Each message for which a verdict is inconclusive or unsupported has advice in src/report/advice.def that fits it, and docs/limits.md
explains it."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import messages  # noqa: E402

# Where a word of the message would also fit another row: what the advice has to say.
FITTING = {
    "a constructor blocks for ever": "in main",
    "a loop inside an atomic section waits": "inspect_atomic_begin",
    "a loop inside inline assembly, which may wait for another thread": "builtins",
    "more than 1024 exit handlers": "smaller input",
    "more than 64 locked streams": "smaller input",
    "more descriptors than are modelled": "smaller input",
    "a thread_local variable of a shared library that was loaded by dlopen": "link that library",
    "the system's limit of open files is too low (ulimit -n)": "ulimit -n",
    "a file is written while it is mapped into memory": "private anonymous mapping",
    "a signal to another process": "pthread_kill",
    "the private copy of a file cannot be opened": "plain files",
    "a thread computed too long without a visible operation": "number of turns",
    "an execution did not repeat": "random numbers",
    "groups of states are never left, of which not all were judged": "run for ever",
}
# As they end up in a verdict, with what is put in.
SAID = {
    "more than 100 states": "--max-states",
    "schedules with more than 2 preemptions were left out": "--preemptions",
    "the memory limit of 100 MB was reached (--memory-limit)": "--memory-limit",
    "more than 256 pairs of places have data races: others were not looked at": "--races=ignore",
    "files or signals are used: not every run without end was looked at for the temporal formula": "when a formula is checked",
    "what follows a known bug in its execution was not covered: deadlock: a loop waits": "suppression",
    "a thread-local variable: x (the symbolic engine does not know it: --engine=native does, for one input)": "--engine=native",
    "the loop at a.c:5 goes on after 8 turns: give --bound=16 or more": "raise --bound",
}


def main():
    known, faults = messages.messages(), []
    last = messages.rows()[-1]
    faults += [f"no advice: {m}" for m in known if messages.row_for(m) == last]
    faults += [f"not in the sources: {m}" for m in FITTING if m not in known]
    faults += [f"the advice for {m!r} is {messages.row_for(m)[2]!r}" for m, part in {**FITTING, **SAID}.items() if part not in messages.row_for(m)[2]]
    limits = (ROOT / "docs/limits.md").read_text()
    lines = [f"| {m} | {messages.row_for(m)[1]} |" for m in known]
    faults += [f"docs/limits.md lacks (run tools/limits.py): {line}" for line in lines if line + "\n" not in limits]
    if len(known) < 125:
        faults.append(f"only {len(known)} messages were found: are the patterns still right?")
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
