#!/usr/bin/env python3
"""Does every row of a function that is handed functions say so (`calls<n>`)?  callbacks.py CLANG REPOSITORY

The system's headers tell which parameters are pointers to functions, or to structures that hold such. Exempt, one by one, are functions
whose callbacks the runtime itself calls, and tells of then, and those that it refuses.
"""

import json
import pathlib
import re
import subprocess
import sys

HEADERS = """aio.h arpa/inet.h ctype.h dirent.h dlfcn.h fcntl.h fnmatch.h fts.h ftw.h glob.h grp.h link.h locale.h mqueue.h netdb.h poll.h
printf.h pthread.h pwd.h regex.h sched.h search.h semaphore.h setjmp.h signal.h spawn.h stdio.h stdlib.h string.h sys/epoll.h
sys/eventfd.h sys/mman.h sys/socket.h sys/stat.h syslog.h termios.h threads.h time.h ucontext.h unistd.h wchar.h wctype.h
wordexp.h""".split()
# fail/naked_callback.c of the test programs, and threads' routines.
TOLD = set("""atexit at_quick_exit on_exit call_once pthread_create pthread_key_create pthread_once thrd_create tss_create
signal bsd_signal sysv_signal __sysv_signal sigset sigaction""".split())
# Structures with functions that these calls do not use: the runtime refuses GLOB_ALTDIRFUNC.
UNUSED = {"glob", "glob64", "globfree", "globfree64"}
FUNCTION = re.compile(r"\(\*(const|volatile|restrict|__restrict|_Nonnull|_Nullable| )*\)\s*\(")


def rows(folder):
    """Effects by name, of all rows."""
    found = {}
    for file in ("library.def", "library_cxx.def"):
        text = re.sub(r"^\s*//.*$", "", (folder / file).read_text(), flags=re.M)
        for names, effects in re.findall(r'LIBRARY\(((?:\s*"[^"]*")+),\s*"([^"]*)"\)', text):
            for name in " ".join(re.findall(r'"([^"]*)"', names)).split():
                found[name] = effects.split()
    return found


def declarations(clang):
    """The syntax tree's top level for all headers that there are."""
    source = "#define _GNU_SOURCE\n" + "".join(f"#if __has_include(<{h}>)\n#include <{h}>\n#endif\n" for h in HEADERS)
    command = [clang, "-x", "c", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-"]
    return json.loads(subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout)["inner"]


def spelled(node):
    return node["type"].get("desugaredQualType", node["type"]["qualType"])


def fields(node):
    """Fields of a structure, those of structures and unions within it included."""
    for inner in node.get("inner", []):
        if inner.get("kind") == "FieldDecl":
            yield inner
        elif inner.get("kind") == "RecordDecl":
            yield from fields(inner)


def holders(nodes):
    """Names of structures, and of types that stand for them, with a field that points to a function."""
    found = set()
    for node in nodes:
        if node["kind"] == "RecordDecl" and any(FUNCTION.search(spelled(f)) for f in fields(node)):
            found |= {node["id"], node.get("name", node["id"])}
        if node["kind"] == "TypedefDecl" and any(f'"{name}"' in json.dumps(node.get("inner", [])) for name in found):
            found.add(node["name"])
    return found


def bare(kind):
    """A type's name, without what stands around it."""
    return re.sub(r"\b(const|volatile|restrict|__restrict|struct|union)\b|[*\[\]]", "", kind).strip()


def main():
    clang, root = sys.argv[1], pathlib.Path(sys.argv[2])
    table, nodes = rows(root / "src/hooks"), declarations(clang)
    trampolines = (root / "src/runtime/environment/trampolines.def").read_text()
    refused = set(re.findall(r"REFUSED\((\w+)", trampolines))
    with_functions, wrong, seen = holders(nodes), [], 0
    for node in nodes:
        if node["kind"] != "FunctionDecl" or node["name"] not in table:
            continue
        name, effects = node["name"], table[node["name"]]
        parameters = [p for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
        for number, parameter in enumerate(parameters):
            kind = spelled(parameter)
            is_function = bool(FUNCTION.search(kind))
            if not is_function and not {bare(kind), bare(parameter["type"]["qualType"])} & with_functions:
                continue
            seen += 1
            if name in TOLD | refused or f"calls{number}" in effects or (not is_function and name in UNUSED):
                continue
            wrong.append(f"{name}: argument {number} ({kind}) is or holds a function, and its row does not say calls{number}")
    print("\n".join(sorted(set(wrong))))
    print(f"{seen} parameters that are or hold functions, {len(set(wrong))} of them in rows that do not say so")
    if seen < 20:
        print("the headers tell of too few: they are not understood")
    return bool(wrong) or seen < 20


if __name__ == "__main__":
    sys.exit(main())
