#!/usr/bin/env python3
"""Is each reduction and cut a part that can be taken out? Deletes one, builds `inspect`, and runs the tests of the rest of the search.

    removal.py [--all | --today | NAME ...] [--jobs N] [--work FOLDER]

Without a name: the one whose turn it is today; with --today not if it passed already, with the same sources. A part is its row in
reductions.def or cuts.def, its pair of files, and what nothing else includes then; files stay that other parts include. With a cut goes the
algorithm that it belongs to, and with each what is built on it; their unit tests go too. The tree is a copy, in FOLDER.
"""
import argparse
import datetime
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
REDUCTIONS, CUTS, SOURCES = "reduction/reductions.def", "cut/cuts.def", "CMakeLists.txt"
PRODUCT = "inspect"
ORACLE = ("random", "programs", "counts", "effects", "invariance", "symmetry", "bound", "pdp", "estimate", "sample", "distribute", "operations",
          "mutants")
TESTS = ("unit_search", *(f"oracle_{name}" for name in ORACLE))
# Tests that ask about these parts alone. Others have the part's name in the name of the test.
ABOUT = {"oracle_symmetry": {"symmetry", "known_states", "dpor"}, "oracle_bound": {"preemption_bound", "dpor"},
         "oracle_pdp": {"pdp", "race_free"}, "oracle_invariance": {"optimal"}, "oracle_estimate": {"source", "naive"}}


def rows(search, file):
    return re.findall(r'^(?:REDUCTION|CUT)\("?(\w+)"?,', (search / file).read_text(), re.M)


def without_lines(path, pattern):
    lines = path.read_text().splitlines(keepends=True)
    kept = [line for line in lines if not re.search(pattern, line)]
    if kept != lines:
        path.write_text("".join(kept))
    return len(lines) - len(kept)


def includers(search, header):
    own = pathlib.Path(header).with_suffix(".cpp").name
    return [p for p in search.rglob("*.[ch]pp") if p.name != own and f'"search/{header}"' in p.read_text()]


def included(path):
    return re.findall(r'^#include "search/([\w/]+)\.hpp"', path.read_text(), re.M) if path.exists() else []


def remove_files(search, name):
    """Removes folder/name.hpp and .cpp unless something includes them or a row names them, and then what only they included."""
    header, source = search / f"{name}.hpp", search / f"{name}.cpp"
    factories = re.findall(r"make_\w+", (search / REDUCTIONS).read_text() + (search / CUTS).read_text())
    if not header.exists() or includers(search, f"{name}.hpp") or f"make_{header.stem}" in factories:
        return
    below = included(header) + included(source)
    header.unlink()
    source.unlink(missing_ok=True)
    without_lines(search / SOURCES, rf"^  {name}\.cpp")
    for other in below:
        remove_files(search, other)


def remove_tests(tests, search):
    """Those that include what there is no more."""
    for test in tests.rglob("*_test.cpp"):
        if any(not (search / f"{name}.hpp").exists() for name in included(test)):
            test.unlink()
            without_lines(tests / SOURCES, rf"^  {test.relative_to(tests)}")


def remove(search, name):
    """Returns what was removed."""
    removed = {name}
    if name in rows(search, CUTS):
        for other in includers(search, f"cut/{name}.hpp"):
            if other.stem != name and other.stem in rows(search, CUTS):
                removed |= remove(search, other.stem)
        without_lines(search / CUTS, rf"^CUT\({name},")
        remove_files(search, f"cut/{name}")
        for line in (search / REDUCTIONS).read_text().splitlines():
            if f'"{name}"' in line and line.startswith("REDUCTION"):
                removed |= remove(search, re.match(r'REDUCTION\("(\w+)"', line)[1])
        return removed
    row = re.search(rf'^REDUCTION\("{name}", (.*)', (search / REDUCTIONS).read_text(), re.M)
    if not row:
        return removed
    without_lines(search / REDUCTIONS, rf'^REDUCTION\("{name}",')
    for other, factory in re.findall(r'^REDUCTION\("(\w+)", make_(\w+)', (search / REDUCTIONS).read_text(), re.M):
        if factory == name:
            removed |= remove(search, other)
    for made in re.findall(r"make_(\w+)", row[1]):
        if f"make_{made}" not in (search / REDUCTIONS).read_text():
            remove_files(search, f"reduction/{made}")
    return removed


def copy_tree(tree):
    """What differs only: the rest need not be built again."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    wanted = {f for f in listed if f and (ROOT / f).is_file()}
    for old in [p for folder in ("src", "test") for p in (tree / folder).rglob("*") if p.is_file()]:
        if str(old.relative_to(tree)) not in wanted:
            old.unlink()
    for file in wanted:
        source, copy = ROOT / file, tree / file
        if copy.exists() and copy.read_bytes() == source.read_bytes():
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode:
        print(done.stdout[-3000:] + done.stderr[-3000:])
    return done.returncode == 0


def check(name, work, jobs):
    tree, build = work / "tree", work / "tree/build"  # as the preset has it: so ccache knows most of it
    copy_tree(tree)
    search = tree / "src/search"
    before = len(list(search.rglob("*.*")))
    removed = remove(search, name)
    remove_tests(tree / "test/search", search)
    tests = [t for t in TESTS if not removed & ABOUT.get(t, set())]
    print(f"{name}: without {', '.join(sorted(removed))} ({before - len(list(search.rglob('*.*')))} files): ", end="", flush=True)
    configure = ["cmake", "--preset", "release", f"-DCMAKE_CXX_COMPILER={compiler()}", f"-DCMAKE_C_COMPILER={compiler().replace('++', '')}"]
    if not run(configure, cwd=tree) or not run(["ninja", "-C", build, f"-j{jobs}", PRODUCT, *tests]):
        print("does not build")
        return False
    environment = os.environ | {"INSPECT_FUZZ_COUNT": "600"}
    others = ":".join(f"*{n}*:*{n.capitalize()}*" for n in sorted(removed))  # tests that are about it
    failed = [t for t in tests if not run([build / "bin" / t, "--gtest_brief=1", f"--gtest_filter=-{others}"], env=environment)]
    print(f"failed: {', '.join(failed)}" if failed else f"passed: {', '.join(tests)}")
    return not failed


def digest(name):
    """Of all that the check of this part reads."""
    others = ("src/runtime", "src/instrument", "src/standard", "src/symbolic")
    folders = ("src", "test/oracle", "test/search", "tools/removal.py", *(f":!{folder}" for folder in others))
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    all_of_it = hashlib.sha256(name.encode())
    for file in listed:
        if file and (ROOT / file).is_file():
            all_of_it.update(file.encode() + (ROOT / file).read_bytes())
    return all_of_it.hexdigest()


def check_once(name, options):
    """As check(), unless the part passed with the same sources before."""
    stamp, now = options.work / "passed", digest(name)
    if stamp.exists() and stamp.read_text() == now:
        return True
    if not check(name, options.work, options.jobs):
        return False
    stamp.write_text(now)
    return True


def compiler():
    return os.environ.get("CXX", "clang++-19")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--today", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build/removal")
    options = parser.parse_args()
    every = rows(ROOT / "src/search", REDUCTIONS) + rows(ROOT / "src/search", CUTS)
    unknown = set(options.names) - set(every)
    if unknown:
        parser.error(f"no reduction or cut: {', '.join(sorted(unknown))}; there are {', '.join(every)}")
    todays = every[datetime.date.today().toordinal() % len(every)]
    if options.today:
        return 0 if check_once(todays, options) else 1
    names = every if options.all else options.names or [todays]
    return 0 if all([check(n, options.work, options.jobs) for n in names]) else 1


if __name__ == "__main__":
    sys.exit(main())
