#!/usr/bin/env python3
"""How far the balancing of ranks scales: a discrete-event model, from 2 to 4,096 workers.

    simulate.py [--executions N] [--microseconds C] [--latency L] [--service M] [--workers N...] [--json FILE]

A tree of N executions splits at random, unevenly; an execution takes C microseconds, a message L, and a rank looks at its messages
between batches of 16 executions, as the real one does. Compared are

  peers     a rank without work asks another, drawn at random, which gives the pending subtree nearest the root, if it has two;
  central   it asks a balancer, which takes M microseconds for each request, knows who has most left, and has that one give.

Speed-up is the time of one worker, without messages, divided by the time until the last execution is done. What is not modelled:
races that travel back to the owner of a state (their number is bounded by what the prefix can still learn), and checkpoints.
"""

import argparse
import heapq
import json
import random

BATCH = 16


def split(seed, size):
    """The two parts of a subtree, each with its own seed."""
    draw = random.Random(seed)
    left = min(size - 1, max(1, round(size * draw.uniform(0.1, 0.9))))
    return (seed * 2 + 1) & 0xFFFFFFFFFFFF ^ 0x5DEECE66D, left, (seed * 2 + 2) & 0xFFFFFFFFFFFF ^ 0xB5026F5AA, size - left


class Worker:
    """Its subtrees, the one nearest the root first; it works from the last. What is done is counted off only when somebody looks."""

    def __init__(self):
        self.stack = []  # [seed, size]
        self.since = 0.0
        self.finish = 0  # number of its latest plan: earlier events are void

    def left(self):
        return sum(size for _, size in self.stack)

    def advance(self, now, cost):
        done = int((now - self.since) / cost)
        self.since += done * cost
        while done and self.stack:
            seed, size = self.stack.pop()
            if done >= size:
                done -= size
                continue
            while done:  # into the subtree under way: what is right of the way is pending
                left_seed, left, right_seed, right = split(seed, size)
                if done < left:
                    self.stack.append([right_seed, right])
                    seed, size = left_seed, left
                else:
                    done -= left
                    seed, size = right_seed, right
            self.stack.append([seed, size])

    def give(self):
        while len(self.stack) == 1 and self.stack[0][1] > 1:  # the way to the next execution has siblings too
            seed, size = self.stack.pop()
            left_seed, left, right_seed, right = split(seed, size)
            self.stack += [[right_seed, right], [left_seed, left]]
        return self.stack.pop(0) if len(self.stack) > 1 else None


class Model:
    def __init__(self, workers, scheme, options, seed):
        self.n, self.scheme, self.o = workers, scheme, options
        self.random = random.Random(seed)
        self.workers = [Worker() for _ in range(workers)]
        self.events, self.count = [], 0
        self.asks = self.units = self.busy = 0
        self.balancer_free = 0.0

    def at(self, time, what, *facts):
        self.count += 1
        heapq.heappush(self.events, (time, self.count, what, facts))

    def plan(self, w, now):
        worker = self.workers[w]
        worker.finish += 1
        self.at(worker.since + worker.left() * self.o.microseconds, "idle", w, worker.finish)

    def run(self):
        self.workers[0].stack = [[1, self.o.executions]]
        self.busy = 1  # and units under way
        self.plan(0, 0.0)
        for w in range(1, self.n):
            self.ask(w, 0.0)
        last = 0.0
        while self.events:
            now, _, what, facts = heapq.heappop(self.events)
            if what == "idle":
                w, number = facts
                if self.workers[w].finish == number:
                    self.workers[w].stack = []
                    self.busy -= 1
                    last = now
                    if self.busy:
                        self.ask(w, now)
            elif self.busy or what == "unit":
                getattr(self, what)(now, *facts)
        return self.o.executions * self.o.microseconds / last

    def ask(self, thief, now):
        self.asks += 1
        if self.scheme == "central":
            self.balancer_free = max(self.balancer_free, now + self.o.latency) + self.o.service
            return self.at(self.balancer_free, "choose", thief)
        victim = self.random.randrange(self.n - 1)
        self.at(now + self.o.latency, "asked", thief, victim + (victim >= thief))

    def choose(self, now, thief):
        victim = max(range(self.n), key=lambda w: self.workers[w].left() if w != thief else 0)
        self.at(now + self.o.latency, "asked", thief, victim)

    def asked(self, now, thief, victim):
        busy = bool(self.workers[victim].stack)
        self.at(now + (self.random.random() * BATCH * self.o.microseconds if busy else 0), "answer", thief, victim)

    def answer(self, now, thief, victim):
        worker = self.workers[victim]
        worker.advance(now, self.o.microseconds)
        given = worker.give()
        if given is None:
            return self.at(now + self.o.latency, "refused", thief)
        self.plan(victim, now)
        self.units += 1
        self.busy += 1
        self.at(now + self.o.latency, "unit", thief, given)

    def refused(self, now, thief):
        self.ask(thief, now)

    def unit(self, now, thief, given):
        self.workers[thief].stack = [given]
        self.workers[thief].since = now
        self.plan(thief, now)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--executions", type=int, default=1_938_816)
    parser.add_argument("--microseconds", type=float, default=25.0)
    parser.add_argument("--latency", type=float, default=50.0)
    parser.add_argument("--service", type=float, default=5.0)
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 4, 16, 64, 256, 1024, 4096])
    parser.add_argument("--json")
    o = parser.parse_args()
    print(f"{o.executions:,} executions of {o.microseconds:g} us, {o.latency:g} us a message, {o.service:g} us a request at a balancer")
    print(f"{'workers':>8} {'peers':>9} {'efficiency':>11} {'units':>8} {'central':>9} {'efficiency':>11} {'units':>8}")
    rows = []
    for n in o.workers:
        row = {"workers": n}
        for scheme in ("peers", "central"):
            model = Model(n, scheme, o, n)
            row[scheme] = {"speedup": model.run(), "asks": model.asks, "units": model.units}
        rows.append(row)
        cells = "".join(f" {row[s]['speedup']:9.1f} {row[s]['speedup'] / n:11.3f} {row[s]['units']:8}" for s in ("peers", "central"))
        print(f"{n:8}{cells}", flush=True)
    if o.json:
        with open(o.json, "w", encoding="utf-8") as out:
            json.dump({"options": vars(o), "rows": rows}, out, indent=1)


if __name__ == "__main__":
    main()
