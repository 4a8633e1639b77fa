# gdb's commands for a recorded schedule: run inside gdb, behind INSPECT_LINES and INSPECT_CHANNEL (process/debugger.cpp).
# A step back is a run from the start up to the step before: the schedule is the same each time.
import os
import re
import struct

import gdb


class InspectSchedule:
    """The steps, which of them is next, and before which one to stop."""

    def __init__(self, lines, channel):
        decode = lambda text: text.decode(errors="replace")
        self.lines = [(step, decode(thread), decode(action), decode(place), decisive) for step, thread, action, place, decisive in lines]
        self.steps = max([line[0] for line in self.lines], default=0)
        self.switch = next((line[0] for line in self.lines if line[4]), 0)
        self.path, self.stop_at, self.present_at = channel
        self.over = self.was_over = False  # at the end of the execution; before the program went on

    def _word(self, offset, value=None):
        channel = os.open(self.path, os.O_RDWR)
        try:
            if value is not None:
                os.pwrite(channel, struct.pack("=I", value), offset)
            return struct.unpack("=I", os.pread(channel, 4, offset))[0]
        finally:
            os.close(channel)

    def present(self):
        """The step that is next or under way; one more than there are at the end; 0 before the first."""
        if self.over:
            return self.steps + 1
        return self._word(self.present_at) if gdb.selected_inferior().pid else 0

    def describe(self, step):
        _, thread, action, place, decisive = next(line for line in self.lines if line[0] == step)
        before = next((line[1] for line in reversed(self.lines) if line[0] and line[0] < step), "?")
        text = f"inspect: before step {step} of {self.steps}: thread {thread}: {action}{'  ' + place if place else ''}\n"
        if decisive:
            text += f"inspect: this is the decisive switch: thread {before} stops here, thread {thread} goes on\n"
            text += "inspect: inspect-next, inspect-prev and inspect-where show the way; continue goes on to the bug\n"
        return text

    def in_words(self, why):
        """What the runtime says of threads that wait, with the names that the report gives them."""
        last = max([i for i, line in enumerate(self.lines) if line[0]], default=-1)
        waits = [f"thread {line[1]} {line[2].removeprefix('waits ')}" for line in self.lines[last + 1:] if line[2].startswith("waits for ")]
        return "every thread waits: " + ", ".join(waits) if waits and why.startswith("every thread waits") else why

    def on_continue(self, _):
        self.was_over, self.over = self.over, False

    def on_exit(self, _):
        self.over = self.was_over

    def go(self, step):
        """Runs to where `step` is next, from the start if it has been taken; beyond the last one: to the bug."""
        step = max(1, step)
        present = self.present()
        if step == present and gdb.selected_inferior().pid:
            return select_frame()
        self._word(self.stop_at, step if step <= self.steps else 0)
        if gdb.selected_inferior().pid and present < step:
            return gdb.execute("continue")
        confirm = gdb.parameter("confirm")
        gdb.execute("set confirm off")
        try:
            self._word(self.present_at, 0)
            gdb.execute("run")
        finally:
            gdb.execute("set confirm " + ("on" if confirm else "off"))


def is_ours(frame):
    table = frame.find_sal().symtab
    return bool(table and re.search(r"(^|/)inspect-runtime/", table.filename)) or (frame.name() or "").startswith("inspect_")


class UserFrames:
    """Backtraces are of the program: `backtrace -no-filters` shows what of inspect runs in it too."""

    def __init__(self):
        self.name, self.enabled, self.priority = "inspect", True, 100
        gdb.frame_filters[self.name] = self

    @staticmethod
    def filter(frames):
        return (each for each in frames if not is_ours(each.inferior_frame()))


def user_frame():
    """The innermost frame of the user's code; else of any code that is not ours; None: there is none of either."""
    frames, frame = [], gdb.newest_frame()
    while frame:
        table = frame.find_sal().symtab
        if table and not is_ours(frame):
            frames.append((table.filename.startswith("/usr/"), frame))
        frame = frame.older()
    return min(frames, key=lambda each: each[0])[1] if frames else None


def select_frame():
    if frame := user_frame():
        frame.select()
        gdb.execute("frame")


class InfoThreads(gdb.Command):
    """info threads [ID]...: the threads by their names in the report, each with the innermost frame of your code."""

    def __init__(self):
        super().__init__("info threads", gdb.COMMAND_STATUS)

    @staticmethod
    def frame_of(thread):
        thread.switch()
        if not (frame := user_frame()):
            return "(has not begun)"
        frame.select()
        return re.sub(r"^#\d+ +", "", gdb.execute("frame", to_string=True).splitlines()[0])

    def invoke(self, argument, from_tty):
        wanted = set(argument.split())
        threads = sorted((each for each in gdb.selected_inferior().threads() if each.is_valid()), key=lambda each: each.num)
        threads = [each for each in threads if not wanted or str(each.num) in wanted]
        if not threads:
            return gdb.write("No threads.\n")
        present = gdb.selected_thread()
        frame = gdb.selected_frame() if present else None
        width = max(len(each.name or "") for each in threads) + 2
        gdb.write(f"  Id   {'Name':<{width}} Frame\n")
        for each in threads:
            name = f'"{each.name}"'
            gdb.write(f"{'*' if each == present else ' '} {each.num:<4} {name:<{width}} {self.frame_of(each)}\n")
        if present:
            present.switch()
            frame.select()


class InspectStop(gdb.Breakpoint):
    """At one of the runtime's two places; what is to be said is said when gdb has stopped."""

    def __init__(self, place, say):
        super().__init__(place, internal=True)
        self.silent = True
        self.say = say

    @staticmethod
    def on_stop(event):
        for breakpoint in getattr(event, "breakpoints", []):
            if isinstance(breakpoint, InspectStop):
                breakpoint.say()


def at_step():
    INSPECT.over = False
    gdb.write(INSPECT.describe(INSPECT.present()))
    select_frame()


def at_end():
    INSPECT.over = True
    why = gdb.parse_and_eval("(char *)$rdi").string(errors="replace")
    gdb.write("inspect: " + "".join(c if c.isprintable() else "?" for c in INSPECT.in_words(why)) + "\n")
    select_frame()


def count_of(argument):
    if argument and not argument.isdecimal():
        raise gdb.GdbError("a number of steps is expected")
    return int(argument or 1)


class InspectCommand(gdb.Command):
    def __init__(self, name, function):
        self.__doc__ = function.__doc__
        super().__init__(name, gdb.COMMAND_RUNNING)
        self.function = function

    def invoke(self, argument, from_tty):
        self.function(argument.strip())


def inspect_next(argument):
    """inspect-next [N]: to the next step of the schedule, or N further; beyond the last one, to the bug."""
    INSPECT.go(INSPECT.present() + count_of(argument))


def inspect_prev(argument):
    """inspect-prev [N]: back to before the step of the schedule that was taken last, or N of them, by running again."""
    INSPECT.go(INSPECT.present() - count_of(argument))


def inspect_goto(argument):
    """inspect-goto N: to before step N, forward or by running again."""
    if not argument.isdecimal() or not 1 <= int(argument) <= INSPECT.steps:
        raise gdb.GdbError(f"a step from 1 to {INSPECT.steps} is expected")
    INSPECT.go(int(argument))


def inspect_switch(argument):
    """inspect-switch: to before the decisive switch, the last one to another thread that was not forced."""
    if not INSPECT.switch:
        raise gdb.GdbError("each switch of this schedule was forced")
    INSPECT.go(INSPECT.switch)


def inspect_where(argument):
    """inspect-where [all]: the interleaving, with the present step marked; without `all` the lines around it."""
    present, around = INSPECT.present(), 12
    lines = INSPECT.lines
    at = next((i for i, line in enumerate(lines) if line[0] == present), len(lines) if present else 0)
    first, last = (0, len(lines)) if argument == "all" else (max(0, at - around), min(len(lines), at + around + 1))
    width = max([len(line[1]) for line in lines], default=1)
    if first:
        gdb.write(f"   ... {first} earlier lines: inspect-where all\n")
    for i in range(first, last):
        step, thread, action, place, decisive = lines[i]
        if decisive:
            gdb.write("        ----- decisive switch -----\n")
        mark = "=>" if i == at and present else "  "
        gdb.write(f"{mark} {step or '':>5} {thread:<{width}} {action}{'  ' + place if place else ''}\n")
    if last < len(lines):
        gdb.write(f"   ... {len(lines) - last} later lines: inspect-where all\n")
    if INSPECT.over:
        gdb.write("=> the bug\n")


def inspect_thread(argument):
    """inspect-thread NAME: selects a thread by its name in the report, such as 0.1, and its innermost frame of your code."""
    if not argument:
        raise gdb.GdbError("a thread's name is expected, such as 0.1: info threads")
    for thread in gdb.selected_inferior().threads():
        if thread.is_valid() and (thread.name or "").removeprefix("thread ") == argument:
            thread.switch()
            return select_frame()
    raise gdb.GdbError(f"no thread {argument} is alive: info threads")


UserFrames()
InfoThreads()
gdb.execute("define hook-quit\nset confirm off\nend")  # there is nothing to lose: it was recorded
INSPECT = InspectSchedule(INSPECT_LINES, INSPECT_CHANNEL)
for function in (inspect_next, inspect_prev, inspect_goto, inspect_switch, inspect_where, inspect_thread):
    InspectCommand(function.__name__.replace("_", "-"), function)
gdb.execute("set breakpoint pending on")
InspectStop("inspect_at_step", at_step)
InspectStop("inspect_stopped", at_end)
gdb.events.stop.connect(InspectStop.on_stop)
gdb.events.cont.connect(INSPECT.on_continue)
gdb.events.exited.connect(INSPECT.on_exit)
