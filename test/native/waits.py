"""Random loops that wait, whose turns change something for a moment or not at all: counts, marks, values stored again. Others look
at that now and then, and go on by it or not. Mixed with the loops of generator.py."""
from generator import Generator, STYLES, note, op


class WaitsGenerator(Generator):
    def __init__(self, seed):
        super().__init__(seed)
        self.racy = False

    def straight(self, thread):
        return self.look_at_mark() if self.chance(0.5) else super().straight(thread)

    def mark(self):
        return self.have(self.random.choice(("y0", "y0", "y1")), "atomic", width=self.random.choice((1, 4, 4, 8)),
                         place=self.random.choice(("global", "heap")), initial=self.random.choice((0, 0, 1)))

    def wait(self, thread):
        kind = self.random.randrange(8)
        if kind == 0:
            return super().wait(thread)
        before, body, after = self.random.choice((self.poll, self.poll, self.two_variables, self.poll_locked, self.try_lock,
                                                  self.semaphore_loop, self.wait_for_mark, self.test_and_set))(thread)
        locks = {s[3] for s in before + body if s[0] == "op" and isinstance(s[3], str)}
        for _ in range(self.random.choice((1, 1, 2))):
            body = self.change_for_a_moment(thread, body, locks)
        if self.chance(0.2):
            body = self.decorate(body, locks)
        nested = any(s[0] == "loop" for s in body)
        return before + [("loop", self.random.choice(STYLES[:3] if nested else STYLES), body)] + after

    def wait_for_mark(self, thread):
        """For what another thread's turn shows for a moment, or nobody."""
        y = self.mark()
        if self.chance(0.3):
            self.promise_value(thread, y, 1 + self.random.randrange(2))
        x = self.have("x0", "atomic", width=4)
        after = [op("store", None, x, "1", "memory_order_seq_cst")] if self.chance(0.6) else []
        return [], [op("load", "r0", y, self.order("load")), ("break_if", f"r0 == {self.random.randrange(3)}")], after

    def look_at_mark(self):
        y, order = self.mark(), "memory_order_seq_cst"
        kind = self.random.randrange(6)
        if kind <= 1:
            return [op("load", "r0", y, self.order("load")), note("r0")]
        if kind == 2:
            return [op("cas", "r0", y, str(self.random.randrange(3)), str(self.random.randrange(3)), order), note("r0")]
        if kind == 3:
            return [op(self.random.choice(("add", "sub", "exchange", "xor")), "r0", y, "1", order), note("r0")]
        if kind == 4:
            return [op(self.random.choice(("add", "sub", "xor", "or")), None, y, str(1 + self.random.randrange(2)), order)]
        return [op("store", None, y, str(self.random.randrange(2)), order)]

    def change_for_a_moment(self, thread, body, locks):
        y, order = self.mark(), self.order("both")
        kind = self.random.randrange(12)
        first = last = []
        if kind <= 3:
            to = self.random.choice((None, None, "r2"))
            by = str(self.random.choice((1, 1, 2)))
            first, last = [op("add", to, y, by, order)], [op("sub", self.random.choice((None, "r3")), y, by, order)]
            last += [("set", "r3", "0")] if last[0][2] else []
            if to and self.chance(0.5):
                first.append(("break_if", "r2 == 3") if self.chance(0.5) else ("set", "acc", "(acc | r2) & 7"))
            if self.chance(0.3):
                first, last = last, first
        elif kind == 4:
            first, last = [op("exchange", "r2", y, "2", order)], [op("store", None, y, "r2", self.order("store"))]
        elif kind == 5:
            first, last = [op("store", None, y, "1", self.order("store"))], [op("store", None, y, "0", self.order("store"))]
        elif kind == 6:
            set_bit, clear_bit = self.random.choice((("or", "and"), ("xor", "xor")))
            first = [op(set_bit, None, y, "1", order)]
            last = [op(clear_bit, "r2", y, "1" if clear_bit == "xor" else "254", order), ("set", "r2", "r2 & 0")]
            if self.chance(0.5):  # only if it is not set, and another thread may set it
                self.promises.append((thread, [op("or", None, y, "1", order)]))
                i = self.random.randrange(len(body) + 1)
                if "r2" in str(body):
                    return body
                return body[:i] + [op("load", "r2", y, self.order("load")), ("if", "(r2 & 1) == 0", first + last, [])] + body[i:]
        elif kind == 7:
            first, last = [op("cas", "r2", y, "0", "1", "memory_order_seq_cst")], [("if", "r2 == 1", [
                op("store", None, y, "0", "memory_order_release")], [])]
        elif kind == 8:
            v = str(self.random.randrange(2))
            first = [op("cas", None, y, v, v, "memory_order_seq_cst")]
        elif kind == 9:
            first = [op("load", "r2", y, "memory_order_relaxed"), op("store", None, y, "r2", self.order("store"))]
        else:
            avoid = [l for l in ("m0", "m1", "m2", "w0", "l0") if l in locks]
            first, last = self.show_and_hide(thread, *avoid)
        if self.chance(0.5) and y in self.objects:
            self.promises.append((thread, self.look_at_mark()))
        if first and any("r2" in str(s) for s in first + last) and any("r2" in str(s) for s in body):
            return body
        # To leave in between keeps the change; where a lock is held, it must not be.
        i = self.random.randrange(len(body) + 1)
        j = self.random.randrange(i, len(body) + 1)
        if any(s[0] == "op" and "lock" in s[1] for s in first) and self.moves_locks(body[:j]):
            i = j = 0
        return body[:i] + first + body[i:j] + last + body[j:]

    def show_and_hide(self, thread, *avoid):
        """A plain variable counts up and down, in one section or in two."""
        lock, take, _, release = self.lock(*avoid)
        if take == "rdlock":
            take, release = "wrlock", "wrunlock"
        p = self.plain(lock)
        up = [op("read", "r2", p), op("write", None, p, "(r2 + 1) & 7")]
        down = [op("read", "r2", p), op("write", None, p, "(r2 + 7) & 7")]
        if self.chance(0.5):
            between = self.look_at_mark()[:1] if self.chance(0.4) else []
            between = [b for b in between if b[2] is None]
            return [op(take, None, lock)] + up + between + down + [op(release, None, lock)], []
        if self.chance(0.6):
            self.promises.append((thread, [op(take, None, lock), op("read", "r0", p), note("r0"), op(release, None, lock)]))
        return [op(take, None, lock)] + up + [op(release, None, lock)], [op(take, None, lock)] + down + [op(release, None, lock)]

    def program(self):
        program = super().program()
        if self.chance(0.4):  # registers that others' addresses do not get in the way of
            program.register_style = ["local"] * len(program.threads)
        return program
