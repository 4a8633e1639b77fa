"""Random programs of what generator.py leaves out: locks taken twice, owners that die, preferred writers, atomic sections and
parts, assumptions, choices, ends of threads and of main, thread-specific data, freed memory. Mixed with its own."""
from dataclasses import replace

from generator import Generator, note, op
from program import walk

CODES = ("mutex_lock", "mutex_lock", "mutex_trylock", "mutex_timedlock")


class WideGenerator(Generator):
    def __init__(self, seed):
        super().__init__(seed)
        self.forms = self.random.sample((self.robust, self.again, self.read_again, self.preferred, self.section_of, self.part,
                                         self.choice, self.assumption, self.leaving, self.specific, self.serial, self.freed,
                                         self.pending, self.attempt_twice, self.plainly), 3)
        self.unjoined = self.chance(0.15)

    def straight(self, thread):
        if self.chance(0.3):
            return super().straight(thread)
        form = self.random.choice(self.forms)
        if self.chance(0.4):  # another thread does the like
            self.promises.append((thread, form(0)))
        return form(thread)

    def wait(self, thread):
        kind = self.random.randrange(8)
        if kind == 0:
            return self.wait_preferred(thread)
        if kind == 1:
            return self.wait_in_section(thread)
        if kind == 2:
            return self.wait_robust(thread)
        return super().wait(thread)

    def few(self, to="r0"):
        return self.access(to, True) if self.chance(0.7) else []

    # Mutexes.

    def robust_mutex(self):
        return self.have("mr", "mutex", variant="robust")

    def robust(self, thread):
        m, take = self.robust_mutex(), self.random.choice(CODES)
        body = [op("consistent", None, m)] if self.chance(0.4) else []
        body = [("if", "r0 == 1", body, [])] if body and self.chance(0.7) else body
        p = self.plain(m)
        body += [op("read", "r1", p), note("r1")] if self.chance(0.5) else [op("write", None, p, str(self.random.randrange(4)))]
        if self.chance(0.3):
            body += [op(self.random.choice(CODES[2:]), "r1", m), note("r1")]
        if self.chance(0.3) and thread:
            body += [("leave", "1" if self.chance(0.5) else "r0 == 0")]
        body += [op("mutex_unlock", "r1", m), note("r1")] if self.chance(0.6) else []
        return [op(take, "r0", m), note("r0"), ("if", "r0 < 2", body, self.few("r1") if self.chance(0.3) else [])]

    def wait_robust(self, thread):
        m = self.robust_mutex()
        p = self.plain(m)
        for _ in range(self.random.choice((1, 2))):
            self.promises.append((thread, [op("mutex_lock", "r0", m), ("if", "r0 < 2", [op("write", None, p, "1")] +
                                                                         ([op("mutex_unlock", None, m)] if self.chance(0.5) else []), [])]))
        body = [op(self.random.choice(CODES), "r0", m), ("if", "r0 < 2", [op("read", "r1", p), op("mutex_unlock", None, m)], []),
                ("break_if", "(r0 == 1) | (r0 == 2)" if self.chance(0.5) else "(r1 != 0) | (r0 == 2)")]
        return [("loop", self.random.choice(("for", "while", "do")), body), note("r0")]

    def again(self, thread):
        """Taken again by its owner, and given back once more than it should be."""
        variant = self.random.choice(("recursive", "recursive", "errorcheck"))
        m = self.have("n_" + variant, "mutex", variant=variant)
        p = self.plain(m)
        touch = [op("read", "r1", p), note("r1")] if self.chance(0.4) else [op("write", None, p, str(self.random.randrange(4)))]
        second = self.random.choice(CODES)
        inner = [op(second, "r1", m), note("r1")] + self.few("r3") + [op("mutex_unlock", "r2", m), note("r2")] + touch * (variant ==
                                                                                                                  "recursive")
        outer = [op("mutex_lock", None, m)] + touch + inner + self.few("r3") + [op("mutex_unlock", "r1", m), note("r1")]
        if self.chance(0.3):
            return [op("mutex_unlock", "r0", m), note("r0")]
        if self.chance(0.3):
            return [op(self.random.choice(CODES[2:]), "r0", m), note("r0"),
                    ("if", "r0 == 0", touch + inner + [op("mutex_unlock", None, m)], [])]
        return outer

    def attempt_twice(self, thread):
        """Looks at a lock, does something, looks again."""
        m = self.mutex()
        out = []
        for r in ("r0", "r1"):
            out += [op(self.random.choice(("trylock", "timedlock")), r, m), note(r)]
            out += [("if", f"{r} == 0", self.few("r3") + [op("unlock", None, m)], [])]
            out += self.few("r2")
        return out

    # Read-write locks.

    def rwlock(self):
        return self.have("wp", "rwlock", variant="writer") if self.chance(0.8) else self.have("w0", "rwlock")

    def read_again(self, thread):
        w = self.rwlock()
        p = self.plain(w)
        second = self.random.choice(("rdlock", "tryrdlock", "timedrdlock"))
        inner = [op("read", "r1", p), note("r1")]
        nested = [op(second, "r2", w), note("r2"), ("if", "r2 == 0", inner + [op("rdunlock", None, w)], [])]
        return [op("rdlock", None, w)] + nested + self.few("r3") + (inner if self.chance(0.5) else []) + [op("rdunlock", None, w)]

    def preferred(self, thread):
        w = self.rwlock()
        p = self.plain(w)
        if self.chance(0.5):
            take = self.random.choice(("wrlock", "timedwrlock", "timedwrlock", "trywrlock"))
            body, release = [op("write", None, p, str(self.random.randrange(4)))] + self.few("r3"), "wrunlock"
        else:
            take = self.random.choice(("rdlock", "timedrdlock", "timedrdlock", "tryrdlock"))
            body, release = [op("read", "r1", p), note("r1")] + self.few("r3"), "rdunlock"
        if release == "wrunlock" and self.chance(0.2):
            again = self.random.choice(("wrlock", "timedwrlock", "trywrlock", "rdlock", "timedrdlock", "tryrdlock"))
            body += [op(again, "r1", w), note("r1")]
        return [op(take, "r0", w), note("r0"), ("if", "r0 == 0", body + [op(release, None, w)], self.few("r1"))]

    def wait_preferred(self, thread):
        w = self.rwlock()
        p = self.plain(w)
        self.promises.append((thread, [op("wrlock", None, w), op("write", None, p, "1"), op("wrunlock", None, w)]))
        if self.chance(0.5):
            self.promises.append((thread, self.preferred(thread)))
        take, release = self.random.choice((("rdlock", "rdunlock"), ("timedrdlock", "rdunlock"), ("tryrdlock", "rdunlock"),
                                            ("wrlock", "wrunlock"), ("timedwrlock", "wrunlock"), ("trywrlock", "wrunlock")))
        body = [op(take, "r0", w), ("if", "r0 == 0", [op("read", "r1", p), op(release, None, w)], []), ("break_if", "r1 != 0")]
        return [("loop", self.random.choice(("for", "while", "do")), body)]

    # Memory.

    def part(self, thread):
        x = self.have("big", "atomic", width=8, place=self.random.choice(("global", "heap")))
        width = self.random.choice((1, 2, 4))
        view = f"{x}:{width * self.random.randrange(8 // width // (1 + (width < 4)))}:{width}" if self.chance(0.75) else x
        value, kind = str(self.random.choice((1, 2, 255))), self.random.randrange(6)
        if kind <= 1:
            return [op("load", "r0", view, "memory_order_seq_cst"), note("r0")]
        if kind <= 3:
            return [op("store", None, view, value, "memory_order_seq_cst")]
        to = "r0" if self.chance(0.5) else None
        return [op(self.random.choice(("add", "or", "xor", "sub", "and")), to, view, value, "memory_order_seq_cst")] + \
            ([note("r0")] if to else [])

    def freed(self, thread):
        f = self.have("f0", self.random.choice(("plain", "atomic")), width=4, place="freed")
        x = self.have("given", "atomic", width=4)
        free = op("free", None, f)
        plain = self.objects[f].kind == "plain"
        touch = [op("read", "r1", f) if plain else op("load", "r1", f, "memory_order_seq_cst"), note("r1")]
        kind = self.random.randrange(5)
        if kind == 0:
            return touch + [op("add", "r0", x, "1", "memory_order_seq_cst"), ("if", f"r0 == {self.random.randrange(2)}", [free], [])]
        if kind == 1:
            return [op("store", None, x, "2", "memory_order_seq_cst")]
        if kind == 2:
            return [op("load", "r0", x, "memory_order_seq_cst"), ("if", "r0 == 0", touch, [])]
        if kind == 3:
            return [op("exchange", "r0", x, "3", "memory_order_seq_cst"), ("if", "r0 != 3", [free], [])]
        return touch

    def section_of(self, thread):
        body = []
        for _ in range(self.random.choice((1, 2, 2, 3))):
            kind = self.random.randrange(6)
            if kind <= 2:
                body += self.access(self.random.choice(("r0", "r1")), self.chance(0.6))
            elif kind == 3:
                s = self.have("ps", "plain", width=4)
                body += [op("read", "r2", s), note("r2")] if self.chance(0.5) else [op("write", None, s, str(self.random.randrange(4)))]
            elif kind == 4:
                body += [op("sem_post", None, self.semaphore())] if self.chance(0.5) else \
                    [op("sem_trywait", "r0", self.semaphore()), note("r0")]
            else:
                body = [("if", "r0 == 0", body, self.few("r1"))]
        return [("section", body)]

    def wait_in_section(self, thread):
        x = self.atomic()
        self.promise_value(thread, x, 1)
        inner = [op("load", "r0", x, "memory_order_seq_cst")]
        inner += [("if", "r0 == 1", [op("store", None, x, "2", "memory_order_seq_cst")], [])] if self.chance(0.5) else []
        return [("loop", self.random.choice(("for", "while", "do")), [("section", inner), ("break_if", "r0 != 0")]), note("r0")]

    # Choices and ends.

    def plainly(self, thread):
        q = self.have("q0", "plain", width=self.random.choice((1, 4)), place=self.random.choice(("global", "heap")))
        x = self.atomic()
        touch = [op("write", None, q, "1")] if self.chance(0.6) else [op("read", "r1", q), note("r1")]
        kind = self.random.randrange(3)
        if kind == 0:
            return [op("load", "r0", x, "memory_order_seq_cst"), ("if", f"r0 {self.random.choice(('==', '!='))} 0", touch, [])]
        return touch + [op("store", None, x, "1", "memory_order_seq_cst")] if kind == 1 else touch

    def choice(self, thread):
        n = self.random.choice((2, 2, 3))
        return [op("nondet", "r0", n), note("r0")] + ([("if", "r0 == 0", self.few("r1"), self.few("r1"))] if self.chance(0.6) else [])

    def assumption(self, thread):
        x = self.atomic()
        return [op("load", "r0", x, "memory_order_seq_cst"), ("assume", f"r0 {self.random.choice(('==', '!='))} 0")] + self.few("r1")

    def leaving(self, thread):
        if thread == 0:
            return self.few("r0")
        x = self.atomic()
        return [op("load", "r0", x, "memory_order_seq_cst"), note("r0"), ("leave", f"r0 == {self.random.randrange(2)}")]

    def specific(self, thread):
        y = self.atomic()
        value = str(1 + self.random.randrange(3))
        k = self.have(self.random.choice(("k0", "k0", "k1")), "key", destructor=(
            op(self.random.choice(("add", "store", "xor")), None, y, value, "memory_order_seq_cst"),))
        if thread == 0 and self.chance(0.3) and ("deleted", k) not in self.done:
            self.done.add(("deleted", k))
            return [op("key_delete", None, k)]
        return [op("setspecific", None, k)] if thread else self.few()

    def serial(self, thread):
        if "b1" not in self.objects:
            b = self.have("b1", "barrier", initial=2)
            for t in range(self.random.choice((2, 3, 3))):
                self.promises.append((t, [op("barrier", "r0", b), note("r0")]))
        return self.few()

    def pending(self, thread):
        if thread:
            return self.few()
        t = 1 + self.random.randrange(2)
        self.tried.add(t)
        return self.few()

    def program(self):
        self.done, self.tried = set(), set()
        program = super().program()
        main = program.threads[0]
        joins = {s[3]: i for i, s in enumerate(main) if s[0] == "op" and s[1] == "join"}
        for t in self.tried & set(joins):
            main[joins[t]] = ("if", "r0 != 0", [op("join", None, t)], [])
            main[joins[t]:joins[t]] = [op("tryjoin", "r0", t), note("r0")]
            joins = {s[3]: i for i, s in enumerate(main) if s[0] == "op" and s[1] == "join"}
        if self.unjoined and joins:
            t = self.random.choice(sorted(joins))
            del main[joins[t]]
            program.unjoined = True
            if self.chance(0.5):
                main.insert(next(i for i, s in enumerate(main) if s[:2] == ("op", "create") and s[3] == t) + 1, op("detach", None, t))
        inner = [s for s in walk(program.threads[1])]
        if any(s[:2] == ("op", "join") for s in inner) and any(s[0] == "leave" for s in inner):
            program.unjoined = True  # it may leave before it joins
        if program.unjoined:
            program.objects = [replace(o, place="global") if o.place == "stack" else o for o in program.objects]
        return program
