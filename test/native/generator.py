"""Random programs of program.py: few threads, few operations, and above all loops that wait.

A loop is put together from what is waited for, how it is looked at, and decorations: whatever else a turn may do. What is waited
for is mostly made to happen by another thread. Locks are held where the text says so: no thread gives back what it does not
hold. Everything is a function of the seed.
"""
import random

from program import Object, Program

PLACES = ("global", "global", "global", "heap", "stack")
STYLES = ("for", "while", "do", "goto")
ACCUMULATE = "(acc * 5 + {} + 1) & 0xfff"


def op(name, to, *arguments):
    return ("op", name, to, *arguments)


def note(register):
    return ("set", "acc", ACCUMULATE.format(register))


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.objects = {}
        self.fragments = []  # per thread
        self.promises = []  # (thread that waits, fragment that releases it)
        self.later = None  # has a wait a deadline in the future? After it has passed all others have
        self.racy = self.chance(0.1)

    # Objects, created when first used.

    def chance(self, probability):
        return self.random.random() < probability

    def have(self, name, kind, **about):
        if name not in self.objects:
            self.objects[name] = Object(name, kind, **about)
        return name

    def atomic(self, *names):
        name = self.random.choice(names or ("x0", "x0", "x1", "x2"))
        return self.have(name, "atomic", width=self.random.choice((1, 2, 4, 4, 8)), place=self.random.choice(PLACES))

    def plain(self, lock):
        return self.have("p_" + lock, "plain", width=self.random.choice((1, 2, 4, 4, 8)), place=self.random.choice(PLACES))

    def mutex(self, *avoid):
        free = [m for m in ("m0", "m0", "m0", "m1") if m not in avoid] or ["m2"]
        return self.have(self.random.choice(free), "mutex",
                         variant=self.random.choice(("normal", "normal", "normal", "recursive", "errorcheck")))

    def semaphore(self):
        return self.have("s0", "semaphore", initial=self.random.choice((0, 0, 1)))

    def condition(self, mutex):
        return self.have("c_" + mutex, "condition")  # whose waiters must all use one mutex

    def order(self, kind):
        if self.chance(0.6):
            return "memory_order_seq_cst"
        return "memory_order_" + self.random.choice({"load": ("relaxed", "acquire"), "store": ("relaxed", "release"),
                                                     "both": ("relaxed", "acquire", "release", "acq_rel")}[kind])

    # A lock of any kind: its name, how it is taken, tried and given back.

    def lock(self, *avoid):
        kind = self.random.choice(("mutex",) * 6 + ("read", "write", "spinlock"))
        if kind == "mutex":
            m = self.mutex(*avoid)
            return m, "lock", self.random.choice(("trylock", "trylock", "timedlock")), "unlock"
        if kind == "spinlock" and "l0" not in avoid:
            return self.have("l0", "spinlock"), "spin_lock", "spin_trylock", "spin_unlock"
        if kind in ("read", "write") and "w0" not in avoid:
            letters = "rd" if kind == "read" else "wr"
            return self.have("w0", "rwlock"), letters + "lock", f"try{letters}lock", letters + "unlock"
        m = self.mutex(*avoid)
        return m, "lock", "trylock", "unlock"

    # Straight code. `to` is a register; what is read goes into acc if `noted`.

    def access(self, to, noted, variables=()):
        x = self.atomic(*variables)
        kind = self.random.randrange(9)
        value = str(self.random.randrange(4))
        if kind <= 2:
            return [op("load", to, x, self.order("load"))] + ([note(to)] if noted else [])
        if kind <= 4:
            return [op("store", None, x, value, self.order("store"))]
        if kind == 5:
            return [op(self.random.choice(("add", "or", "xor", "and")), None, x, value, self.order("both"))]
        if kind == 6:
            name = self.random.choice(("add", "sub", "or", "exchange"))
            return [op(name, to, x, value, self.order("both"))] + ([note(to)] if noted else [])
        name = self.random.choice(("cas", "cas", "cas_weak")) if kind == 7 else "cas"
        return [op(name, to, x, str(self.random.randrange(2)), str(1 + self.random.randrange(3)), self.order("both"))] + \
            ([note(to)] if noted else [])

    def guarded(self, lock, take, to, noted):
        """What is done with the lock held."""
        out = []
        for _ in range(self.random.choice((1, 1, 2))):
            if self.chance(0.3):
                out += self.access(to, noted)
                continue
            p = self.plain(lock)
            if take in ("rdlock", "tryrdlock") or self.chance(0.5):
                out += [op("read", to, p)] + ([note(to)] if noted else [])
            else:
                out += [op("read", to, p), op("write", None, p, f"({to} + 1) & 3")] if self.chance(0.4) else \
                    [op("write", None, p, str(self.random.randrange(4)))]
        return out

    def section(self, to, noted, *avoid):
        lock, take, attempt, release = self.lock(*avoid)
        if self.chance(0.55):
            return [op(take, None, lock)] + self.guarded(lock, take, to, noted) + [op(release, None, lock)]
        inner = self.guarded(lock, take, "r3", noted) + [op(release, None, lock)]
        if to != "r0" and not noted:  # in a helper
            return [op(take, None, lock), op(release, None, lock)]
        missed = self.access("r3", noted) if self.chance(0.3) else []
        return [op(attempt, to, lock)] + ([note(to)] if noted else []) + [("if", f"{to} == 0", inner, missed)]

    def straight(self, thread):
        kind = self.random.randrange(20)
        if self.racy and self.chance(0.3):
            q = self.have("q0", "plain", width=4, place=self.random.choice(PLACES))
            return [op("read", "r0", q), note("r0")] if self.chance(0.5) else [op("write", None, q, "1")]
        if kind <= 7:
            return self.access("r0", True)
        if kind <= 12:
            return self.section("r0", True)
        if kind <= 14:
            s = self.semaphore()
            name = self.random.choice(("sem_post", "sem_post", "sem_trywait", "sem_timedwait", "sem_getvalue", "sem_wait"))
            if name in ("sem_post", "sem_wait"):
                if name == "sem_wait":
                    self.promises.append((thread, [op("sem_post", None, s)]))
                return [op(name, None, s)]
            return [op(name, "r0", s), note("r0")]
        if kind == 15:
            o = self.have("o0", "once")
            return [("once", o, [op("store", None, self.atomic(), str(self.random.randrange(4)), "memory_order_seq_cst")])]
        if kind == 16:
            m = self.mutex()
            return [op("lock", None, m), op(self.random.choice(("signal", "broadcast")), None, self.condition(m)),
                    op("unlock", None, m)]
        if kind == 17:
            first = self.access("r1", True)
            return first + [("if", f"r1 == {self.random.randrange(2)}", self.access("r0", True), self.access("r0", True))]
        if kind == 18:
            outer = self.lock()
            inner = self.section("r0", True, outer[0])
            return [op(outer[1], None, outer[0])] + inner + [op(outer[3], None, outer[0])]
        return [("call", "r0", self.access("h0", False), "(h0 + 1) & 7", self.chance(0.5)), note("r0")]

    # Loops that wait.

    def wait(self, thread):
        form = self.random.choice((
            self.poll, self.poll, self.poll_in_helper, self.poll_locked, self.poll_locked, self.hold_and_poll,
            self.hold_and_poll, self.ticket, self.test_and_set, self.update, self.try_lock, self.try_and_poll,
            self.semaphore_loop, self.condition_loop, self.condition_loop, self.back_off, self.two_variables))
        before, body, after = form(thread)
        locks = {s[3] for s in before + body if s[0] == "op" and isinstance(s[3], str)}
        for _ in range(self.random.choice((0, 0, 1, 1, 2))):
            body = self.decorate(body, locks)
        nested = any(s[0] == "loop" for s in body)
        style = self.random.choice(STYLES if not nested else STYLES[:3])
        return before + [("loop", style, body)] + after

    def promise_value(self, thread, x, value):
        self.promises.append((thread, [op(self.random.choice(("store", "store", "exchange", "or")), None, x, str(value),
                                          "memory_order_seq_cst")]))

    def look(self, lock, take, release, p):
        """What tells how often the lock was given away, and how often it was found taken."""
        attempt = {"lock": "trylock", "spin_lock": "spin_trylock", "rdlock": "trywrlock", "wrlock": "trywrlock"}[take]
        release = {"rdunlock": "wrunlock"}.get(release, release)
        out = []
        for _ in range(self.random.choice((1, 2, 2, 3))):
            if self.chance(0.6):
                out += [op(attempt, "r0", lock), note("r0"), ("if", "r0 == 0", [op(release, None, lock)], [])]
                if self.chance(0.4) and attempt != "trywrlock":  # until it is given back
                    out[-1] = ("if", "r0 != 0", [op(take, None, lock)], [])
                    out.append(op(release, None, lock))
            else:
                out += [op(take, None, lock), op("read", "r0", p), op({"wrunlock": "rdunlock"}.get(release, release) if
                                                                       take == "rdlock" else release, None, lock), note("r0")]
        return out

    def promise_plain(self, thread, lock, take, release, p, value):
        before = self.look(lock, take, release, p) if self.chance(0.4) else []
        take = {"rdlock": "wrlock"}.get(take, take)
        release = {"rdunlock": "wrunlock"}.get(release, release)
        write = [op(take, None, lock), op("write", None, p, str(value))]
        if "c_" + lock in self.objects:
            write.append(op(self.random.choice(("signal", "broadcast")), None, "c_" + lock))
        self.promises.append((thread, before + write + [op(release, None, lock)]))
        if self.chance(0.2):
            self.promises.append((thread, self.look(lock, take, release, p)))

    def poll(self, thread):
        x, value = self.atomic(), 1 + self.random.randrange(2)
        self.promise_value(thread, x, value)
        body = [op("load", "r0", x, self.order("load"))]
        if self.racy and self.chance(0.3):
            self.promises[-1] = (thread, [op("write", None, self.have("q0", "plain"), "1")])
            return [], [op("read", "r0", "q0"), ("break_if", "r0 != 0")], [note("r0")]
        if self.chance(0.2):  # what is published by it
            d = self.have("d_" + x, "plain", width=4, place=self.random.choice(PLACES))
            self.promises[-1] = (thread, [op("write", None, d, "3"), op("store", None, x, str(value), "memory_order_release")])
            return [], [op("load", "r0", x, "memory_order_acquire"), ("break_if", "r0 != 0")], [op("read", "r1", d), note("r1")]
        if self.chance(0.25):
            return [], body + [("continue_if", f"r0 != {value}"), ("break_if", "1")], [note("r0")]
        return [], body + [("break_if", f"r0 == {value}" if self.chance(0.6) else "r0 != 0")], [note("r0")]

    def poll_in_helper(self, thread):
        x = self.atomic()
        self.promise_value(thread, x, 1)
        inner = [op("load", "h0", x, self.order("load"))]
        if self.chance(0.4):
            inner = [("loop", "for", [op("load", "h0", x, self.order("load")), ("break_if", "h0 != 0"),
                                      ("set", "h1", "h1 + 1"), ("break_if", f"h1 == {self.random.randrange(1, 3)}")])]
        return [], [("call", "r0", inner, "h0", self.chance(0.5)), ("break_if", "r0 != 0")], []

    def poll_locked(self, thread):
        lock, take, _, release = self.lock()
        p = self.plain(lock)
        self.promise_plain(thread, lock, take, release, p, 1)
        if self.chance(0.3):
            return [], [op(take, None, lock), op("read", "r0", p), ("break_if", "r0 != 0"), op(release, None, lock)], \
                [op(release, None, lock), note("r0")]
        return [], [op(take, None, lock), op("read", "r0", p), op(release, None, lock), ("break_if", "r0 != 0")], [note("r0")]

    def hold_and_poll(self, thread):
        lock, take, attempt, release = self.lock()
        p = self.plain(lock)
        self.promise_plain(thread, lock, take, release, p, 1)
        before = [op(take, None, lock)]
        mark = []
        if self.chance(0.4) and take != "rdlock":
            before.append(op("write", None, p, "2"))
            mark = [note("r0")]
        pause = [("pause", self.random.choice(("yield", "sleep")))] if self.chance(0.4) else []
        again = [op(take, None, lock)]
        if attempt != "timedlock" and self.chance(0.15):
            again = [("loop", "for", [op(attempt, "r3", lock), ("break_if", "r3 == 0")])]
        body = [op("read", "r0", p), ("break_if", "(r0 & 1) == 1"), op(release, None, lock)] + pause + again
        return before, body, mark + [op(release, None, lock)]

    def ticket(self, thread):
        self.have("next", "atomic", width=4)
        self.have("serving", "atomic", width=4)
        x = self.atomic()
        return [op("add", "r2", "next", "1", "memory_order_seq_cst")], \
            [op("load", "r0", "serving", self.order("load") if self.chance(0.3) else "memory_order_acquire"),
             ("break_if", "r0 == r2")], \
            [op("load", "r0", x, "memory_order_relaxed"), note("r0"), op("store", None, "serving", "r2 + 1", "memory_order_release")]

    def test_and_set(self, thread):
        lock = self.have("flag", "atomic", width=self.random.choice((1, 4)))
        take = op("exchange", "r0", lock, "1", "memory_order_acquire") if self.chance(0.5) else None
        body = [take, ("break_if", "r0 == 0")] if take else \
            [op("cas", "r0", lock, "0", "1", "memory_order_acq_rel"), ("break_if", "r0 == 1")]
        if self.chance(0.3):  # look before
            body = [op("load", "r1", lock, "memory_order_relaxed"), ("continue_if", "r1 != 0")] + body
        inner = self.guarded("flag", "lock", "r0", True)
        release = [] if self.chance(0.05) else [op("store", None, lock, "0", "memory_order_release")]
        return [], body, inner + release

    def update(self, thread):
        x = self.atomic()
        return [], [op("load", "r1", x, self.order("load")), op("cas", "r0", x, "r1", "(r1 + 1) & 7", self.order("both")),
                    ("break_if", "r0 != 0")], [note("r1")]

    def try_lock(self, thread):
        lock, take, attempt, release = self.lock()
        return [], [op(attempt, "r0", lock), ("break_if", "r0 == 0")], \
            self.guarded(lock, take, "r0", True) + [op(release, None, lock)]

    def try_and_poll(self, thread):
        lock, take, attempt, release = self.lock()
        p = self.plain(lock)
        self.promise_plain(thread, lock, take, release, p, 1)
        inner = [op("read", "r0", p), op(release, None, lock)]
        return [], [op(attempt, "r1", lock), ("if", "r1 == 0", inner, []), ("break_if", "r0 != 0")], [note("r1")]

    def semaphore_loop(self, thread):
        s = self.semaphore()
        self.promises.append((thread, [op("sem_post", None, s)]))
        name = self.random.choice(("sem_trywait", "sem_timedwait", "sem_getvalue"))
        wanted = "r0 != 0" if name == "sem_getvalue" else "r0 == 0"
        return [], [op(name, "r0", s), ("break_if", wanted)], []

    def condition_loop(self, thread):
        m = self.mutex()
        c = self.condition(m)
        p = self.plain(m)
        self.promise_plain(thread, m, "lock", "unlock", p, 1)
        timed = self.chance(0.35)
        given_up = self.chance(0.3)
        when = "later" if not self.later or (self.later == "unseen" and not given_up) else "past"
        if timed and when == "later":
            self.later = "seen" if given_up else "unseen"
        wait = op("cond_timedwait", "r1", c, m, when) if timed else op("cond_wait", None, c, m)
        after = [op("unlock", None, m)]
        if given_up:  # at a time-out
            return [op("lock", None, m)], [op("read", "r0", p), ("break_if", "r0 != 0"), wait] + \
                ([("break_if", "r1 != 0")] if timed else [("break_if", "1")]), [note("r0")] + after
        return [op("lock", None, m)], [op("read", "r0", p), ("break_if", "r0 != 0"), wait], after

    def back_off(self, thread):
        first = self.lock()
        second = self.lock(first[0])
        body = [op(first[1], None, first[0]), op(second[2], "r0", second[0]), ("break_if", "r0 == 0"),
                op(first[3], None, first[0])]
        return [], body, self.guarded(second[0], second[1], "r0", True) + [op(second[3], None, second[0]),
                                                                             op(first[3], None, first[0])]

    def two_variables(self, thread):
        x, y = self.have("x0", "atomic", width=4), self.have("x1", "atomic", width=4)
        self.promise_value(thread, x, 1)
        if self.chance(0.5):
            self.promise_value(thread, y, 2)
        both = self.random.choice(("(r0 == 1) | (r1 == 2)", "(r0 == 1) & (r1 != 3)", "r0 + r1 == 1", "r0 + r1 == 3"))
        return [], [op("load", "r0", x, self.order("load")), op("load", "r1", y, self.order("load")), ("break_if", both)], \
            [note("r0"), note("r1")]

    def decorate(self, body, locks):
        at = self.random.randrange(len(body) + 1)
        kind = self.random.randrange(15)
        y = self.atomic("x1", "x2", "y0")
        other = [l for l in ("m0", "m1", "m2", "w0", "l0") if l in locks]
        count = self.random.randrange(2, 4)
        extra = {
            0: [("pause", "yield")], 1: [("pause", self.random.choice(("sleep", "nanosleep", "buffer")))],
            2: [op("store", None, y, "1", self.order("store"))],
            3: [op(self.random.choice(("or", "xor", "exchange")), None, y, "1", "memory_order_seq_cst")],
            4: [op("store", None, y, "1", "memory_order_seq_cst"), op("store", None, y, "0", "memory_order_seq_cst")],
            5: [("set", "r3", f"(r3 + 1) & {2 * count - 3}")],
            6: [("if", f"r3 < {count}", [("set", "r3", "r3 + 1")], []), ],
            7: [("set", "r3", "r3 + 1"), ("break_if", f"r3 == {count}")],
            8: [op("load", "r3", y, self.order("load"))],
            9: [op("load", "r3", y, self.order("load")), ("set", "acc", "(acc * 2 + r3) & 7")],
            10: [("loop", "for", [op("load", "r3", y, "memory_order_seq_cst"), ("break_if", "r3 != 1")])],
            11: [("call", "r3", [op("load", "h0", y, "memory_order_seq_cst"), ("if", "h0 == 0", [("set", "h1", "1")], [])],
                  "h1", self.chance(0.5))],
            12: self.section("r3", False, *other),
            13: [("set", "acc", "(acc + 1) & 3")],
            14: self.show(*other),
        }[kind]
        if kind == 7 and self.moves_locks(body[:at]):
            return body
        if kind in (5, 6, 7, 8, 9, 10, 11, 12) and any("r3" in str(s) for s in body):
            return body
        return body[:at] + extra + body[at:]

    def show(self, *avoid):
        """A variable is something else for a while, and then what it was, each time under its lock."""
        lock, take, _, release = self.lock(*avoid)
        if take == "rdlock":
            take, release = "wrlock", "wrunlock"
        p = self.plain(lock)
        return [s for value in "20" for s in (op(take, None, lock), op("write", None, p, value), op(release, None, lock))]

    @staticmethod
    def moves_locks(statements):
        """Is a lock taken or given back there, so that leaving after it would leave it as it is not expected to be?"""
        return any(s[0] == "op" and "lock" in s[1] for s in statements)

    # The whole program.

    def program(self):
        count = self.random.choice((2, 2, 3, 3, 3))
        waits = self.random.choice((0, 1, 1, 1, 2))
        self.fragments = [[] for _ in range(count)]
        active = range(count) if count == 2 or self.chance(0.45) else range(1, count)
        most = 2 if count == 3 and len(active) == 3 else 3
        for t in active:
            for _ in range(self.random.randrange(0 if waits else 1, most)):
                self.fragments[t].append(self.straight(t))
        for _ in range(waits):
            t = self.random.choice(list(active))
            self.insert(t, self.wait(t))
        if "next" in self.objects and self.chance(0.8):
            self.insert(self.random.choice(list(active)), self.wait_for_ticket())
        for waiting, fragment in self.promises:
            others = [t for t in active if t != waiting]
            if others and self.chance(0.85):
                self.insert(self.random.choice(others), fragment)
        if self.chance(0.05) and len(active) >= 2:
            b = self.have("b0", "barrier", initial=2)
            for t in self.random.sample(list(active), 2):
                self.insert(t, [op("barrier", None, b)])
        return self.assemble(count)

    def wait_for_ticket(self):
        before, body, after = self.ticket(0)
        return before + [("loop", "for", body)] + after

    def insert(self, thread, fragment):
        self.fragments[thread].insert(self.random.randrange(len(self.fragments[thread]) + 1), fragment)

    def assemble(self, count):
        threads = [[s for f in fragments for s in f] for fragments in self.fragments]
        chained = count == 3 and self.chance(0.2)  # thread 1 creates and joins thread 2
        main_creates = [1] if chained else list(range(1, count))
        if chained:
            at = self.random.choice((0, 0, len(threads[1])))
            join = [op("join", None, 2)]
            threads[1] = threads[1][:at] + [op("create", None, 2)] + threads[1][at:] + join
        last = self.fragments[0].pop() if len(self.fragments[0]) > 1 and self.chance(0.3) else []
        main = [s for f in self.fragments[0] for s in f]
        joins = [op("join", None, t) for t in main_creates]
        threads[0] = [op("create", None, t) for t in main_creates] + main + joins + last
        self.objects = dict(sorted(self.objects.items()))
        styles = [self.random.choice(("local", "local", "local", "volatile", "array", "thread_local", "global", "heap")) for _ in range(count)]
        return Program(list(self.objects.values()), threads, styles)
