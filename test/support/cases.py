"""Test programs that are a list of cases: each one runs in a folder of its own, and fails with what differed."""

import argparse
import pathlib
import subprocess
import tempfile
import time


class Failure(Exception):
    pass


def expect(condition, *facts):
    if not condition:
        raise Failure("\n".join(str(f) for f in facts))


def run(cases, make_bench, description):
    """Runs the cases that the command line names, each with make_bench(tools, folder). Returns the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    failed = 0
    for case in cases:
        if options.names and not any(name in case.__name__ for name in options.names):
            continue
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            try:
                case(make_bench(options.bin.resolve(), pathlib.Path(folder)))
                print(f"ok      {case.__name__} ({time.monotonic() - began:.1f} s)", flush=True)
            except (Failure, subprocess.SubprocessError) as failure:
                failed += 1
                print(f"FAILED  {case.__name__}\n{failure}", flush=True)
    return 1 if failed else 0
