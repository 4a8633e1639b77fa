"""Random C programs for the search for data races: two or three threads with branches, loops, helper functions, recursion, and pointers to
locks and data, some of which are written while the threads run. Everything is a function of the seed."""

import random

HEAD = """#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct box { pthread_mutex_t* lock; int* data; int limit, own; };
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t* volatile_lock = &m0;
static int x, y, z, a[4], turns = 2;
static int* where = &x;
static atomic_int flag;
static struct box boxes[3];
static __attribute__((noinline)) void add(pthread_mutex_t* lock, int* to) { pthread_mutex_lock(lock); ++*to; pthread_mutex_unlock(lock); }
static __attribute__((noinline)) void bare(int* to) { ++*to; }
static __attribute__((noinline)) int get(pthread_mutex_t* lock, int* from) {
  pthread_mutex_lock(lock); const int v = *from; pthread_mutex_unlock(lock); return v; }
static __attribute__((noinline)) void take(pthread_mutex_t* lock) { pthread_mutex_lock(lock); }
static __attribute__((noinline)) void give(pthread_mutex_t* lock) { pthread_mutex_unlock(lock); }
static __attribute__((noinline)) void down(int n, pthread_mutex_t* lock, int* to) { if (n > 0) { down(n - 1, lock, to); return; } add(lock, to); }
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.rare = self.random.random() < 0.5  # unusual things too

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, p):
        return self.random.random() < p

    def data(self):
        return self.pick("x", "x", "y", "y", "z", "a[1]", "*b->data", *(("*where", "a[x & 3]", "b->own") if self.rare else ("b->own",)))

    def lock(self):
        return self.pick("&m0", "&m0", "&m0", "&m1", "b->lock", *(("volatile_lock",) if self.rare else ()))

    def value(self):
        self.names += 1
        return f"v{self.names}"

    def access(self, known):
        kind = self.random.random()
        if kind < 0.4 or not known:
            name = self.value()
            return [f"const int {name} = {self.data()};"], [name]
        if kind < 0.7:
            return [f"{self.data()} = {self.pick('1', '2', *known)};"], []
        return [f"{self.data()}++;"], []

    def condition(self, known):
        return f"{self.pick(*known)} {self.pick('==', '!=', '>')} {self.pick('0', '1')}" if known else "b->limit > 1"

    def inside(self, known):
        out = []
        known = list(known)
        for _ in range(self.random.randint(1, 2)):
            lines, names = self.access(known)
            if not names and self.chance(0.35):
                lines = [f"if ({self.condition(known)}) {{", *lines, "}"]
            out += lines
            known += names
        return out, known

    def piece(self, known, depth):
        """Lines, and names of values that are known behind them."""
        kind = self.random.random()
        lock = self.lock()
        if kind < 0.35:
            lines, names = self.inside(known)
            return [f"pthread_mutex_lock({lock});", *lines, f"pthread_mutex_unlock({lock});"], names
        if kind < 0.45:
            return [f"add({lock}, &{self.data()});"], known
        if kind < 0.55:
            name = self.value()
            return [f"const int {name} = get({lock}, &{self.data()});"], [*known, name]
        if kind < 0.62:
            lines, names = self.inside(known)
            return [f"take({lock});", *lines, f"give({lock});"], names
        if kind < 0.72 and depth and known:
            lines, _ = self.piece(known, depth - 1)
            return [f"if ({self.condition(known)}) {{", *lines, "}"], known
        if kind < 0.77 and depth:
            lines, _ = self.piece(known, 0)
            return [f"for (int i = 0; i < {self.pick('turns', '2', 'b->limit')}; i++) {{", *lines, "}"], known
        if kind < 0.81 and known:
            return [f"switch ({self.pick(*known)}) {{ case 0: add({lock}, &x); break; case 1: add(&m1, &y); break; default: break; }}"], known
        if kind < 0.86:
            lines, names = self.inside(known)
            mode = self.pick("rd", "wr")
            return [f"pthread_rwlock_{mode}lock(&rw);", *lines, "pthread_rwlock_unlock(&rw);"], names
        if kind < 0.89:
            return [self.pick("atomic_fetch_add(&flag, 1);", "if (atomic_load(&flag)) add(&m0, &z);")], known
        if kind < 0.92:
            return [f"down(2, {lock}, &{self.data()});"], known
        if kind < 0.95 and self.rare:
            return ["pthread_mutex_lock(&m0);", self.pick("volatile_lock = &m1;", "where = &y;", "where = &a[2];"), "pthread_mutex_unlock(&m0);"], known
        return [self.pick("bare(&x);", "bare(&b->own);", "bare(b->data);", f"if (pthread_mutex_trylock({lock}) == 0) {{ y++; pthread_mutex_unlock({lock}); }}")], known

    def worker(self, number, pieces):
        out = [f"static void* work{number}(void* argument) {{", "struct box* const b = argument;"]
        known = []
        for _ in range(pieces):
            lines, known = self.piece(known, 1)
            out += lines
        out += ["(void)b;", *(f"(void){name};" for name in known), "return 0;", "}"]
        return out

    def program(self):
        workers = 2 if self.chance(0.8) else 3
        out = [HEAD]
        for i in range(workers):
            out += self.worker(i, self.random.randint(1, 2 if workers == 3 else 3))
        out += ["int main(void) {", "pthread_t t[3];"]
        for i in range(workers):
            heap = self.chance(0.3)
            out += [f"struct box* b{i} = {'malloc(sizeof(struct box))' if heap else f'&boxes[{i}]'};",
                    f"b{i}->lock = {self.pick('&m0', '&m0', '&m1')}; b{i}->data = &{self.pick('x', 'y', 'a[0]', f'b{i}->own')}; "
                    f"b{i}->limit = {self.pick(1, 2)}; b{i}->own = 0;"]
        for i in range(workers):
            out.append(f"pthread_create(&t[{i}], 0, work{i}, b{i});")
            if self.chance(0.1):
                out.append("add(&m0, &x);")
        if self.chance(0.8):
            out += [f"pthread_join(t[{i}], 0);" for i in range(workers)]
            out.append(self.pick("return 0;", "if (x > 100) return 1; return 0;", "y = x; return 0;"))
        else:
            out.append("pthread_exit(0);")
        return "\n".join([*out, "}", ""])


def program(seed):
    return Generator(seed).program()
