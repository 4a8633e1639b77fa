"""Every behaviour of a program of program.py, by walking its states: loops that wait are cycles of a finite graph.

No reduction, no rule about waiting, no bound: a final state is reached or it is not; a state without a successor in which a
thread has not ended is a deadlock; states from which no such state and no end can be reached are a livelock. Races: two
threads about to touch one variable, one of them to write it, one of them plainly (sequential consistency).
"""
import re
from dataclasses import dataclass, field

from program import REGISTERS, digest

INDEX = {r: i for i, r in enumerate(REGISTERS)}
ACC = INDEX["acc"]
OK, OWNER_DEAD, NOT_RECOVERABLE, NOT_OWNER, DEADLOCK, BUSY = range(6)  # what code() of program.py makes of errors
ATOMIC_WRITES = ("store", "add", "sub", "or", "and", "xor", "exchange", "cas_weak", "cas")
LOCAL = ("set", "jump", "branch")
MANY_LOCAL_STEPS = 2000


class Unsuitable(Exception):
    """Too large, or it gives back a lock that it does not hold."""


@dataclass
class Behaviour:
    finals: dict = field(default_factory=dict)  # digest -> values
    deadlock: bool = False
    livelock: bool = False
    race: bool = False
    memory: bool = False  # freed memory is touched
    states: int = 0


def require(held):
    if not held:
        raise Unsuitable("a lock is given back that is not held")


def compile_expression(text):
    return eval("lambda R: int(" + re.sub(r"\b(r\d|acc|h\d)\b", lambda m: f"R[{INDEX[m[1]]}]", text) + ")")


class Code:
    """A thread, flat: tuples (name, ...); branch and jump have targets."""

    def __init__(self, statements, program, main):
        self.code, self.program, leaves = [], program, []
        self.leaves = leaves
        self.block(statements, None, None)
        for at in leaves:
            self.patch(at, len(self.code))
        for o in program.objects if not main else ():  # the process ends with main
            if o.kind == "key":
                check = self.emit("key_check", None, o.name, None)
                self.block(o.destructor, None, None)
                self.patch(check, len(self.code))
        for o in program.objects if not main else ():
            if o.kind == "mutex" and o.variant == "robust":
                self.emit("abandon", None, o.name)
        self.code.append(("end",))

    def emit(self, *instruction):
        self.code.append(instruction)
        return len(self.code) - 1

    def patch(self, at, target):
        self.code[at] = self.code[at][:-1] + (target,)

    def block(self, statements, breaks, head):
        for s in statements:
            self.statement(s, breaks, head)

    def statement(self, s, breaks, head):
        kind = s[0]
        if kind == "op":
            self.operation(s[1], INDEX.get(s[2]), s[3:])
        elif kind == "set":
            self.emit("set", INDEX[s[1]], compile_expression(s[2]))
        elif kind == "if":
            branch = self.emit("branch", compile_expression(f"not ({s[1]})"), None)
            self.block(s[2], breaks, head)
            skip = self.emit("jump", None)
            self.patch(branch, len(self.code))
            self.block(s[3], breaks, head)
            self.patch(skip, len(self.code))
        elif kind == "break_if":
            breaks.append(self.emit("branch", compile_expression(s[1]), None))
        elif kind == "continue_if":
            self.emit("branch", compile_expression(s[1]), head)
        elif kind == "loop":
            inner, start = [], len(self.code)
            self.block(s[2], inner, start)
            self.emit("jump", start)
            for at in inner:
                self.patch(at, len(self.code))
        elif kind == "call":
            self.emit("set", INDEX["h0"], lambda R: 0)
            self.emit("set", INDEX["h1"], lambda R: 0)
            self.block(s[2], None, None)
            self.emit("set", INDEX[s[1]], compile_expression(s[3]))
            self.emit("set", INDEX["h0"], lambda R: 0)  # dead from here on
            self.emit("set", INDEX["h1"], lambda R: 0)
        elif kind == "section":
            self.emit("section")
            self.block(s[1], None, None)
            self.emit("section_end")
        elif kind == "assume":
            branch = self.emit("branch", compile_expression(s[1]), None)
            self.emit("assumed_away")
            self.patch(branch, len(self.code))
        elif kind == "leave":
            self.leaves.append(self.emit("branch", compile_expression(s[1]), None))
        elif kind == "once":
            enter = self.emit("once_enter", s[1], None)
            self.block(s[2], None, None)
            self.emit("once_leave", s[1])
            self.patch(enter, len(self.code))

    def operation(self, name, to, args):
        values = tuple(compile_expression(a) for a in args[1:] if isinstance(a, str) and not a.startswith("memory_order")) \
            if name in ("write", "store", "add", "sub", "or", "and", "xor", "exchange", "cas", "cas_weak") else args[1:]
        if name == "cond_wait":
            self.emit("cond_enter", None, args[0], args[1])
            self.emit("cond_leave", None, args[0], args[1], None)
        elif name == "cond_timedwait":
            self.emit("cond_enter", to, args[0], args[1])
            self.emit("cond_leave", to, args[0], args[1], args[2])
        elif name == "barrier":
            self.emit("barrier_enter", None, args[0])
            self.emit("barrier_leave", to, args[0])
        elif name in ("wrlock", "timedwrlock") and self.program.object(args[0]).variant == "writer":
            self.emit("arrive", None, args[0])
            self.emit(name, to, args[0])
            self.emit("give_up", None, args[0])
        elif name == "detach":
            pass
        else:
            self.emit(name, to, args[0], *values)


class Interpreter:
    def __init__(self, program, most_states=20000, spurious=False):
        self.program, self.most, self.spurious = program, most_states, spurious
        self.codes = [Code(t, program, i == 0).code for i, t in enumerate(program.threads)]
        self.memory = False
        self.slots = {o.name: i for i, o in enumerate(program.objects)}
        self.masks = {o.name: (1 << 8 * o.width) - 1 for o in program.objects}
        self.kinds = {o.name: o for o in program.objects}

    def initial(self):
        values = []
        for o in self.program.objects:
            if o.kind in ("mutex", "spinlock"):
                values.append((-1, 0, OK))  # owner, depth, what the next owner is told
            elif o.kind == "rwlock":
                values.append((-1, 0, 0))  # writer, readers, writers that keep readers out
            elif o.kind == "condition":
                values.append(((), ()))  # waiters, woken for no reason since the last signal
            elif o.kind == "barrier":
                values.append(((), ()))  # arrived, serial threads that have not left
            elif o.kind == "key":
                values.append(((), False))  # threads with a value, deleted
            else:
                values.append(o.initial)
        zero = (0,) * len(REGISTERS)
        threads = [(self.settle(0, 0, list(zero)) if i == 0 else (-1, zero)) for i in range(len(self.codes))]
        return tuple(threads), tuple(values)

    def settle(self, tid, pc, registers):
        """Local steps, up to the next visible operation."""
        code = self.codes[tid]
        for _ in range(MANY_LOCAL_STEPS):
            i = code[pc]
            if i[0] == "set":
                registers[i[1]] = i[2](registers) & 0xFFFFFFFF
                pc += 1
            elif i[0] == "jump":
                pc = i[1]
            elif i[0] == "branch":
                pc = i[2] if i[1](registers) else pc + 1
            else:
                return pc, tuple(registers)
        raise Unsuitable("a loop without visible operations")

    def explore(self):
        result = Behaviour()
        start = self.initial()
        index, order, backward, ends = {start: 0}, [start], [[]], []
        at = 0
        while at < len(order):
            state = order[at]
            result.race = result.race or self.races(state)
            successors = [n for t in range(len(self.codes)) for n in self.steps(state, t)]
            if not successors:
                ends.append(at)
                self.judge_end(state, result)
            for n in successors:
                to = index.get(n)
                if to is None:
                    to = index[n] = len(order)
                    order.append(n)
                    backward.append([])
                    if len(order) > self.most:
                        raise Unsuitable("too many states")
                backward[to].append(at)
            if successors and self.excused(state):
                ends.append(at)
                self.judge_end(state, result)
            at += 1
        result.states, result.memory = len(order), self.memory
        reached = set(ends)
        while ends:
            for before in backward[ends.pop()]:
                if before not in reached:
                    reached.add(before)
                    ends.append(before)
        result.livelock = len(reached) < len(order)
        return result

    def at(self, state, tid):
        pc = state[0][tid][0]
        return self.codes[tid][pc][0] if pc >= 0 else "end"

    def excused(self, state):
        """Does it not matter who waits here for ever: a thread is assumed away, or main has ended?"""
        return any(self.at(state, t) == "assumed_away" for t in range(len(self.codes))) or \
            (self.program.unjoined and self.codes[0][state[0][0][0]][0] == "end")

    def judge_end(self, state, result):
        threads, values = state
        if self.program.unjoined and self.codes[0][threads[0][0]][0] == "end":
            seen = (threads[0][1][ACC],)
            result.finals[digest(seen)] = seen
            return
        if self.excused(state):
            return
        if any(pc >= 0 and self.codes[i][pc][0] != "end" for i, (pc, _) in enumerate(threads)):
            result.deadlock = True
            return
        seen = [r[ACC] for _, r in threads]
        seen += [values[self.slots[o.name]] for o in self.program.objects if o.kind in ("atomic", "plain") and o.place != "freed"]
        result.finals[digest(seen)] = tuple(seen)

    def touches(self, state, tid):
        """(operation, variable) of what it is about to do."""
        pc = state[0][tid][0]
        op = self.codes[tid][pc] if pc >= 0 else ("end",)
        if op[0] in ("read", "write", "load", "free") or op[0] in ATOMIC_WRITES:
            return [(op[0], op[2].split(":")[0])]
        if op[0] != "section":
            return []
        seen = []
        self.run_section(state, tid, seen)
        return [("load" if o in ("read", "load") else "store", x) for o, x in seen]

    def races(self, state):
        touched = {}
        for i in range(len(self.codes)):
            for operation, variable in self.touches(state, i):
                touched.setdefault(variable, {}).setdefault(i, set()).add(operation)
        for by_thread in touched.values():
            ops = [o for t in by_thread.values() for o in t]
            if len(by_thread) < 2:
                continue
            if "free" in ops:
                self.memory = True
                continue
            if any(o in ("read", "write") for o in ops):
                plain_write = "write" in ops
                other_write = any(o in ATOMIC_WRITES for o in ops)
                if plain_write or (other_write and "read" in ops):
                    return True
        return False

    def steps(self, state, tid):
        threads, values = state
        pc, registers = threads[tid]
        if pc < 0 or self.codes[tid][pc][0] in ("end", "assumed_away"):
            return
        op = self.codes[tid][pc]
        if op[0] == "section":
            yield self.run_section(state, tid, [])
            return
        if op[0] == "nondet":
            for chosen in range(op[2]):
                yield self.moved(state, tid, pc + 1, op[1], chosen), values
            return
        if op[0] in ("create", "join", "tryjoin"):
            yield from self.thread_step(state, tid, op)
            return
        name = op[1] if op[0] in ("once_enter", "once_leave") else op[2].split(":")[0]
        slot = self.slots[name]
        if values[slot] is None:
            self.memory = True
            return
        for value, result, target, more in getattr(self, "do_" + op[0], self.do_access)(op, tid, values, values[slot], registers):
            new_values = list(values)
            new_values[slot] = value
            for other, v in more:
                new_values[other] = v
            to = op[1] if isinstance(op[1], int) and result is not None else None
            yield self.moved(state, tid, pc + 1 if target is None else target, to, result), tuple(new_values)

    def moved(self, state, tid, pc, to=None, result=None):
        """The threads when this one has gone on to pc, with a result in a register."""
        registers = list(state[0][tid][1])
        if to is not None:
            registers[to] = result & 0xFFFFFFFF
        threads = list(state[0])
        threads[tid] = self.settle(tid, pc, registers)
        return tuple(threads)

    def run_section(self, state, tid, seen):
        state = self.moved(state, tid, state[0][tid][0] + 1), state[1]
        while self.at(state, tid) != "section_end":
            seen += self.touches(state, tid)
            following = list(self.steps(state, tid))
            if len(following) != 1:
                raise Unsuitable("an atomic section that waits")
            state = following[0]
        return self.moved(state, tid, state[0][tid][0] + 1), state[1]

    def thread_step(self, state, tid, op):
        threads, values = state
        pc, registers = threads[tid]
        other = op[2]
        new = list(threads)
        ended = threads[other][0] >= 0 and self.codes[other][threads[other][0]][0] == "end"
        if op[0] == "tryjoin":
            for busy in (False, True) if ended else (True,):  # from its last operation to its end it is still a while
                yield self.moved(state, tid, pc + 1, op[1], int(busy)), values
            return
        if op[0] == "join":
            if threads[other][0] < 0 or self.codes[other][threads[other][0]][0] != "end":
                return
        else:
            new[other] = self.settle(other, 0, [0] * len(REGISTERS))
        new[tid] = self.settle(tid, pc + 1, list(registers))
        yield tuple(new), values

    # What follows yields (new value of the object, result, target or None, further changes).

    def do_access(self, op, tid, values, old, registers):
        name, mask = op[0], self.masks[op[2].split(":")[0]]
        if ":" in op[2]:
            yield from self.do_part(op, old, registers)
            return
        if name == "free":
            yield None, None, None, ()
            return
        if name in ("read", "load"):
            yield old, old, None, ()
            return
        v = [f(registers) & mask for f in op[3:]]
        if name in ("cas", "cas_weak"):
            yield (v[1] if old == v[0] else old), int(old == v[0]), None, ()
            return
        new = {"write": lambda: v[0], "store": lambda: v[0], "exchange": lambda: v[0], "add": lambda: old + v[0],
               "sub": lambda: old - v[0], "or": lambda: old | v[0], "and": lambda: old & v[0],
               "xor": lambda: old ^ v[0]}[name]() & mask
        yield new, old, None, ()

    def do_part(self, op, whole, registers):
        name, first, width = op[2].split(":")
        shift, mask = 8 * int(first), (1 << 8 * int(width)) - 1
        part = (op[0], op[1], name, *op[3:])
        saved, self.masks[name] = self.masks[name], mask
        steps = list(self.do_access(part, None, None, whole >> shift & mask, registers))
        self.masks[name] = saved
        for value, result, target, more in steps:
            yield whole & ~(mask << shift) | value << shift, result, target, more

    def do_mutex_lock(self, op, tid, values, old, registers, own=(), other=()):
        owner, count, told = old
        variant = self.kinds[op[2]].variant
        if owner < 0:
            yield (old if told == NOT_RECOVERABLE else (tid, 1, told)), told, None, ()
        elif owner == tid and variant == "recursive":
            yield (tid, count + 1, told), OK, None, ()
        elif owner == tid and variant == "errorcheck" and not own:
            yield old, DEADLOCK, None, ()
        elif other:
            yield old, BUSY, None, ()

    def do_mutex_trylock(self, *state):
        yield from self.do_mutex_lock(*state, own=(BUSY,), other=(BUSY,))

    def do_mutex_timedlock(self, *state):
        yield from self.do_mutex_lock(*state, other=(BUSY,))

    def do_mutex_unlock(self, op, tid, values, old, registers):
        owner, count, told = old
        if owner != tid:
            require(self.kinds[op[2]].variant != "normal")
            yield old, NOT_OWNER, None, ()
        elif count > 1:
            yield (tid, count - 1, told), OK, None, ()
        else:
            yield (-1, 0, NOT_RECOVERABLE if told else OK), OK, None, ()

    def do_consistent(self, op, tid, values, old, registers):
        yield (old[0], old[1], OK if old[0] == tid and old[2] == OWNER_DEAD else old[2]), None, None, ()

    def do_abandon(self, op, tid, values, old, registers):
        yield ((-1, 0, OWNER_DEAD) if old[0] == tid else old), None, None, ()

    def do_setspecific(self, op, tid, values, old, registers):
        require(not old[1])
        yield (tuple(sorted({*old[0], tid})), old[1]), None, None, ()

    def do_key_delete(self, op, tid, values, old, registers):
        require(not old[1])
        yield (old[0], True), None, None, ()

    def do_key_check(self, op, tid, values, old, registers):
        if tid in old[0] and not old[1]:
            yield (tuple(t for t in old[0] if t != tid), old[1]), None, None, ()
        else:
            yield old, None, op[3], ()

    def take(self, op, tid, old, failing):
        owner, count, told = old
        variant = self.kinds[op[2]].variant
        if owner < 0:
            yield (tid, 1, told), 0, None, ()
        elif owner == tid and variant == "recursive":
            yield (tid, count + 1, told), 0, None, ()
        elif owner == tid and variant == "errorcheck":
            yield old, 1, None, ()
        elif failing:
            yield old, 1, None, ()

    def do_lock(self, op, tid, values, old, registers):
        yield from self.take(op, tid, old, False)

    def do_trylock(self, op, tid, values, old, registers):
        yield from self.take(op, tid, old, True)

    do_timedlock = do_spin_trylock = do_trylock  # waiting first makes no difference
    do_spin_lock = do_lock

    def do_unlock(self, op, tid, values, old, registers):
        owner, count, told = old
        require(owner == tid)
        yield ((-1, 0, told) if count == 1 else (tid, count - 1, told)), 0, None, ()

    do_spin_unlock = do_unlock

    def read_lock(self, op, tid, old, failing, own):
        writer, readers, waiting = old
        if writer < 0 and not waiting:
            yield (-1, readers + 1, waiting), 0, None, ()
        elif failing or (own and writer == tid):
            yield old, 1, None, ()

    def write_lock(self, op, tid, old, failing, own):
        writer, readers, waiting = old
        arrived = op[0] != "trywrlock" and self.kinds[op[2]].variant == "writer"
        if writer < 0 and not readers:
            yield (tid, 0, waiting - arrived), 0, (self.here(op, tid) + 2 if arrived else None), ()
        elif failing or (own and writer == tid):
            yield old, 1, None, ()

    def do_rdlock(self, op, tid, values, old, registers):
        yield from self.read_lock(op, tid, old, False, True)

    def do_tryrdlock(self, op, tid, values, old, registers):
        yield from self.read_lock(op, tid, old, True, False)

    def do_wrlock(self, op, tid, values, old, registers):
        yield from self.write_lock(op, tid, old, False, True)

    def do_trywrlock(self, op, tid, values, old, registers):
        yield from self.write_lock(op, tid, old, True, False)

    do_timedrdlock, do_timedwrlock = do_tryrdlock, do_trywrlock

    def do_arrive(self, op, tid, values, old, registers):
        yield (old[0], old[1], old[2] + 1), None, None, ()

    def do_give_up(self, op, tid, values, old, registers):
        yield (old[0], old[1], old[2] - 1), None, None, ()

    def do_rdunlock(self, op, tid, values, old, registers):
        require(old[1] > 0)
        yield (-1, old[1] - 1, old[2]), 0, None, ()

    def do_wrunlock(self, op, tid, values, old, registers):
        require(old[0] == tid)
        yield (-1, 0, old[2]), 0, None, ()

    def do_sem_wait(self, op, tid, values, old, registers):
        if old:
            yield old - 1, 0, None, ()

    def do_sem_trywait(self, op, tid, values, old, registers):
        yield (old - 1, 0, None, ()) if old else (old, 1, None, ())

    do_sem_timedwait = do_sem_trywait

    def do_sem_post(self, op, tid, values, old, registers):
        yield old + 1, 0, None, ()

    def do_sem_getvalue(self, op, tid, values, old, registers):
        yield old, old, None, ()

    def do_cond_enter(self, op, tid, values, old, registers):
        mutex = self.slots[op[3]]
        require(values[mutex] == (tid, 1, OK))
        waiters, woken = old
        free = ((mutex, (-1, 0, OK)),)
        late = self.deadline(op, tid) == "past"  # it is no waiter at all
        yield (old if late else (tuple(sorted(waiters + (tid,))), woken)), int(late), None, free
        if self.spurious and not late and tid not in woken:
            yield (waiters, tuple(sorted(woken + (tid,)))), 0, None, free

    def do_cond_leave(self, op, tid, values, old, registers):
        mutex = self.slots[op[3]]
        if tid in old[0]:
            if op[4] == "later":  # the time-out, after which it is no waiter any more
                yield (tuple(w for w in old[0] if w != tid), old[1]), 1, self.here(op, tid), ()
        elif values[mutex][0] < 0:
            yield old, None, None, ((mutex, (tid, 1, OK)),)

    def deadline(self, op, tid):
        return self.codes[tid][self.here(op, tid) + 1][4]

    def here(self, op, tid):
        return next(i for i, o in enumerate(self.codes[tid]) if o is op)

    def do_signal(self, op, tid, values, old, registers):
        if not old[0]:
            yield ((), ()), 0, None, ()
        for chosen in old[0]:
            yield (tuple(w for w in old[0] if w != chosen), ()), 0, None, ()

    def do_broadcast(self, op, tid, values, old, registers):
        yield ((), ()), 0, None, ()

    def do_barrier_enter(self, op, tid, values, old, registers):
        arrived = tuple(sorted(old[0] + (tid,)))
        if len(arrived) < self.kinds[op[2]].initial:
            yield (arrived, old[1]), None, None, ()
            return
        for serial in arrived:
            yield ((), tuple(sorted(old[1] + (serial,)))), None, None, ()

    def do_barrier_leave(self, op, tid, values, old, registers):
        if tid not in old[0]:
            yield (old[0], tuple(t for t in old[1] if t != tid)), int(tid in old[1]), None, ()

    def do_once_enter(self, op, tid, values, old, registers):
        if old == 0:
            yield 1, None, None, ()
        elif old == 2:
            yield 2, None, op[2], ()

    def do_once_leave(self, op, tid, values, old, registers):
        yield 2, None, None, ()
