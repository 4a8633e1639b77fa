#!/usr/bin/env python3
"""Each message of the runtime for which a verdict is inconclusive or unsupported has advice of its own in src/report/advice.def."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CALL = re.compile(r'\b(?:report_unsupported|report_limit|uncovered|note_unsafe_handler)\(\s*(?:INSPECT_\w+,\s*)?(?:format_message\()?\s*"((?:[^"\\]|\\.)*)"')

# What names only the call: the last row's advice is the right one.
ONLY_NAMES = {"%s: %s", "%s", "%s after the program changed the file system"}


def main():
    table = (ROOT / "src/report/advice.def").read_text()
    parts = [p for row in re.findall(r'^ADVICE\("((?:[^"\\]|\\.)*)"', table, re.M) for p in row.split("|") if p]
    messages = {m for path in (ROOT / "src/runtime").rglob("*.cpp") for m in CALL.findall(path.read_text())} - ONLY_NAMES
    without = sorted(m for m in messages if not any(p in m for p in parts))
    for message in without:
        print(f"no advice: {message}")
    if len(messages) < 80:
        print(f"only {len(messages)} messages were found: is the pattern still right?")
        return 1
    return 1 if without else 0


if __name__ == "__main__":
    sys.exit(main())
