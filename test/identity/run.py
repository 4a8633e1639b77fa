#!/usr/bin/env python3
"""Compiles programs with frame records at three levels of optimisation and runs identity_check on them.

    run.py --bin BIN --check IDENTITY_CHECK --work DIRECTORY [--seeds FIRST COUNT] [--described PERCENT] [--error NAME] [FILE.c ...]

With --error the wrappers under BIN, or the runtime beside them, make that deliberate error, and it must be noticed.
"""

import argparse
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LEVELS = ["-O0", "-O1", "-O2"]


def compile_mixed(wrapper, source, level, target):
    """Compiles the two halves of a program, one without records."""
    halves = [(f"{target}.{name}.o", flag) for name, flag in (("without", "-DWITHOUT_RECORDS"), ("with", "--inspect-states"))]
    for half, flag in halves:
        subprocess.run([wrapper, flag, "-w", level, "-g", "-c", source, "-o", half], check=True, timeout=120)
    subprocess.run([wrapper, *(half for half, _ in halves), "-o", target], check=True, timeout=120)
    return target


def compile_at(wrapper, source, level, target):
    """Compiles one program, with records."""
    if "WITHOUT_RECORDS" in source.read_text():
        return compile_mixed(wrapper, source, level, target)
    subprocess.run([wrapper, "--inspect-states", "-w", level, "-g", source, "-o", target], check=True, timeout=120)
    return target


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--check", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--seeds", type=int, nargs=2, default=[0, 0])
    parser.add_argument("--described", default="0")
    parser.add_argument("--error")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    if options.error:
        os.environ["INSPECT_STATES_ERROR"] = os.environ["INSPECT_MUTANT"] = options.error
    options.work.mkdir(parents=True, exist_ok=True)
    sources = [pathlib.Path(f) for f in options.files]
    for seed in range(options.seeds[0], sum(options.seeds)):
        source = options.work / f"generated{seed}.c"
        text = subprocess.run([sys.executable, HERE / "generate.py", str(seed)], check=True, capture_output=True, text=True, timeout=60)
        source.write_text(text.stdout)
        sources.append(source)
    programs = [compile_at(options.bin / "inspect-cc", source, level, options.work / (source.stem + level))
                for source in sources for level in LEVELS]
    inherited, _ = os.pipe()  # what is open before main is no change: states have identities all the same
    check = subprocess.run([options.check, "--runs", "150", "--described", options.described, *programs], timeout=600,
                           pass_fds=[inherited])
    return check.returncode != (1 if options.error else 0)


if __name__ == "__main__":
    sys.exit(main())
