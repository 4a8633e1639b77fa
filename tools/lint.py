#!/usr/bin/env python3
"""The project's own lint: layering and a few rules that no compiler checks.

The table of allowed includes is read from docs/architecture.md, so that the document cannot go stale: a folder of src/ may
include itself and the folders of its row, and only the heavy libraries of its row. Paths that documents and comments name must
exist. Exits 1 and prints `file:line: message` for each finding.
"""

import pathlib
import re
import subprocess
import sys

import lint_tables

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "docs" / "architecture.md"
MAX_LINES = 600
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
# Libraries that only the folders that name them may include: first path component or whole name → name in the table.
HEAVY = {"llvm": "LLVM", "llvm-c": "LLVM", "clang": "LLVM", "mpi.h": "MPI", "elfutils": "libdw", "dwarf.h": "libdw", "cadical.hpp": "solver", "ccadical.h": "solver",
         "z3.h": "solver", "z3++.h": "solver", "CLI": "CLI11", "nlohmann": "json", "fmt": "fmt"}
# The runtime lives in the program under test, whose libstdc++ state is reset between executions.
RUNTIME_BANNED = {"vector", "string", "map", "set", "unordered_map", "unordered_set", "deque", "list", "iostream", "fstream",
                  "sstream", "memory", "functional", "mutex", "thread", "condition_variable", "future", "regex", "stdexcept"}
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")
ABSOLUTE = re.compile(r"/(work|home|root)/\w")

# Where something stands in the process under test: only the address map says it.
FIXED = re.compile(r"\b0x[0-9a-f]{12}\b")
ADDRESS_MAP = "src/hooks/address_map.hpp"

# A switch over what operations are has no answer for "all others": hooks/operations.def has a row for each.
SWITCH = re.compile(r"\bswitch \(")
OF_OPERATIONS = re.compile(r"case INSPECT_(OP|FAMILY|EFFECT|LOCK)_|case (Waits|Outcome|Reply)::")

# Others get by with the vocabulary, hooks/execution.h.
PROTOCOL = "hooks/channel.h"
SPEAK_IT = {"hooks", "runtime", "process", "native", "cli"}

# What looks like a path of this tree: in documents, between backticks or as a link; in comments, by its ending alone.
QUOTED = re.compile(r"`<?([^`<>]+)>?`|\]\(([^)#]+)")
PATH = re.compile(r"[\w{][\w.*+{},-]*(/[\w.*+{},-]+)+/?|[\w-]+\.(hpp|cpp|def|md|py)")
COMMENT = re.compile(r"(?:^|\s)(?://|/?\*)(.*)")
NAMED = re.compile(r"(?<![\w/.<%-])[\w-]+(?:/[\w-]+)*\.(?:hpp|cpp|def|md|py)\b")
BRACES = re.compile(r"(.*)\{([^}]*)\}(.*)")
# Documents whose paths are others': headers of libraries.
OTHERS_PATHS = {"docs/limits.md"}
# Made by a build, or a form to be filled in.
NOT_KEPT = re.compile(r"(build|build-asan|out)/|hooks/version\.h$|NNNN-")

# What a call cannot be read without: many parameters, or booleans side by side. A struct with names, or an enum, can be.
MAX_PARAMETERS = 6
OTHERS_LISTS = re.compile(r"INSPECT_EXPORT[^;{}()]*$|\blong system_call$")  # what follows is as libc, the pass or the kernel has it
NO_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.S)
PARAMETER = re.compile(r"(?:const |unsigned |struct )*[\w:]+(?:<.*>)?(?: const)?[\s*&]+\w*(?:\[\w*\])?(?:\s*=.*)?", re.S)
BOOLEAN = re.compile(r"(?:const )?bool(?: \w+)?(?:\s*=.*)?", re.S)


def read_table():
    """Returns {folder: (allowed folders, allowed heavy libraries)} from the table of allowed includes."""
    rows = {}
    for line in TABLE.read_text().splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 and cells[0].count("`") == 2:
            rows[cells[0].strip("`")] = (set(re.findall(r"`([\w-]+)`", cells[1])), set(re.findall(r"[\w+]+", cells[2])))
    return rows


def read_floors():
    """Returns the floors of the runtime, lowest first, from their table."""
    return re.findall(r"^\| `runtime/(\w+)` \|", TABLE.read_text(), re.M)


def check_floors(files, floors):
    """Yields what lies on no floor, includes upward, and files of the runtime that reach themselves by includes."""
    reaches, places = {}, {}
    for path in files:
        parts = path.relative_to(ROOT).parts
        if parts[:2] != ("src", "runtime") or path.suffix not in (".cpp", ".hpp", ".c", ".h"):
            continue
        name = "/".join(parts)
        if len(parts) != 4 or parts[2] not in floors:
            yield f"{name}:1: on no floor of the table of docs/architecture.md"
            continue
        places.setdefault(path.stem, name)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            target = (match.group(1) or "").split("/") if match else []
            if target[0:1] != ["runtime"] or len(target) != 3 or target[1] not in floors:
                continue
            if floors.index(target[1]) > floors.index(parts[2]):
                yield f'{name}:{number}: "{"/".join(target)}": {target[1]} is above {parts[2]}'
            stem, kind = target[2].rsplit(".", 1)
            if stem != path.stem and kind != "def":
                reaches.setdefault(path.stem, set()).add(stem)
    for start, name in places.items():
        seen, todo = set(), list(reaches.get(start, ()))
        while todo:
            stem = todo.pop()
            if stem == start:
                yield f"{name}:1: reaches itself by includes"
                break
            if stem not in seen:
                seen.add(stem)
                todo += reaches.get(stem, ())


DECLARED = re.compile(r"^(?! |INSPECT_EXPORT|using|inline|static|constexpr|template|struct|class|enum|friend|namespace|#)(?:\[\[\w+\]\] )?[\w:<>*& ]+?[ *&](\w+)\((?!\*)")


def upward_declarations(files, floors):
    """Yields each function that a header of the runtime declares and a file of a higher floor defines; upcalls are those."""
    declared = {}
    for path in files:
        parts = path.relative_to(ROOT).parts
        if parts[:2] == ("src", "runtime") and len(parts) == 4 and path.suffix == ".hpp" and parts[2] != "upcalls":
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = DECLARED.match(line)
                if match and not line.rstrip().endswith(("{", "}")):
                    declared.setdefault(match.group(1), []).append((parts[2], path.relative_to(ROOT), number))
    for path in files:
        parts = path.relative_to(ROOT).parts
        if parts[:2] != ("src", "runtime") or len(parts) != 4 or path.suffix != ".cpp":
            continue
        hidden = False  # in an unnamed namespace
        for line in path.read_text().splitlines():
            hidden = line == "namespace {" or (hidden and line != "}  // namespace")
            match = DECLARED.match(line)
            for floor, header, number in declared.get(match.group(1), ()) if match and not hidden and not line.endswith(";") else ():
                if floors.index(floor) < floors.index(parts[2]):
                    yield f"{header}:{number}: {match.group(1)} is defined above, in {parts[2]}/{path.name}: declare it in runtime/upcalls"


def cycles(rows):
    """Yields one message per folder that can reach itself through the table."""
    for start in rows:
        seen, todo = set(), list(rows[start][0])
        while todo:
            folder = todo.pop()
            if folder == start:
                yield f"docs/architecture.md:1: the allowed includes of {start} form a cycle"
                break
            if folder not in seen:
                seen.add(folder)
                todo += rows.get(folder, (set(), set()))[0]


def check_include(folder, target, quoted, rows):
    """Returns what is wrong with `#include target` in a file of src/<folder>, or None."""
    allowed, libraries = rows[folder]
    first = target.split("/")[0]
    if quoted and "/" in target and first not in rows:
        return f'"{target}": no folder {first} in the table of docs/architecture.md'
    if quoted and first in rows and first != folder and first not in allowed:
        return f'"{target}": {folder} may not include {first}'
    if target == PROTOCOL and folder not in SPEAK_IT:
        return f'"{target}": {folder} knows no channel'
    if HEAVY.get(first) and HEAVY[first] not in libraries:
        return f"<{target}>: {folder} may not use {HEAVY[first]}"
    if folder == "runtime" and not quoted and target in RUNTIME_BANNED:
        return f"<{target}>: the runtime uses no library containers, streams or exceptions"
    return None


def lenient_switches(text):
    """Yields the line of each switch over operations, their families or effects that has a default."""
    for match in SWITCH.finditer(text):
        begin = end = text.index("{", match.end())
        depth = 0
        while depth or end == begin:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        body = text[begin:end]
        if OF_OPERATIONS.search(body) and "default:" in body:
            yield text.count("\n", 0, match.start()) + 1


def parenthesised(code):
    """Yields (offset, the parts between commas) of everything in parentheses."""
    stack, closing = [], {")": "(", "]": "[", "}": "{"}
    for at, character in enumerate(code):
        if character in "([{":
            stack.append((character, [at]))
        elif character == "," and stack:
            stack[-1][1].append(at)
        elif character in closing and stack and stack[-1][0] == closing[character]:
            _, cuts = stack.pop()
            if character == ")":
                yield cuts[0], [code[a + 1:b].strip() for a, b in zip(cuts, cuts[1:] + [at])]


def unreadable_parameters(text):
    """Yields (line, what is wrong) of each list of parameters that has too many, or booleans in a row."""
    code = NO_CODE.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    for at, parts in parenthesised(code):
        for i in range(len(parts) - 1, 0, -1):  # a comma between the arguments of a template
            if parts[i - 1].replace("->", "").count("<") > parts[i - 1].replace("->", "").count(">"):
                parts[i - 1:i + 1] = [parts[i - 1] + ", " + parts[i]]
        if OTHERS_LISTS.search(code, max(0, at - 300), at):
            continue
        line = code.count("\n", 0, at) + 1
        if len(parts) > MAX_PARAMETERS and all(PARAMETER.fullmatch(p) for p in parts):
            yield line, f"{len(parts)} parameters: more than {MAX_PARAMETERS} take a struct"
        if any(BOOLEAN.fullmatch(p) and BOOLEAN.fullmatch(q) for p, q in zip(parts, parts[1:])):
            yield line, "booleans in a row, which no call can be read by: a struct or an enum"


def check_file(path, rows):
    """Yields the findings in one tracked file."""
    parts = path.relative_to(ROOT).parts
    name = "/".join(parts)
    folder = parts[1] if parts[0] == "src" and len(parts) > 2 else None
    if folder is not None and folder not in rows:
        yield f"{name}:1: folder {folder} has no row in the table of docs/architecture.md"
        folder = None
    lines = path.read_text().splitlines()
    if parts[0] in ("src", "include", "tools", "test", "bench") and len(lines) > MAX_LINES:
        yield f"{name}:{len(lines)}: longer than {MAX_LINES} lines"
    for number, line in enumerate(lines, 1):
        if UNFINISHED.search(line):
            yield f"{name}:{number}: unfinished work is an issue, not a comment"
        if ABSOLUTE.search(line):
            yield f"{name}:{number}: a path of one machine"
        if folder and FIXED.search(line) and name != ADDRESS_MAP:
            yield f"{name}:{number}: a fixed address: {ADDRESS_MAP} has them all"
        match = INCLUDE.match(line)
        if folder and match:
            quoted = match.group(1) is not None
            problem = check_include(folder, match.group(1) or match.group(2), quoted, rows)
            if problem:
                yield f"{name}:{number}: {problem}"
    if folder and path.suffix in (".cpp", ".hpp"):
        for number in lenient_switches("\n".join(lines)):
            yield f"{name}:{number}: a switch over operations with a default: name each, or ask model/effects.hpp"
    if folder and path.suffix in (".c", ".h", ".cpp", ".hpp"):
        for number, problem in unreadable_parameters("\n".join(lines)):
            yield f"{name}:{number}: {problem}"
    if path.suffix in (".h", ".hpp") and parts[0] in ("src", "include") and not (lines and lines[0].startswith(("//", "/*"))):
        yield f"{name}:1: a header opens with what it is and what it guarantees"


def spelled_out(path):
    """Returns the paths that `a/{b,c}` stands for."""
    match = BRACES.fullmatch(path)
    return [match[1] + name + match[3] for name in match[2].split(",")] if match else [path]


class Tree:
    """The tracked files, by every end of a path that may name one: `c.hpp`, `b/c.hpp`; without what follows a dot; folders."""

    def __init__(self, files):
        self.ends = set()
        for file in files:
            parts = pathlib.PurePosixPath(file).parts
            for last in range(1, len(parts) + 1):
                for first in range(last):
                    end = "/".join(parts[first:last])
                    self.ends |= {end, end.split(".")[0]} if last == len(parts) else {end}

    def has(self, path):
        path = path.removeprefix("./").rstrip("/")
        return bool(NOT_KEPT.match(path)) or all(end in self.ends for end in spelled_out(path))


def wrong_paths(name, lines, tree):
    """Yields (line, path) for each path of this tree that a document or a comment names, and that is not there."""
    is_document = name.endswith(".md") and name not in OTHERS_PATHS
    is_code = name.startswith(("src/", "include/")) and not name.endswith((".txt", ".cmake"))
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.startswith("```")
        if is_document and not fenced:
            for code, link in QUOTED.findall(line):
                named = code or link
                if "://" not in named and PATH.fullmatch(named) and not tree.has(named):
                    yield number, named
        comment = COMMENT.search(line) if is_code else None
        for named in NAMED.findall(comment[1]) if comment else []:
            if not tree.has(named):
                yield number, named


def main():
    rows = read_table()
    if not rows:
        print("docs/architecture.md:1: no table of allowed includes found", file=sys.stderr)
        return 1
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    sources = [ROOT / f for f in files if f and pathlib.Path(f).suffix in
               (".c", ".cc", ".cpp", ".h", ".hpp", ".def", ".py", ".txt", ".md", ".S", ".sh", "")]
    present, floors = [s for s in sources if s.is_file()], read_floors()
    findings = list(cycles(rows)) + list(check_floors(present, floors)) + list(upward_declarations(present, floors))
    findings += lint_tables.findings(ROOT, rows)
    tree = Tree(f for f in files if f)
    for path in sources:
        if path.is_file():
            findings += check_file(path, rows)
            name = path.relative_to(ROOT).as_posix()
            findings += [f"{name}:{number}: no such file: {named}" for number, named in wrong_paths(name, path.read_text().splitlines(), tree)]
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
