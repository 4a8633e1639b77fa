#!/usr/bin/env python3
"""Every command in a document is run, and ends with the exit status that stands beside it.

    documents_test.py --build BUILD --source SOURCE DOCUMENT...

Each fenced block is one of these, as the comment before it says:
    ```sh without a comment      commands, one a line; `# exit status N` at the end of a line, else 0
    <!-- file NAME -->           is written into the folder in which the commands run
    <!-- output -->              lines that the last command prints, in this order; `...` stands for others
    <!-- needs PROGRAM -->       as commands, if that program is installed
    <!-- in FOLDER -->           as commands, in a copy of that folder beside this file; `...` is what is above the build folder
    <!-- not run: WHY -->        is left out, and named
`./dev check` of the README stands for `build/bin/inspect check`: building is not what is tested.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BLOCK = re.compile(r"^(?:<!-- (?P<what>[^\n]*) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
STATUS = re.compile(r"\s+# exit status (\d+)$")
DEV = '#!/bin/sh\ntest "$1" = check || exit 9\nshift\nexec build/bin/inspect check "$@"\n'


class Document:
    def __init__(self, path, build, source):
        self.path, self.text = path, path.read_text()
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.said = ""
        self.faults, self.left_out, self.count = [], [], 0
        (self.folder / "build").symlink_to(build)
        shutil.copytree(source / "examples", self.folder / "examples")
        (self.folder / "dev").write_text(DEV)
        (self.folder / "dev").chmod(0o755)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")}
        self.environment["PATH"] = f"{build}/bin:{os.environ['PATH']}"
        self.environment["COLUMNS"] = "110"

    def fault(self, at, what):
        self.faults.append(f"{self.path}:{self.text.count(chr(10), 0, at) + 1}: {what}")

    def run(self):
        for block in BLOCK.finditer(self.text):
            what, text, at = block["what"] or "", block["text"], block.start("text")
            kind, _, rest = what.partition(" ")
            if kind == "file":
                (self.folder / rest).write_text(text)
            elif kind == "output":
                self.output(text, at)
            elif what.startswith("not run: "):
                self.left_out.append(f"{self.path.name}: not run ({what[9:]}): {text.splitlines()[0]}")
            elif kind == "needs" and not shutil.which(rest):
                self.left_out.append(f"{self.path.name}: not run (no {rest})")
            elif block["language"] == "sh" and kind == "in":
                self.commands(text.replace(".../build", str(self.folder / "build")), at, self.project(rest))
            elif block["language"] == "sh" and kind in ("", "needs"):
                self.commands(text, at, self.folder)
            else:
                self.fault(at, "a block that no comment explains")
        shutil.rmtree(self.folder)

    def project(self, name):
        folder = self.folder / name
        if not folder.exists():
            shutil.copytree(HERE / name, folder)
            (folder / "build").symlink_to(self.folder / "build")
        return folder

    def commands(self, text, at, folder):
        for line in text.replace("\\\n", " ").splitlines():
            command = line.strip()
            if not command or command.startswith("#"):
                continue
            expected, begin = STATUS.search(command), time.monotonic()
            try:
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=self.environment, stdin=subprocess.DEVNULL, text=True,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", timeout=120, check=False)
            except subprocess.TimeoutExpired:
                self.fault(at, f"{command}: takes longer than two minutes")
                continue
            self.said = done.stdout
            self.count += 1
            print(f"{time.monotonic() - begin:5.1f} s  {command}", flush=True)
            status = int(expected[1]) if expected else 0
            if done.returncode != status:
                self.fault(at, f"{command}: exit status {done.returncode}, expected {status}\n{done.stdout[-2000:]}")

    def output(self, text, at):
        said, where = self.said.splitlines(), 0
        for line in text.splitlines():
            if line.strip() == "...":
                continue
            fitting = [i for i in range(where, len(said)) if said[i].rstrip() == line.rstrip()]
            if not fitting:
                self.fault(at, f"the command does not print (any more, or not there): {line}\n" + self.said[-3000:])
                return
            where = fitting[0] + 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("documents", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    faults = []
    for path in options.documents:
        document = Document(path, options.build.resolve(), options.source.resolve())
        document.run()
        print("\n".join(document.left_out + [f"{path.name}: {document.count} commands"]))
        faults += document.faults
        if not document.count:
            faults.append(f"{path}: no command was run")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
