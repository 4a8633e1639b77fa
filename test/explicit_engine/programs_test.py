#!/usr/bin/env python3
"""Test programs of the native engine under --engine=explicit: the verdicts that their first lines ask for.

    programs_test.py --bin BIN --programs FOLDER [NAME...]

A bug is replayed by the native engine. Some verdicts differ by design: where the native engine gives up a loop that turns for
ever, this one closes a cycle.
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# A fast choice: each kind of bug, each kind of object, loops that wait, ends of threads and of the process.
NAMES = """
fail/abandoned_lock fail/atomic_section fail/barrier_count fail/bounded_buffer fail/c11_threads fail/detach fail/double_free
fail/exit_handler_status fail/exit_status_of_a_race fail/exit_while_running fail/join_twice fail/keys_in_use fail/lock_order
fail/lost_wakeup fail/missed_signal fail/never_initialised fail/nondet fail/once fail/poll_releases fail/poll_under_mutex
fail/racy_counter fail/rule_c4_published_object fail/rule_c6_access_before_free fail/rule_e1_assume_blocks_one
fail/rule_e1_first_exit_counts fail/rwlock_upgrade fail/semaphore_try fail/spin_cached_copy fail/spin_comes_too_late
fail/spin_forever fail/timed_lock fail/timed_wait fail/trylock_success fail/unlock_by_non_owner fail/use_after_free
fail/wait_for_byte
pass/aba_stack pass/atomic_counter pass/barrier pass/bounded_buffer pass/compare_exchange_loop pass/exit_while_running
pass/keys_in_use pass/lost_wakeup pass/message_passing pass/nondet pass/once pass/peterson pass/recursive_mutex
pass/robust_mutex pass/rule_b6_causal_time pass/rule_c4_published_object pass/rule_f1_peterson_reads_twice pass/rule_f1_yield_loop
pass/rwlock_try pass/semaphore_count pass/spin_backs_off pass/spin_before_exit pass/spin_handshake pass/spin_marks_itself
pass/test_and_set_lock pass/ticket_lock pass/timed_wait pass/trylock
""".split()


def cases_of(text):
    """What the lines ask for that neither need files nor another search."""
    for line in re.findall(r"// expect: (.*)", text):
        words = dict(w.split("=", 1) for w in shlex.split(line) if "=" in w)
        if not {"sources", "args", "stdin", "cflags", "algorithms"} & words.keys():
            yield words


def check(inspect, source, words):
    options = shlex.split(words.get("options", ""))
    with tempfile.TemporaryDirectory() as folder:

        def run(*arguments):
            return subprocess.run([str(inspect), *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False)

        done = run("check", "--engine=explicit", "--time-limit=60", "--json=r", "--schedule=s", *options, str(source))
        report = pathlib.Path(folder) / "r"
        if not report.exists():
            return "no report: " + done.stderr
        report = json.loads(report.read_text())
        kinds = [b["kind"] for b in report["bugs"]]
        if report["verdict"] not in words["verdict"].split("|"):
            return f"{report['verdict']} {kinds} {report['reason']}, expected {words['verdict']}"
        if kinds and "kind" in words and kinds[0] not in words["kind"].split("|"):
            return f"{kinds}, expected {words['kind']}"
        if kinds and (again := run("replay", "s")).returncode != 1:
            return "the bug does not happen again: " + again.stdout + again.stderr
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--programs", type=pathlib.Path, required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    failed = 0
    for name in options.names or NAMES:
        source = (options.programs / name).with_suffix(".c").resolve()
        for words in cases_of(source.read_text()):
            wrong = check(options.bin.resolve() / "inspect", source, words)
            failed += wrong is not None
            print(f"{'FAILED' if wrong else 'ok':8}{name} {words.get('options', '')} {wrong or ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
