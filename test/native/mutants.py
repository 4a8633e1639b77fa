#!/usr/bin/env python3
"""Deliberate errors, one by one: the program named beside each must show it.

    mutants.py --bin BUILD/bin --prefix BUILD/test/native/mutants --work FOLDER [--find SECONDS]

runtime: a row of src/runtime/platform/mutations.def; search: one of src/search/mutations.def. --find looks for programs that show what is not
shown yet, and prints rows of the table; needed again whenever generator.py changes.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

from fuzz import BEST, CHUNK, Chain, check, subjects_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES, PROGRAMS = ROOT / "src", ROOT / "test/programs"
ALGORITHMS = ",".join(BEST)

# (where, mutation): seed of a program that shows it.
SHOWN_BY = {
    ("runtime", "known_writes_unwatched"): 1476,
    ("runtime", "held_lock_unseen"): 1970,
    ("runtime", "writes_unwatched"): 339,
    ("runtime", "carried_not_compared"): 224,
    ("runtime", "effects_unwatched"): 706,
    ("runtime", "timed_lock_never_gives_up"): 311,
    ("runtime", "handed_over_lock_unseen"): 13,
    ("runtime", "probe_keeps_its_lock"): 1,
    ("runtime", "seen_turns_spoil_all"): 700297,
    ("runtime", "offered_lock_is_progress"): 530289,
    ("runtime", "failed_trylock_touches_nothing"): 13,
    ("search", "latest_race_only"): 0,
    ("search", "skip_blocked_pending"): 13,
    ("search", "locks_not_reversed"): 38,
    ("search", "sleepers_never_wake"): 0,
    ("search", "one_alternative"): 13,
    ("search", "failed_attempts_ignored"): 13,
    ("search", "ignore_second_object"): 13,
}
# No random program shows them, but one of test/programs: the verdict under `source`, with these options, is another one.
SHOWN_BY_PROGRAM = {
    ("runtime", "waits_race_with_nothing"): ("fail/spin_on_plain_write.c",),
    ("runtime", "shown_writes_unseen"): ("fail/spin_shows_its_stack.c", "--max-executions=300"),
    ("runtime", "probe_gives_nothing"): ("fail/spin_lets_itself_be_seen.c",),
    ("runtime", "atomic_changes_unseen"): ("fail/spin_shows_a_count.c",),
    ("runtime", "signal_wakes_first"): ("fail/condition_wakes_any.c",),
    ("runtime", "balances_not_compared"): ("fail/spin_locks_again.c", "--max-steps=100"),
}
# No program found yet that shows them. sleepers_stay_asleep may have none: the search explores what the runtime leaves out too much.
NOT_SHOWN = {("runtime", "probe_keeps_writes"), ("runtime", "bits_set_by_nobody"), ("runtime", "sleepers_stay_asleep"),
             ("search", "ignore_join")}
# The business of test/identity.
OF_STATES = {("runtime", "plain_writes_not_noted"), ("runtime", "operations_not_noted")}
# That of test/explicit_engine.
OF_EXPLICIT = {("runtime", name) for name in (
    "threads_sorted_by_addresses", "owners_do_not_matter", "handles_do_not_matter", "rows_are_guessed", "data_leads_nowhere",
    "hashes_collide", "descriptions_lack_memory",
    "stacks_are_private", "everything_is_independent", "ends_are_independent")}
# That of known_races.py.
OF_RACES = {("runtime", "races_make_no_points")}
# That of checkpoints.py.
OF_CHECKPOINTS = {("runtime", "checkpoints_one_step_further"), ("runtime", "checkpoints_share_offsets")}
# That of interruptions.py.
OF_SIGNALS = {("runtime", "signals_sent_unseen")}
# Those of the search that need more than one algorithm or a bound are the business of test/oracle.
SEARCH = ("latest_race_only", "skip_blocked_pending", "locks_not_reversed", "sleepers_never_wake", "one_alternative",
          "failed_attempts_ignored", "ignore_join", "ignore_second_object")


def runtime_mutations():
    return re.findall(r"^MUTATION\((\w+),", (SOURCES / "runtime/platform/mutations.def").read_text(), re.M)


def all_mutations():
    return [("runtime", m) for m in runtime_mutations() if ("runtime", m) not in OF_STATES | OF_EXPLICIT | OF_RACES | OF_SIGNALS | OF_CHECKPOINTS] + [("search", m) for m in SEARCH]


# Those that make the classes of executions depend on the order of independent steps: plain enumeration has other ones then.
ALGORITHMS_OF = {("runtime", "seen_turns_spoil_all"): "naive,dpor"}


def shows(chain, executable, number, subject, mutant):
    """Does the program differ from what it must do, with this error?"""
    where, name = mutant
    results = chain.explore(executable, [number], ALGORITHMS_OF.get(mutant, ALGORITHMS), mutation=name if where == "search" else None,
                            runtime_mutation=name if where == "runtime" else None)
    return check(subject[1], subject[2], results[number])


def verdict_of(chain, work, executable, options, mutation):
    report = work / "program.json"
    report.unlink(missing_ok=True)
    command = [chain.bin / "inspect", "check", "--algorithm=source", "--progress=off", f"--json={report}",
               f"--schedule={work / 'program.schedule'}", *options, executable]
    subprocess.run(command, env=os.environ | {"INSPECT_MUTANT": mutation}, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)
    told = json.loads(report.read_text())
    return told["verdict"], [bug["kind"] for bug in told.get("bugs", [])]


def verify_programs(chain, work):
    """Returns the errors that the programs named in SHOWN_BY_PROGRAM do not show."""
    failed = []
    for (where, name), (program, *options) in SHOWN_BY_PROGRAM.items():
        executable = work / pathlib.Path(program).stem
        subprocess.run([chain.compiler, "-std=gnu17", "-O1", "-g", "-pthread", PROGRAMS / program, "-o", executable], check=True, timeout=300)
        right, wrong = (verdict_of(chain, work, executable, options, m) for m in ("none", name))
        print(f"{where} {name}: {program}: {right} -> {wrong}{' NOT NOTICED' * (right == wrong)}")
        if right == wrong:
            failed.append((where, name))
    return failed


def verify(chain, work):
    subjects = subjects_of(sorted(set(SHOWN_BY.values())))
    executable = chain.build([p for _, p, _ in subjects], work / "mutants", 1)
    failed = [m for m in all_mutations() if m not in SHOWN_BY and m not in SHOWN_BY_PROGRAM and m not in NOT_SHOWN]
    for mutant in failed:
        print(f"{mutant}: no program shows it (--find)")
    for number, subject in enumerate(subjects):
        wrong = shows(chain, executable, number, subject, ("none", None))
        if wrong:
            failed.append(subject[0])
            print(f"seed {subject[0]} differs without any error: {wrong[1]}")
    for mutant, seed in SHOWN_BY.items():
        number = next(i for i, s in enumerate(subjects) if s[0] == seed)
        wrong = shows(chain, executable, number, subjects[number], mutant)
        print(f"{' '.join(mutant)}: {wrong[1][:120] if wrong else 'NOT NOTICED'}")
        if not wrong:
            failed.append(mutant)
    return 1 if failed + verify_programs(chain, work) else 0


def find(chain, work, seconds, first):
    wanted = [m for m in all_mutations() if m not in SHOWN_BY and m not in SHOWN_BY_PROGRAM]
    end, seed = time.monotonic() + seconds, first
    while wanted and time.monotonic() < end:
        subjects = subjects_of(range(seed, seed + CHUNK))
        executable = chain.build([p for _, p, _ in subjects], work / "candidates", 1)
        plain = chain.explore(executable, range(len(subjects)), ALGORITHMS)
        quick = [i for i, s in enumerate(subjects)
                 if all(r.exhausted and r.executions < 300 for r in plain[i]) and not check(s[1], s[2], plain[i])]
        for where, name in list(wanted):
            results = chain.explore(executable, quick, ALGORITHMS, mutation=name if where == "search" else None,
                                    runtime_mutation=name if where == "runtime" else None)
            for i in quick:
                wrong = check(subjects[i][1], subjects[i][2], results[i])
                if wrong:
                    wanted.remove((where, name))
                    print(f"    (\"{where}\", \"{name}\"): {subjects[i][0]},  # {wrong[1][:70]}", flush=True)
                    break
        seed += CHUNK
    print(f"up to seed {seed}; not shown: {wanted}")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--prefix", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--find", type=float, default=0, metavar="SECONDS")
    parser.add_argument("--seed", type=int, default=0, help="of the first program that --find tries")
    options = parser.parse_args()
    bin, work = pathlib.Path(options.bin).resolve(), pathlib.Path(options.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    chain = Chain(bin, pathlib.Path(options.prefix).resolve() / "bin/inspect-cc", bin / "native_explorer_mutants", 1500)
    return find(chain, work, options.find, options.seed) if options.find else verify(chain, work)


if __name__ == "__main__":
    sys.exit(main())
