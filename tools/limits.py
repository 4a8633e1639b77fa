#!/usr/bin/env python3
"""Writes docs/limits.md from what `inspect check --coverage-list` says: `tools/limits.py INSPECT [--check]`.

With --check nothing is written: exit status 1 when the document is out of date, 77 when this machine's library is another one than the
document's, so that they cannot be compared.
"""
import collections
import pathlib
import platform
import re
import subprocess
import sys
import textwrap

import messages

DOCUMENT = pathlib.Path(__file__).resolve().parent.parent / "docs" / "limits.md"

HEAD = """# What is known of library functions

Written by `tools/limits.py` from `inspect check --coverage-list`, which reads the tables that the pass and the runtime use. Do not edit.
Library: {library}.

A call of a library function is code that Inspect does not see. For each function one of these holds:

- **modelled**: the runtime has its own, and performs, orders or refuses the call; what it refuses makes the program *unsupported* when an
  execution gets there.
- **described**: a row of `src/hooks/library.def` says what memory and what state of the library the call touches. `test/library` calls the
  real function with each argument's memory protected as the row says, and compares the library's own memory before and after.
- **unknown**: nothing is known. A call while several threads exist takes the verdict away from *verified*, and the report names it.

A checkpoint is trusted like a result: what it says was explored is not explored again. Its digests tell accidents. Each value in it is
compared with the others, with the program and with its surroundings: one that was changed alone is an error, also when the digests were
written anew, or it decides nothing but what is repeated or told (a place, a duration, who sleeps), and what the program refutes when it
takes the steps again is an error too. Values that were changed together so that they fit each other, a transition that counts as explored
with its hash and all counts above it, or less that was found, are the checkpoint of another search, and believed: nothing tells who wrote
it. Go on from your own checkpoints only. A schedule file is not trusted: what it says is run again, step by step.
"""


MESSAGES_HEAD = """
## The messages

As they stand in the sources of the runtime and of the searches; `…` stands for what is put in. What to do about each is above, in the row
with the same meaning. Of the symbolic engine each ends with `the symbolic engine does not know it`.

| message | it means |
|---|---|"""
ADVICE_HEAD = """# What inconclusive and unsupported mean

Such a verdict names its reason, and says what to do next. The reasons, in the order in which they are told apart (`src/report/advice.def`):

| the message holds | it means | what to do |
|---|---|---|"""


def advice():
    """The table of reasons, and each message with what it means."""
    rows = messages.rows()
    lines = [ADVICE_HEAD]
    for parts, meaning, what in rows:
        shown = ", ".join(f"`{p.strip()}`" for p in parts.split("|")) if parts else "anything else"
        lines.append(f"| {shown} | {meaning} | {what} |")
    lines.append(MESSAGES_HEAD)
    lines += [f"| {message} | {messages.row_for(message)[1]} |" for message in messages.messages()]
    return "\n".join(lines)


def listed(inspect):
    """Returns [(where, name, what)]."""
    text = subprocess.run([inspect, "check", "--coverage-list"], capture_output=True, text=True, check=True).stdout
    return [tuple(line.split(" ")) for line in text.splitlines()]


def paragraph(names):
    return textwrap.fill(", ".join(f"`{n}`" for n in names), 140, break_long_words=False, break_on_hyphens=False)


def document(rows):
    where = collections.defaultdict(lambda: collections.defaultdict(list))
    for place, name, what in rows:
        where[place][what].append(name)
    parts = [HEAD.format(library=" ".join(platform.libc_ver()))]
    parts.append("| where | modelled | described | unknown |\n|---|---|---|---|")
    for place, kinds in where.items():
        parts[-1] += "\n| `{}` | {} | {} | {} |".format(place, *(len(kinds[k]) for k in ("modelled", "described", "unknown")))
    parts[-1] += "\n\nA function stands under the first of these headers that declares it, be it through another header.\n"
    for place, kinds in where.items():
        parts.append(f"## {place}\n")
        for kind in ("modelled", "described", "unknown"):
            names = sorted(kinds[kind])
            if place == "libstdc++" and kind == "unknown":
                parts.append(f"{len(names)} further symbols that the library exports: unknown.\n")
            elif names:
                parts.append(f"{kind.capitalize()}: {paragraph(names)}\n")
    parts.append(advice() + "\n")
    return "\n".join(parts)


def main():
    text = document(listed(sys.argv[1]))
    if "--check" not in sys.argv:
        DOCUMENT.write_text(text)
        return 0
    present = DOCUMENT.read_text()
    library = f"Library: {' '.join(platform.libc_ver())}."
    if library not in present:
        print(f"{DOCUMENT} is about another library than this machine's")
        return 77
    if text != present:
        print(f"{DOCUMENT} is out of date: run tools/limits.py {sys.argv[1]}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
