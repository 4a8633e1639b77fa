#!/usr/bin/env python3
"""The Debian packages of a build: what they depend on, and that what is unpacked from them passes the README's example.

    deb_test.py BUILD WORK

That they install on a bare machine is shown by tools/bare_machine.sh, which needs a mirror and a quarter of an hour.
"""

import pathlib
import re
import shutil
import subprocess
import sys


def run(*words, status=0, folder=None):
    done = subprocess.run([str(w) for w in words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode != status:
        sys.exit(f"{words} ends with {done.returncode}, expected {status}:\n{done.stdout}")
    return done.stdout


def expect(condition, what):
    if not condition:
        sys.exit(what)


def main():
    build, work = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    shutil.rmtree(work, ignore_errors=True)
    (work / "user").mkdir(parents=True)
    # Fast rather than small.
    run("cpack", "-G", "DEB", "-B", work / "made", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", folder=build)
    package, = (work / "made").glob("inspect_*.deb")
    depends = set(re.findall(r"[\w.+-]+(?= \(|,|$)", run("dpkg-deb", "-f", package, "Depends").strip()))
    expect({"clang-19", "libc6", "libdw1", "libfmt9", "libllvm19", "libstdc++6"} <= depends, f"depends on {depends}")
    expect(not any("mpi" in name for name in depends), f"depends on an MPI: {depends}")
    for other in (work / "made").glob("inspect-mpi_*.deb"):
        expect("inspect (=" in run("dpkg-deb", "-f", other, "Depends"), "inspect-mpi goes with any inspect")
    run("dpkg-deb", "-x", package, work / "root")
    usr = work / "root/usr"
    for path in ("share/man/man1/inspect-check.1", "share/bash-completion/completions/inspect", "lib/pkgconfig/inspect.pc",
                 "share/zsh/vendor-completions/_inspect", "share/fish/vendor_completions.d/inspect.fish", "lib/cmake/Inspect/InspectConfig.cmake"):
        expect((usr / path).exists(), f"the package lacks {path}")
    examples = usr / "share/doc/inspect/examples"
    shutil.copy(examples / "bank.c", work / "user")
    said = run(usr / "bin/inspect", "check", "bank.c", status=1, folder=work / "user")
    expect("BUG: deadlock" in said, said)
    run(usr / "bin/inspect", "replay", "inspect-bug.schedule", status=1, folder=work / "user")
    run(usr / "bin/inspect", "check", examples / "queue.cpp", folder=work / "user")
    run(usr / "bin/inspect", "check", "--engine=symbolic", "--quiet", examples / "bank_fixed.c", folder=work / "user")


if __name__ == "__main__":
    main()
