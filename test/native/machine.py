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
    states: int = 0


def require(held):
    if not held:
        raise Unsuitable("a lock is given back that is not held")


def compile_expression(text):
    return eval("lambda R: int(" + re.sub(r"\b(r\d|acc|h\d)\b", lambda m: f"R[{INDEX[m[1]]}]", text) + ")")


class Code:
    """A thread, flat: tuples (name, ...); branch and jump have targets."""

    def __init__(self, statements):
        self.code = []
        self.block(statements, None, None)
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
            self.emit("barrier_enter", args[0])
            self.emit("barrier_leave", args[0])
        else:
            self.emit(name, to, args[0], *values)


class Machine:
    def __init__(self, program, most_states=20000):
        self.program, self.most = program, most_states
        self.codes = [Code(t).code for t in program.threads]
        self.slots = {o.name: i for i, o in enumerate(program.objects)}
        self.masks = {o.name: (1 << 8 * o.width) - 1 for o in program.objects}
        self.kinds = {o.name: o for o in program.objects}

    def initial(self):
        values = []
        for o in self.program.objects:
            if o.kind in ("mutex", "spinlock"):
                values.append((-1, 0))
            elif o.kind == "rwlock":
                values.append((-1, 0))  # writer, readers
            elif o.kind in ("condition", "barrier"):
                values.append(())
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
            at += 1
        result.states = len(order)
        reached = set(ends)
        while ends:
            for before in backward[ends.pop()]:
                if before not in reached:
                    reached.add(before)
                    ends.append(before)
        result.livelock = len(reached) < len(order)
        return result

    def judge_end(self, state, result):
        threads, values = state
        if any(pc >= 0 and self.codes[i][pc][0] != "end" for i, (pc, _) in enumerate(threads)):
            result.deadlock = True
            return
        seen = [r[ACC] for _, r in threads]
        seen += [values[self.slots[o.name]] for o in self.program.objects if o.kind in ("atomic", "plain")]
        result.finals[digest(seen)] = tuple(seen)

    def races(self, state):
        touched = {}
        for i, (pc, _) in enumerate(state[0]):
            op = self.codes[i][pc] if pc >= 0 else ("end",)
            if op[0] in ("read", "write", "load") or op[0] in ATOMIC_WRITES:
                touched.setdefault(op[2], []).append(op[0])
        for ops in touched.values():
            if len(ops) > 1 and any(o in ("read", "write") for o in ops):
                plain_write = "write" in ops
                other_write = any(o in ATOMIC_WRITES for o in ops)
                if plain_write or (other_write and "read" in ops):
                    return True
        return False

    def steps(self, state, tid):
        threads, values = state
        pc, registers = threads[tid]
        if pc < 0 or self.codes[tid][pc][0] == "end":
            return
        op = self.codes[tid][pc]
        if op[0] in ("create", "join"):
            yield from self.thread_step(state, tid, op)
            return
        name = op[1] if op[0] in ("once_enter", "once_leave", "barrier_enter", "barrier_leave") else op[2]
        slot = self.slots[name]
        for value, result, target, more in getattr(self, "do_" + op[0], self.do_access)(op, tid, values, values[slot], registers):
            new_values = list(values)
            new_values[slot] = value
            for other, v in more:
                new_values[other] = v
            new_registers = list(registers)
            if result is not None and len(op) > 1 and isinstance(op[1], int):
                new_registers[op[1]] = result & 0xFFFFFFFF
            new_threads = list(threads)
            new_threads[tid] = self.settle(tid, pc + 1 if target is None else target, new_registers)
            yield tuple(new_threads), tuple(new_values)

    def thread_step(self, state, tid, op):
        threads, values = state
        pc, registers = threads[tid]
        other = op[2]
        new = list(threads)
        if op[0] == "join":
            if threads[other][0] < 0 or self.codes[other][threads[other][0]][0] != "end":
                return
        else:
            new[other] = self.settle(other, 0, [0] * len(REGISTERS))
        new[tid] = self.settle(tid, pc + 1, list(registers))
        yield tuple(new), values

    # What follows yields (new value of the object, result, target or None, further changes).

    def do_access(self, op, tid, values, old, registers):
        name, mask = op[0], self.masks[op[2]]
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

    def take(self, op, tid, old, failing):
        owner, count = old
        variant = self.kinds[op[2]].variant
        if owner < 0:
            yield (tid, 1), 0, None, ()
        elif owner == tid and variant == "recursive":
            yield (tid, count + 1), 0, None, ()
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
        owner, count = old
        require(owner == tid)
        yield ((-1, 0) if count == 1 else (tid, count - 1)), 0, None, ()

    do_spin_unlock = do_unlock

    def do_rdlock(self, op, tid, values, old, registers):
        if old[0] < 0:
            yield (-1, old[1] + 1), 0, None, ()

    def do_tryrdlock(self, op, tid, values, old, registers):
        yield ((-1, old[1] + 1), 0, None, ()) if old[0] < 0 else (old, 1, None, ())

    def do_wrlock(self, op, tid, values, old, registers):
        if old == (-1, 0):
            yield (tid, 0), 0, None, ()

    def do_trywrlock(self, op, tid, values, old, registers):
        yield ((tid, 0), 0, None, ()) if old == (-1, 0) else (old, 1, None, ())

    def do_rdunlock(self, op, tid, values, old, registers):
        require(old[1] > 0)
        yield (-1, old[1] - 1), 0, None, ()

    def do_wrunlock(self, op, tid, values, old, registers):
        require(old[0] == tid)
        yield (-1, 0), 0, None, ()

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
        require(values[mutex] == (tid, 1))
        late = self.deadline(op, tid) == "past"  # it is no waiter at all
        yield (old if late else tuple(sorted(old + (tid,)))), int(late), None, ((mutex, (-1, 0)),)

    def do_cond_leave(self, op, tid, values, old, registers):
        mutex = self.slots[op[3]]
        if tid in old:
            if op[4] == "later":  # the time-out, after which it is no waiter any more
                yield tuple(w for w in old if w != tid), 1, self.here(op, tid), ()
        elif values[mutex][0] < 0:
            yield old, None, None, ((mutex, (tid, 1)),)

    def deadline(self, op, tid):
        return self.codes[tid][self.here(op, tid) + 1][4]

    def here(self, op, tid):
        return next(i for i, o in enumerate(self.codes[tid]) if o is op)

    def do_signal(self, op, tid, values, old, registers):
        if not old:
            yield old, 0, None, ()
        for chosen in old:
            yield tuple(w for w in old if w != chosen), 0, None, ()

    def do_broadcast(self, op, tid, values, old, registers):
        yield (), 0, None, ()

    def do_barrier_enter(self, op, tid, values, old, registers):
        full = len(old) + 1 == self.kinds[op[1]].initial
        yield (() if full else tuple(sorted(old + (tid,)))), None, None, ()

    def do_barrier_leave(self, op, tid, values, old, registers):
        if tid not in old:
            yield old, None, None, ()

    def do_once_enter(self, op, tid, values, old, registers):
        if old == 0:
            yield 1, None, None, ()
        elif old == 2:
            yield 2, None, op[2], ()

    def do_once_leave(self, op, tid, values, old, registers):
        yield 2, None, None, ()
