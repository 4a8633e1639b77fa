"""The messages for which a verdict is inconclusive or unsupported, as they stand in the sources, and their rows of advice.def."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALL = re.compile(r"\b(?:report_unsupported|report_limit|uncovered|note_unsafe_handler)\(")
FOUND = re.compile(r"\b(?:left_out|unsupported)\.(?:push|emplace)_back\(|\bleave_out\(|\bwhy_not = |\breturn (?:limit|stop)\(|full_ = ")
# Pieces of one message of which only some are said.
ALTERNATIVES = {"… preemption… preemptions… were": "… preemptions were", "(--memory-limit)… for each worker…": "(--memory-limit)", "……": "…"}
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')

# What names only the call, or holds another message: the row of that one, or the last one, is right.
ONLY_NAMES = {"%s: %s", "%s", "%s after the program changed the file system", "; "}


def statement(text, begin):
    """To the end of the statement that begins there."""
    inside = False
    for at in range(begin, len(text)):
        if text[at] == '"' and text[at - 1] != "\\":
            inside = not inside
        if text[at] in ";{" and not inside:
            return text[begin:at]
    return text[begin:]


def literals(text):
    return TEXT.findall(re.sub(r'"\s+"', "", text))


def rows():
    """[(parts, meaning, advice)] of advice.def."""
    table = (ROOT / "src/report/advice.def").read_text()
    return re.findall(r'^ADVICE\("((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\)', table, re.M)


def row_for(message):
    """As src/report/advice.cpp does it; the last row is for what no other is for."""
    table = rows()
    return next((row for row in table if any(part and part in message for part in row[0].split("|"))), table[-1])


def messages():
    """Those of the runtime, and those of the searches; `…` stands for what is put in."""
    said = set()
    for path in (ROOT / "src/runtime").rglob("*.cpp"):
        text = path.read_text()
        for found in CALL.finditer(text):
            said.update(literals(statement(text, found.start())))
    for folder in ("native", "search", "explicit_engine", "distribute"):
        for path in (ROOT / "src" / folder).rglob("*.cpp"):
            text = path.read_text()
            for found in FOUND.finditer(text):
                parts = [part for part in literals(statement(text, found.start())) if part not in ONLY_NAMES]
                said.update(parts if "limit(" in found[0] else ["…".join(parts)])
    said = {re.sub(r"%l?[sdux]\b|\{\}", "…", message) for message in said - ONLY_NAMES}
    for pieces, whole in ALTERNATIVES.items():
        said = {message.replace(pieces, whole) for message in said}
    return sorted(message.strip() for message in said if len(message) > 3)
