"""What the rows of a table ask for elsewhere, where no compiler notices that it is missing (docs/architecture.md, "Recipes")."""
import json
import re

# Where the options of a command are read; formats.def has those of some files.
READERS = {"Check": ("check", "engine_options"), "Replay": ("replay", "drawings"), "Report": ("report", "drawings")}


def rows(path, macro):
    """Returns (line, arguments without quotes) of each row."""
    out = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith(f"{macro}("):
            words = re.split(r',(?=(?:[^"]*"[^"]*")*[^"]*$)', line[len(macro) + 1:].rstrip().removesuffix(")"))
            out.append((number, [word.strip().strip('"') for word in words]))
    return out


def check_options(root):
    """Each command that takes an option reads it: one that nobody reads would have no effect."""
    formats = {words[0] for _, words in rows(root / "src/report/formats.def", "FORMAT")}
    texts = {command: "".join((root / f"src/cli/{name}.cpp").read_text() for name in names) for command, names in READERS.items()}
    options = root / "src/cli/options.def"
    known = set()
    for number, words in rows(options, "OPTION"):
        known.add(words[0])
        if words[1] == "Word" and "|" not in words[2] and not words[2].startswith("k"):
            continue  # there is no choice
        for command in (c.strip() for c in words[5].split("|")):
            if f'"{words[0]}"' not in texts[command] and not (words[0] in formats and command != "Check"):
                yield f"src/cli/options.def:{number}: inspect {command.lower()} takes --{words[0]}, but does not read it"
    for number, words in rows(root / "src/report/formats.def", "FORMAT"):
        if words[0] not in known:
            yield f"src/report/formats.def:{number}: no option of that name in cli/options.def"


def check_search(root):
    """Each cut has its unit test, one that an option asks for another that compares it with enumeration, and is asked for; documents
    name each algorithm."""
    oracle = "".join(p.read_text() for p in (root / "test/oracle").glob("*_test.cpp"))
    configuration = (root / "src/native/configuration.cpp").read_text()
    for number, (name, _, _, _, option) in rows(root / "src/search/cut/cuts.def", "CUT"):
        if not (root / f"test/search/cut/{name}_test.cpp").exists():
            yield f"src/search/cut/cuts.def:{number}: no test/search/cut/{name}_test.cpp"
        if option != "algorithm" and not re.search(rf"\b{option}\b", oracle):
            yield f"src/search/cut/cuts.def:{number}: no test in test/oracle compares --{option.replace('_', '-')} with enumeration"
        if option != "algorithm" and f"out.{option} = options.{option};" not in configuration:
            yield f"src/search/cut/cuts.def:{number}: asked_of_search() in src/native/configuration.cpp does not pass on {option}"
    documents = {name: (root / name).read_text() for name in ("README.md", "docs/algorithms.md")}
    for file, macro in (("reduction/reductions.def", "REDUCTION"), ("sample/samplers.def", "SAMPLER")):
        for number, words in rows(root / "src/search" / file, macro):
            for document, text in documents.items():
                if not re.search(rf"`[^`\n]*\b{words[0]}\b[^`\n]*`", text):
                    yield f"src/search/{file}:{number}: {document} says nothing of {words[0]}"


def check_bug_kinds(root):
    """The schema of reports knows each kind of bug."""
    schema = json.loads((root / "docs/verdict.schema.json").read_text())["$defs"]["bug"]["properties"]["kind"]["enum"]
    names = [words[1] for _, words in rows(root / "src/model/bug_kinds.def", "BUG")]
    if sorted(schema) != sorted(names):
        yield f"docs/verdict.schema.json:1: kinds of bugs that only it or src/model/bug_kinds.def has: {', '.join(sorted(set(schema) ^ set(names)))}"


def check_code_map(root, folders):
    """Each folder of src/ stands in the code map."""
    text = (root / "docs/architecture.md").read_text()
    for folder in folders:
        if not re.search(rf"^\| `src/{folder}` \|", text, re.M):
            yield f"docs/architecture.md:1: the code map has no row for src/{folder}"


def findings(root, folders):
    for check in (check_options, check_search, check_bug_kinds):
        yield from check(root)
    yield from check_code_map(root, folders)
