#!/usr/bin/env python3
"""What the real tool calls things in its reports: objects, values, operations, places, stacks.

    names_test.py --bin BIN [NAME...]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from cases import expect, run  # noqa: E402

# In no report: numbers of addresses, our own files, places without a line, and what the library calls its own.
NEVER = ["inspect-runtime", "inspect-standard", "src/standard", "src/runtime", ":0 ", ":0\n", "new_allocator.h", "gthr-default.h",
         "stack of thread 0 ", "inspect_hidden", "0x3000"]


class Bench:
    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder
        for source in (HERE / "programs").iterdir():
            shutil.copy(source, folder)

    def inspect(self, *words, columns=150, status=1):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("INSPECT_")} | {"COLUMNS": str(columns)}
        result = subprocess.run([self.tools / "inspect", *words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, timeout=120, check=False)
        expect(result.returncode == status, words, result.stdout, result.stderr)
        return result.stdout

    def check(self, *words, **options):
        text = self.inspect("check", "--progress=off", *words, **options)
        for word in NEVER if "--frames=all" not in words else []:
            expect(word not in text, f"{word!r} in", text)
        return text


def says(text, *words):
    flat = re.sub(r"\s+", " ", text)
    for word in words:
        expect(word in flat, f"{word!r} is not in", text)


def a_race_in_a_thread_pool(bench):
    text = bench.check("pool.cpp")
    says(text, "read of 1 byte of pool.stop", "write pool.stop", "std::lock_guard locks pool.m", "std::lock_guard unlocks pool.m",
         "std::thread starts thread 0.0 pool.cpp:16", "pool.cv.notify_one() wakes nobody", "pool.cv.notify_all()",
         "#0 Pool::~Pool() at pool.cpp:37 #1 main at pool.cpp", "of libraries")
    expect("decisive" not in text, "each switch was forced", text)
    says(bench.check("--frames=all", "pool.cpp"), "std::condition_variable::wait<", "in Pool::add(")


def a_replay_says_the_same(bench):
    text = bench.check("pool.cpp")
    again = bench.inspect("replay", "inspect-bug.schedule")
    table = text[text.index("      thread 0 (main)"):text.index("replay with")]
    expect(table in again, "the report", text, "the replay", again)
    expect("stack of thread 0" in (bench.folder / "inspect-bug.schedule").read_text(), "schedule files are symbolic as ever")


def a_race_with_a_future(bench):
    says(bench.check("future.cpp"), "write of 8 bytes of current", "read current: nullptr", "std::async starts thread 0.0 future.cpp:",
         "steps within")


def a_freed_object_of_a_shared_pointer(bench):
    text = bench.check("shared.cpp")
    says(text, "freed memory: Node(shared.cpp:8).value", "locks cache.lock", "frees Node(shared.cpp:8) shared.cpp:10",
         "freed by thread 0.1", "Cache::drop() at shared.cpp:10", "allocated by thread 0", "other access at shared.cpp:10",
         "----- decisive switch: thread 0.0 stops here, thread 0.1 goes on")


def a_lost_notification(bench):
    text = bench.check("condvar.cpp")
    says(text, "locks accounts[3].lock", "std::unique_lock locks channel.m", "atomic load channel.state: State::idle",
         "atomic store channel.state = State::ready", "channel.changed.notify_one() wakes nobody", "channel.changed.wait(channel.m)",
         "thread 0.0 for condition variable channel.changed", "thread 0 waits for the end of thread 0.0: #0 std::thread::join() #1 main at condvar.cpp:28",
         "main::$_0::operator()() const at condvar.cpp:19")


def a_lock_free_stack(bench):
    text = bench.check("queue.cpp")
    says(text, "atomic store Node(queue.cpp:26).next = nullptr", "compare-exchange stack.top_: nullptr -> &Node(queue.cpp:26)",
         "popped: 0 -> 1", "stack of thread 0: #0 main at queue.cpp:38")


def values_read_as_their_types(bench):
    says(bench.check("kinds.c"), "items[1].colour = green", "items[1].letter = 'x'", "items[1].full = true",
         "items[1].next = &items[0]", 'items[1].name = "a name that is rather lo…"', "items[1].at[2].y: 3")
    says(bench.check("kinds.c", "--", "1", "2", "3"), "bytes of items[1].", "race")
    says(bench.check("kinds.c", "--", "1"), "read of 4 bytes of a stack object whose block has ended: here", "write here")
    text = bench.check("kinds.c", "--", "1", "2")
    says(text, "write of 8 bytes of freed memory: item(kinds.c:48).next", "frees item(kinds.c:48) kinds.c:33",
         "freed by thread 0.0: #0 release at kinds.c:33")


def an_exception_says_what_it_is(bench):
    says(bench.check("thrown.cpp"), "uncaught exception of type std::runtime_error: no space left", "fail(int) at thrown.cpp:5")


def state_of_the_library_is_called_by_the_call(bench):
    text = bench.check("locale.c")
    says(text, "write of 8 bytes of hidden state of setlocale", "write hidden state of setlocale")
    expect("inspect_library_state" not in text, "a name of our own", text)


def narrow_terminals_list_the_threads(bench):
    text = bench.check("shared.cpp", columns=70)
    long = [line for line in text[:text.index("* marks")].splitlines()[2:] if len(line) > 70]
    expect(not long, "too long", *long)
    says(text, "2 0 std::thread starts thread 0.0", "8 0.1 std::lock_guard locks cache.lock")


def paths_have_one_form(bench):
    text = bench.check(str(bench.folder / "pool.cpp"))
    says(text, "(thread 0.0 at pool.cpp:23:39, other access at pool.cpp:37:10)", "#1 main at pool.cpp")
    expect(str(bench.folder) not in text[:text.index("VERIFIED" if "VERIFIED" in text else "BUG")], "an absolute path", text)


def switches(schedule):
    """How often a schedule file goes from one thread to another, and its steps."""
    threads = [line.split()[0] for line in schedule.read_text().splitlines() if re.match(r"0[.0-9]* [A-Z]", line)]
    return sum(a != b for a, b in zip(threads, threads[1:])), len(threads)


def a_schedule_is_made_short(bench):
    words = ["--algorithm=random", "--seed=1", "queue.cpp"]
    bench.check(*words)
    found = switches(bench.folder / "inspect-bug.schedule")
    text = bench.check("--minimise=100", *words)
    short = switches(bench.folder / "inspect-bug.schedule")
    expect(short < found and short[0] <= 5, found, short)
    says(text, "goes wrong if thread 0.1 runs")
    bench.inspect("replay", "--quiet", "inspect-bug.schedule")


CASES = [a_schedule_is_made_short, a_race_in_a_thread_pool, a_replay_says_the_same, a_race_with_a_future, a_freed_object_of_a_shared_pointer,
         a_lost_notification, a_lock_free_stack, values_read_as_their_types, an_exception_says_what_it_is,
         state_of_the_library_is_called_by_the_call, narrow_terminals_list_the_threads, paths_have_one_form]

if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__))
