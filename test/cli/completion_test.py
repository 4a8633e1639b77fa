#!/usr/bin/env python3
"""Completion and manual pages, as an installation has them: in bash and zsh at a terminal, in fish by its own command.

    completion_test.py --share BUILD/share --bin BIN

Shells that are not installed are named and left out, but for bash.
"""

import argparse
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import tempfile
import time
import unittest

SHARE = BIN = None

# What is typed before the tab, and the line that comes of it.
LINES = [
    ("inspect che", "inspect check"),
    ("inspect check --algo", "inspect check --algorithm="),
    ("inspect check --algorithm=opt", "inspect check --algorithm=optimal"),
    ("inspect check --quiet --races=ig", "inspect check --quiet --races=ignore"),
    ("inspect check --no-keep", "inspect check --no-keep-going"),
    ("inspect check only.", "inspect check only.c"),
    ("inspect check --suppressions=known", "inspect check --suppressions=known.txt"),
    ("inspect replay --gd", "inspect replay --gdb"),
    ("inspect replay b", "inspect replay bug.schedule"),
    ("inspect report --sa", "inspect report --sarif="),
    ("inspect-cc --inspect-st", "inspect-cc --inspect-states"),
]
FILES = ("only.c", "bug.schedule", "bug.txt", "known.txt")


class Terminal:
    """A shell at a terminal of its own."""

    def __init__(self, words, folder):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": str(folder), "PS1": "$ "})

    def until(self, pattern):
        said, end = "", time.monotonic() + 20
        while not (found := re.search(pattern, said)):
            if time.monotonic() > end or not select.select([self.terminal], [], [], 20)[0]:
                raise AssertionError(f"no {pattern!r} in {said!r}")
            said += os.read(self.terminal, 65536).decode(errors="replace")
        return found

    def say(self, text):
        os.write(self.terminal, text.encode())

    def completed(self, text):
        """The words of the line that a tab makes of `text`: printed by a command that is put before them."""
        self.say(text + "\t")
        self.say("\x01printf 'S<%s>E\\n' \x05; echo en''d\n")
        said = self.until(r"(?s).*\nend\r*\n")[0]
        return " ".join(re.findall(r"S<([^%>\r\n]*)>E", said))

    def close(self):
        os.kill(self.child, 9)
        os.waitpid(self.child, 0)
        os.close(self.terminal)


class Completion(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        for name in FILES:
            (self.folder / name).touch()

    def at_terminal(self, words, setting):
        shell = Terminal(words, self.folder)
        self.addCleanup(shell.close)
        shell.say(setting + "; echo rea''dy\n")
        shell.until(r"ready\r*\n")
        for before, after in LINES:
            with self.subTest(before):
                # zsh takes the = back when something else than a value follows.
                self.assertEqual(shell.completed(before).rstrip("="), after.rstrip("="))

    def test_bash(self):
        script = SHARE / "bash-completion/completions/inspect"
        self.at_terminal(["bash", "--norc", "--noprofile", "-i"], f"PS1=; source {script}; bind 'set bell-style none'")
        # All that there is, option by option; also where nothing separates words at `=`.
        for breaks in ("", "COMP_WORDBREAKS=${COMP_WORDBREAKS//=/}; "):
            text = (f"{breaks} source {script}; COMP_WORDS=(inspect check --engine=); COMP_CWORD=2; _inspect; "
                    "echo ${COMPREPLY[@]}; COMP_WORDS=(inspect check --); _inspect; printf '%s\\n' ${COMPREPLY[@]}")
            said = subprocess.run(["bash", "-c", text], capture_output=True, text=True, check=True).stdout.splitlines()
            self.assertIn("--engine=native", said[0])
            usage = subprocess.run([BIN / "inspect", "check", "--help"], capture_output=True, text=True, check=True).stdout
            options = set(re.findall(r"^  (--[\w-]+)", usage, re.MULTILINE))
            self.assertGreater(len(options), 30)
            self.assertEqual(options - {word.rstrip("=") for word in said[1:]}, set())

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh(self):
        setting = f"PS1=; fpath=({SHARE}/zsh/site-functions $fpath); autoload -Uz compinit; compinit -D -u; unsetopt beep; zstyle ':completion:*' menu no"
        self.at_terminal(["zsh", "-f", "-i", "-o", "no_prompt_sp"], setting)

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish(self):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        for before, after in LINES:
            program = before.split(" ", 1)[0]
            said = subprocess.run(["fish", "--no-config", "-c", f"source {SHARE}/fish/vendor_completions.d/{program}.fish; complete -C '{before}'"],
                                  cwd=self.folder, env=environment, capture_output=True, text=True, check=True)
            words = [line.split("\t")[0] for line in said.stdout.splitlines()]
            self.assertEqual(said.stderr, "")
            self.assertIn(after.split(" ")[-1].rstrip("="), [word.rstrip("=") for word in words], before)


class Manual(unittest.TestCase):
    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_pages(self):
        """No warning of the formatter's, and each option of the usage text."""
        for command in ("check", "replay", "report"):
            page = SHARE / f"man/man1/inspect-{command}.1"
            done = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-cbou", page], capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
            usage = subprocess.run([BIN / "inspect", command, "--help"], capture_output=True, text=True, check=True).stdout
            for option in re.findall(r"^  (--?[\w-]+)", usage, re.MULTILINE):
                self.assertRegex(done.stdout, rf"(?m)^ +{option}\b")
            if command == "replay":  # and each command that gdb has then
                source = (pathlib.Path(__file__).resolve().parents[2] / "src/process/gdb/commands.py").read_text()
                added = re.findall(r'"""((?:inspect-|info )[a-z]+)', source)
                self.assertGreaterEqual(len(added), 7)
                for word in added:
                    self.assertRegex(done.stdout, rf"(?m)^ +{word}\b")
            statuses = re.search(r"Exit status: (.*)", usage).group(1)
            self.assertIn(statuses[:30], re.sub(r"\s+", " ", done.stdout[done.stdout.index("EXIT STATUS"):]))
            self.assertNotIn("Exit status", done.stdout)
        for name in ("inspect", "inspect-cc"):
            done = subprocess.run(["groff", "-man", "-ww", "-Tascii", SHARE / f"man/man1/{name}.1"], capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")
        self.assertEqual((SHARE / "man/man1/inspect-c++.1").read_text(), ".so man1/inspect-cc.1\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", required=True, type=pathlib.Path)
    parser.add_argument("--bin", required=True, type=pathlib.Path)
    options, rest = parser.parse_known_args()
    SHARE, BIN = options.share.resolve(), options.bin.resolve()
    unittest.main(argv=["completion_test.py", *rest])
