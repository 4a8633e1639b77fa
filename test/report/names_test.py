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
         "#0 Pool::~Pool() at pool.cpp:37 #1 main at pool.cpp", "#1 std::condition_variable::wait() #2 Pool::")
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


def compiled(bench, source, *flags):
    compiler = bench.tools / ("inspect-c++" if source.endswith(".cpp") else "inspect-cc")
    subprocess.run([compiler, *flags, source, "-o", "compiled"], cwd=bench.folder, timeout=120, check=True)
    return "./compiled"


def types_of_the_heap_are_those_of_the_debug_information(bench):
    for flag in ["-O0", "-O2"]:
        program = compiled(bench, "types.cpp", flag)
        def named(number):
            text = bench.inspect("check", "--progress=off", program, "--", *map(str, range(number - 1)))
            return [re.sub(r":\d+\)", ")", name) for name in re.findall(r"for mutex (.*?)(?:,| \(thread)", text.splitlines()[0])]

        brick, apple = "Brick(types.cpp).side", "Apple(types.cpp).stem"
        for number, names in enumerate([[brick, brick], [brick, brick], ["Holder<std::string>(types.cpp).guard", "Brick(types.cpp).other"],
                                        [apple, brick], [brick, apple],
                                        ["std::map(types.cpp).second.side", "std::unordered_map(types.cpp).second.stem"],
                                        ["Ended[](types.cpp)[2].m", "Apple[](types.cpp)[0].stem"], [apple, brick],
                                        ["heap object(types.cpp)", apple]], 1):
            expect(sorted(named(number)) == sorted(names), flag, number, named(number), names)


def types_in_c_are_those_of_the_variable(bench):
    program = compiled(bench, "types.c")
    for number, name in enumerate(["node(types.c:33).value", "node(types.c:38).value", "node(types.c:24).value",
                                   "entry[](types.c:48)[2].count", "heap object(types.c:53)", "heap object(types.c:58)"], 1):
        text = bench.check(program, "--", *map(str, range(number - 1)))
        says(text.splitlines()[0] + " ", f"freed memory: {name} (thread")


def optimised_code_has_the_places_of_the_user_s_code(bench):
    for flag in ["-O0", "-O2"]:
        text = bench.check("optimised.cpp", "--cflags=" + flag)
        says(text, "(thread 0 at optimised.cpp:12:32)", "thread 0 waits for mutex p.lock at optimised.cpp:12, held by",
             "thread 0.0 waits for mutex q.lock at optimised.cpp:12, held by")


def marked(text):
    """What stands in the starred lines of the table."""
    return [re.sub(r"^[ 0-9]+\* +", "", line) for line in text.splitlines() if re.match(r"[ 0-9]{4}\* ", line)]


def stars_stand_at_the_steps_of_the_bug(bench):
    program = compiled(bench, "stars.cpp")

    def of(number):
        return bench.check(program, "--", *map(str, range(number - 1)))
    for number, stars in enumerate([["waits for mutex left", "waits for mutex right"],
                                    ["waits for the end of thread 0.0", "waits for mutex m"],
                                    ["frees Node(stars.cpp:12)", "read Node(stars.cpp:12).value"],
                                    ["returns from started(), which ends counter", "read counter"],
                                    ["assertion failed: n == 3"], ["abort() was called"], ["assertion failed: n == 1"]], 1):
        expect(marked(of(number)) == stars, number, marked(of(number)))
    says(of(3), "stars.cpp:31 delete head; * frees Node(stars.cpp:12) stars.cpp:31 delete head; write head")  # as it happened
    says(of(4), "counter was a variable of thread 0: #0 started() at stars.cpp:19 #1 main at stars.cpp:54")


def a_switch_that_does_not_matter_is_not_blamed(bench):
    program = compiled(bench, "stars.cpp")
    for words in [[], ["--algorithm=random"], ["--algorithm=random", "--seed=3"]]:
        text = bench.check(program, *words, "--", "1", "2", "3", "4")
        expect("decisive" not in text and "goes wrong if" not in text, words, text)
        text = bench.check(program, *words, "--", *"123456")
        says(text, "----- decisive switch:", "goes wrong if thread 0.1 runs before stars.cpp:69 of thread 0.0")


def a_choice_of_who_goes_on_may_be_decisive(bench):
    """Though each thread was left only where it had to wait."""
    text = bench.check("--minimise=100", "channel.cpp")
    says(text, "----- decisive switch:", "goes wrong if thread 0.", "* waits for condition variable ch.cv")


def both_sides_of_a_free_without_order_are_shown(bench):
    text = bench.check("unordered.cpp")
    expect(marked(text) == ["read Node(unordered.cpp:18)#2.next:", "frees Node(unordered.cpp:18)#2"], marked(text), text)
    says(text, "stack of thread 0.1: #0 Stack::pop() at unordered.cpp:26", "stack of thread 0.0: #0 Stack::pop() at unordered.cpp:23")


def calls_have_the_names_that_the_user_wrote(bench):
    program = compiled(bench, "calls.cpp")

    def of(number):
        return bench.check(program, "--", *map(str, range(number - 1)))
    text = of(1)
    says(text, "fopen: the names of files", "fputs: file contents, descriptor", "fgetc: file contents", "assertion failed: c == EOF")
    expect("fails" not in text and "operation on a file" not in text, text)
    text = of(2)
    says(text, "without an exception: a std::thread was left that had been neither joined nor detached (thread 0 at calls.cpp:45:",
         "std::terminate is called", "… 1 frame of libraries #1 std::thread::~thread() #2 main at calls.cpp:45")
    expect("atexit" not in text, text)
    text = of(3)
    says(text, "already freed: Buffer(calls.cpp:15) (thread 0")
    says(text, "read shared: &Buffer(calls.cpp:15) calls.cpp")
    expect(marked(text) == ["frees Buffer(calls.cpp:15)"] * 2, marked(text), text)
    text = of(4)
    says(text, "4 pthread_setname_np calls.cpp:")
    expect("unnamed" not in text, text)
    text = of(5)
    says(text, "std::call_once(once) calls.cpp:")
    expect("void std" not in text, text)
    text = of(6)
    says(text, "exit: next handler (", "what streams hold is written out")
    expect("atexit" not in text and "operation on a file" not in text, text)
    says(of(7).splitlines()[0], "of table without order to", "(thread 0.0 at calls.cpp:", "other access at calls.cpp:")
    text = of(8)
    says(text, "std::packaged_task::operator() sets future's state(calls.cpp:", "std::packaged_task::operator() wakes who waits on future's")
    expect("futex" not in text[:text.index("assumption")] and "pthread_once" not in text, text)


def parts_of_objects_have_their_names(bench):
    program = compiled(bench, "parts.cpp", "-std=c++20")
    for number, words in enumerate([["write of 1 byte of conns[1].state", "read conns[1].state: State::idle"],
                                    ["of conns[1].{mode, more}"], ["write of 8 bytes of conns[1].name.size()"],
                                    ["conns[1].handler"]], 1):
        says(bench.check(program, "--", *map(str, range(number - 1))), *words)


def what_lasts_has_names(bench):
    """thread_local variables, and objects of the heap that constructors made before main."""
    program = compiled(bench, "lasting.cpp", "-std=c++20")
    for number, words in enumerate([["write of 1 byte of cache.warm of thread 0 ", "read cache.warm of thread 0: false"],
                                    ["read depth of thread 0: 3"], ["read main::inner of thread 0: 5"],
                                    ["write of 4 bytes of Node(lasting.cpp:20).value ", "read head: &Node(lasting.cpp:20)"],
                                    ["int[](lasting.cpp:21)[1]: 2"], ["Cache(lasting.cpp:22).warm: false"],
                                    ["locks cache.lock of thread 0.0", "waits for mutex cache.lock of thread 0 at"],
                                    ["frees Node(lasting.cpp:20)", "allocated before main: #0 "]], 1):
        says(bench.check(program, "--", *map(str, range(number - 1))), *words)
    bench.inspect("replay", "--quiet", "inspect-bug.schedule")


def what_is_behind_a_future_has_names(bench):
    program = compiled(bench, "promise.cpp", "-std=c++20")
    says(bench.check(program), "for a change of future's state(promise.cpp:8) (thread 0 at promise.cpp:13:",
         "thread 0 waits for a change of future's state(promise.cpp:8) at promise.cpp:13")
    text = bench.check(program, "--", "1", columns=300)
    says(text, "use count of std::promise(promise.cpp:8): 1 -> 2", "future's state(promise.cpp:8): not ready, awaited -> ready",
         "std::promise::set_value wakes who waits on future's state(promise.cpp:8)",
         "std::future::get wakes from waiting on future's state(promise.cpp:8)")
    for word in ("futex", "once", "2147483648", "_State"):
        expect(word not in text[:text.index("assumption")], word, text)


def a_pointer_to_a_function_has_its_name(bench):
    (bench.folder / "pointer.c").write_text(
        "#include <assert.h>\n#include <pthread.h>\nstatic void closes(void) {}\nstatic void (*handler)(void);\nstatic pthread_mutex_t m;\n"
        "static void *f(void *u) { pthread_mutex_lock(&m); handler = closes; pthread_mutex_unlock(&m); return u; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); int set = handler != 0;\n"
        "  pthread_mutex_unlock(&m); pthread_join(t, 0); assert(!set); }\n")
    says(bench.check("pointer.c"), "write handler = closes", "read handler: closes")


def a_source_that_was_changed_is_said_to_be(bench):
    program = compiled(bench, "condvar.cpp")
    expect("was changed after" not in bench.check(program), "it was not")
    os.utime(bench.folder / "condvar.cpp", (2**32, 2**32))
    says(bench.check(program), "note: condvar.cpp was changed after the program was built: the lines shown may not be those that ran")
    says(bench.inspect("report", "inspect-bug.schedule", status=0), "condvar.cpp was changed after the schedule was recorded")


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


def a_source_elsewhere_is_found(bench):
    (bench.folder / "below").mkdir()
    (bench.folder / "beside").mkdir()
    shutil.copy(HERE / "programs/types.c", bench.folder / "beside/types.c")
    result = subprocess.run([bench.tools / "inspect-cc", bench.folder / "beside/types.c", "-o", bench.folder / "below/compiled"],
                            cwd=bench.folder / "below", check=False)
    expect(result.returncode == 0, result)
    says(bench.check("below/compiled"), "(thread 0 at beside/types.c:35:20, other access at beside/types.c:34:7)",
         "beside/types.c:34 free(head)")


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
    says(bench.check("--minimise=100", "--visible=all", "optimised.cpp"), "note: --minimise had no effect")


CASES = [a_schedule_is_made_short, a_race_in_a_thread_pool, a_replay_says_the_same, a_race_with_a_future, a_freed_object_of_a_shared_pointer,
         types_of_the_heap_are_those_of_the_debug_information, types_in_c_are_those_of_the_variable,
         stars_stand_at_the_steps_of_the_bug, a_switch_that_does_not_matter_is_not_blamed,
         a_choice_of_who_goes_on_may_be_decisive, both_sides_of_a_free_without_order_are_shown, calls_have_the_names_that_the_user_wrote, parts_of_objects_have_their_names, what_lasts_has_names, what_is_behind_a_future_has_names, a_pointer_to_a_function_has_its_name,
         a_source_that_was_changed_is_said_to_be, optimised_code_has_the_places_of_the_user_s_code, a_lost_notification, a_lock_free_stack, values_read_as_their_types, an_exception_says_what_it_is,
         state_of_the_library_is_called_by_the_call, narrow_terminals_list_the_threads, a_source_elsewhere_is_found,
         paths_have_one_form]

if __name__ == "__main__":
    sys.exit(run(CASES, Bench, __doc__))
