#!/usr/bin/env python3
"""Writes a random multithreaded C program, a function of the seed alone: locals that die, loops, calls, recursion, pointers into
own stack objects, heap lists, switches, locks, atomics, condition variables.

    generate.py SEED [--small] > program.c

-DBAD=k makes the end state number k, of 0 to 7, a bug; with -DENDS the exit status is the end state, which names no threads.
"""

import random
import sys


class Generator:
    """Grows one program; `depth` bounds nesting, so that programs end and stay small."""

    def __init__(self, seed, small=False):
        self.random = random.Random(seed)
        self.small = small
        self.threads = self.random.choice([2, 3] if small else [2, 2, 3])

    def expression(self, depth=2):
        if depth == 0 or self.random.random() < 0.4:
            return self.random.choice(["a", "b", "c", "n", str(self.random.randrange(4)), "box[b & 1]", "box[2]"])
        operator = self.random.choice(["+", "-", "^", "&", "*", "|"])
        return f"(({self.expression(depth - 1)} {operator} {self.expression(depth - 1)}) & 3)"

    def local(self):
        return self.random.choice(["a", "b", "c"])

    def shared(self):
        return f"shared[{self.random.randrange(3)}]"

    def simple(self):
        value, name = self.expression(), self.local()
        k = self.random.randrange(3)
        return self.random.choice([
            f"{name} = {value};",
            f"box[{self.expression(1)} & 1] = {value};",
            f"*way = {value}; way = {self.random.choice(['&box[1]', '&box[0]', 'way', '&c_object'])};",
            f"{name} = *way & 3;",
            f"atomic_fetch_add(&count[{k}], {value});",
            f"{name} = atomic_load(&count[{k}]) & 3;",
            f"atomic_store(&count[{k}], {value});",
            f"{{ int was = {value}; if (atomic_compare_exchange_strong(&count[{k}], &was, {self.expression()})) {name} = was & 3; }}",
            f"pthread_mutex_lock(&lock); {self.shared()} = ({self.shared()} + {value}) & 3; pthread_mutex_unlock(&lock);",
            f"pthread_mutex_lock(&lock); {name} = {self.shared()}; pthread_mutex_unlock(&lock);",
            f"if (pthread_mutex_trylock(&lock) == 0) {{ {name} ^= 1; pthread_mutex_unlock(&lock); }}",
        ])

    def compound(self, depth, function):
        which = self.random.randrange(7)
        if which == 0:
            return f"if ({self.expression()} & 1) {{ {self.block(depth - 1, function)} }} else {{ {self.block(depth - 1, function)} }}"
        if which == 1:
            return f"for (int i{depth} = 0; i{depth} < {self.random.choice([2, 3])}; i{depth}++) {{ {self.block(depth - 1, function)} if ({self.expression()} == 3) break; }}"
        if which == 2 and function > 0:
            return f"{self.local()} = f{self.random.randrange(function)}({self.expression()}, {self.random.choice(['way', 'box', '&c_object'])}) & 3;"
        if which == 3:
            return f"{{ struct item *x = malloc(sizeof *x); x->next = list; x->value = {self.expression()}; list = x; }}"
        if which == 4:
            return f"for (struct item *x = list; x; x = x->next) {self.local()} = ({self.local()} + x->value) & 3;"
        if which == 5:
            return f"switch ({self.expression()}) {{ case 0: {self.simple()} break; case 1: {self.simple()} /* falls through */ default: {self.simple()} }}"
        return f"if (list) {{ struct item *x = list; list = x->next; {self.local()} = x->value; free(x); }}"

    def block(self, depth, function):
        return " ".join(
            self.compound(depth, function) if depth and self.random.random() < 0.45 else self.simple()
            for _ in range(1 if self.small else self.random.randrange(1, 4)))

    def function(self, number):
        depth = 1 if self.small else 2
        return (f"static int f{number}(int n, int *way) {{ int a = n, b = 0, c = 1, c_object = 2, box[3] = {{0}}; struct item *list = 0; "
                f"{self.block(depth, number)} {self.block(1, number)} "
                f"while (list) {{ struct item *x = list; list = x->next; free(x); }} return (a + b + c + box[0] + c_object) & 3; }}")

    def program(self):
        count = 1 if self.small else 3
        lines = [
            "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>",
            "#ifndef BAD", "#define BAD 8", "#endif",
            "struct item { struct item *next; int value; };",
            "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;",
            "static int shared[3]; static atomic_int count[3];",
        ]
        lines += [self.function(i) for i in range(count)]
        lines.append(f"static void *run(void *argument) {{ int n = (int)(long)argument & 3, object = n; n = f{count - 1}(n, &object); "
                     "atomic_fetch_add(&count[0], (n + object) & 3); return 0; }")
        lines.append(f"int main(void) {{ pthread_t t[{self.threads}]; for (long i = 0; i < {self.threads}; i++) "
                     f"pthread_create(&t[i], 0, run, (void *)({'i / 2' if self.small else 'i & 1'})); for (int i = 0; i < {self.threads}; i++) pthread_join(t[i], 0); "
                     "unsigned end = shared[0] + 3 * shared[1] + 5 * shared[2] + count[0] + 7 * count[1] + 11 * count[2];")
        lines += ["#ifdef ENDS", "return (int)(1 + end % 250);", "#else", "return (end & 7) == BAD;", "#endif", "}"]
        return "\n".join(lines)


if __name__ == "__main__":
    print(Generator(int(sys.argv[1]), "--small" in sys.argv).program())
