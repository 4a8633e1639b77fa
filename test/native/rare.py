#!/usr/bin/env python3
"""Random C programs of what the interpreter of interpreter.py does not know: futexes, files, pipes, signals, exit handlers, beginnings and
ends of objects, once, attempts to join, detached threads; with preferred writers, time-outs and loops that wait among them.

    rare.py --bin BUILD/bin --work FOLDER [--seed N] [--count N] [--workers N] [--table FILE]

The answer is that of plain enumeration, which relies on no dependence: each other algorithm must reach the same final states and
the same kinds of bugs; so must it with --symmetry, and with two workers be led to a bug by an assertion against one of these
states, and by none against another one. --table writes how many programs performed each operation.
"""
import argparse
import collections
import pathlib
import random
import subprocess
import sys
import time
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import bug_kinds  # noqa: E402
from algorithms import ALGORITHMS, AUTOMATIC, ENUMERATING  # noqa: E402

CHUNK = 40
RACE, MEMORY = map(bug_kinds.number, ("data-race", "memory-error"))
COVERING = [a for a in ALGORITHMS if a.covers_all]
TRUTH = (ENUMERATING[0], "")
RUNS = ([(a.name, "") for a in COVERING] + [(a.name, "symmetry") for a in COVERING if a.symmetry] + [(AUTOMATIC, "visible-all")])

PREAMBLE = r"""#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inspect/inspect.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic unsigned long final_state;
static unsigned long wanted;  // an assertion against this state
static const struct timespec past = {1, 0}, moment = {0, 1000};

static _Atomic unsigned x[2], out[4];
static _Atomic int word;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l;
static sem_t s;
static pthread_barrier_t b;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static int files[2], ends[2], spare;
static pthread_t threads[4];
static unsigned handled, code_of[4], kept;
static _Atomic unsigned* lent;
static sigset_t usr1;

static void rwlock(int writers) {
  pthread_rwlockattr_t a;
  pthread_rwlockattr_init(&a);
  if (writers) pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  pthread_rwlock_init(&l, &a);
}
static unsigned futex_wait(int value, const struct timespec* t) {
  return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, t, NULL, 0) == 0 ? 0 : errno == EAGAIN ? 1 : 2;
}
static unsigned futex_wake(int count) { return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0); }
static unsigned get(int fd) {
  char byte = 0;
  const long n = read(fd, &byte, 1);
  return n == 1 ? (unsigned char)byte + 1u : n == 0 ? 0 : 200;
}
static void put(int fd, char value) {
  if (write(fd, &value, 1) != 1) abort();
}
static unsigned size_of(const char* name) {
  struct stat st;
  return stat(name, &st) ? 9 : (unsigned)st.st_size;
}
static void once_body(void) { atomic_fetch_add(&x[0], 1); }
static void first_handler(void) { handled = handled * 4 + 1; }
static void second_handler(void) { handled = handled * 4 + 2; }

static unsigned long mixed(unsigned long h) {
  h *= 0x9E3779B97F4A7C15ul;
  return (h ^ h >> 29) * 0xBF58476D1CE4E5B9ul;
}
// Threads of the same code count alike, whoever is who.
static void say(void) {
  unsigned long h = mixed(handled + 8 * x[0] + 512 * x[1]) + mixed(word + 77) + mixed(kept + 7777);
  for (unsigned t = 0; t < 4; t++) h += mixed(out[t] * 64ul + code_of[t] + 1);
  h |= 1ul << 63;
  atomic_store(&final_state, h);
  if (h == wanted) __builtin_trap();
}
"""


class Writer:
    """One program; `objects` are those that it needs set up."""

    preamble = PREAMBLE
    setup = ()  # lines before the first thread
    sizes = (1, 2, 2, 2, 3)  # threads; of each, so many pieces at most:
    lengths = {1: 3, 2: 2, 3: 1}

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.pieces, self.kinds = self.choose()
        workers = self.random.choice(self.sizes)
        self.most = self.lengths[workers]
        self.symmetric = workers > 1 and self.random.random() < 0.35
        self.codes = [self.thread(i) for i in range(workers)]
        if self.symmetric:
            self.codes = [self.codes[0]] * workers
        self.own = self.thread(-1) if self.random.random() < 0.6 else []
        self.writers = self.random.random() < 0.7
        self.value = self.random.randrange(2)
        self.handlers = any("handler" in line for code in self.codes + [self.own] for line in code)
        self.joins = self.join_code(workers)

    def choose(self):
        return PIECES, self.random.sample(sorted(PIECES), self.random.choice((1, 2, 2, 3)))

    def thread(self, number):
        lines = []
        for _ in range(self.random.randint(1, self.most)):
            lines += self.pieces[self.random.choice(self.kinds)](self.random, number)
        return lines

    def join_code(self, workers):
        lines = []
        for i in range(workers):
            how = self.random.random()
            if "threads" not in self.kinds or how < 0.4:
                lines.append(f"pthread_join(threads[{i}], NULL);")
            elif how < 0.8:
                lines.append(f"if (pthread_tryjoin_np(threads[{i}], NULL)) {{ r = r * 3 + 1; pthread_join(threads[{i}], NULL); }}")
            else:
                lines.append(f"pthread_detach(threads[{i}]);")
        return lines

    def text(self, n):
        lines = []
        bodies = self.codes[:1] if self.symmetric else self.codes
        for i, code in enumerate(bodies):
            lines += [f"static void* p{n}_thread{i}(void* place) {{", "  unsigned r = 1;"] + ["  " + x for x in code]
            lines += ["  atomic_store((_Atomic unsigned*)place, r);", "  return NULL;", "}"]
        lines += [f"static void p{n}_main(void) {{", "  unsigned r = 1;", f"  rwlock({int(self.writers)});", f"  sem_init(&s, 0, {self.value});",
                  "  pthread_barrier_init(&b, NULL, 2);"]
        body = "\n".join(sum(self.codes, []) + self.own)
        if "files[" in body or '"rare' in body:
            lines += ['  files[0] = open("rare-a", O_RDWR | O_CREAT | O_TRUNC, 0600);', '  files[1] = open("rare-a", O_RDWR);',
                      '  put(files[0], 1);']
        if "ends[" in body:
            lines.append("  if (pipe(ends)) abort();")
        if "usr1" in body:
            lines += ["  sigemptyset(&usr1);", "  sigaddset(&usr1, SIGUSR1);", "  pthread_sigmask(SIG_BLOCK, &usr1, NULL);"]
        if "lent" in body:
            lines += ["  lent = malloc(sizeof *lent);", "  *lent = 5;"]
        if self.handlers:
            lines.append("  atexit(say);")
        lines += ["  " + x for x in self.setup]
        for i in range(len(self.codes)):
            which = 0 if self.symmetric else i
            lines += [f"  code_of[{i}] = {which};", f"  pthread_create(&threads[{i}], NULL, p{n}_thread{which}, (void*)&out[{i}]);"]
        lines += ["  " + x for x in self.own + self.joins] + ["  out[3] = r;"]
        lines += ["  exit(0);" if self.handlers else "  say();", "}"]
        return "\n".join(lines)


def note(expression):
    return f"r = r * 5 + {expression};"


def memory(rng, _):
    i, v = rng.randrange(2), rng.randrange(1, 3)
    return rng.choice(([note(f"x[{i}]")], [f"x[{i}] = {v};"], [f"atomic_fetch_add(&x[{i}], {v});"],
                       ["atomic_thread_fence(memory_order_seq_cst);", note(f"atomic_exchange(&x[{i}], {v})")]))


def futex(rng, _):
    return rng.choice(([note("futex_wait(0, NULL)")], [note("futex_wait(0, NULL)")], [note("futex_wait(0, &moment)")],
                       [note("futex_wake(1)")], ["word = 1;", note("futex_wake(2)")], [note("futex_wake(2)")]))


def file(rng, number):
    i = rng.randrange(2)
    return rng.choice(([note(f"get(files[{i}])")], [f"put(files[{i}], {rng.randrange(1, 4)});"],
                       [f"lseek(files[{i}], 0, SEEK_SET);", note(f"get(files[{i}])")], [note('size_of("rare-a")')],
                       ['rename("rare-a", "rare-b");'], [note('size_of("rare-b")')],
                       ['{ int f = open("rare-a", O_RDWR | O_TRUNC); ' + note("f >= 0") + " }"]))


def pipe(rng, _):
    return rng.choice(([f"put(ends[1], {rng.randrange(1, 4)});"], [f"put(ends[1], {rng.randrange(1, 4)});"], [note("get(ends[0])")]))


def signals(rng, _):
    return rng.choice((["kill(getpid(), SIGUSR1);"], ["kill(getpid(), SIGUSR1);"], [note("(sigtimedwait(&usr1, NULL, &(struct timespec){0}) == SIGUSR1)")],
                       ["{ sigset_t set; sigpending(&set); " + note("sigismember(&set, SIGUSR1)") + " }"]))


def handlers(rng, _):
    return rng.choice((["atexit(first_handler);"], ["atexit(second_handler);"], memory(rng, _)))


def lives(rng, number):
    """Under a gate, so that most are right; some are not."""
    use = rng.choice((["pthread_mutex_lock(&m);"] + memory(rng, number) + ["pthread_mutex_unlock(&m);"], ["sem_post(&s);"],
                      [note("!!sem_trywait(&s)")], ["pthread_cond_signal(&c);"], ["pthread_rwlock_rdlock(&l);", "pthread_rwlock_unlock(&l);"]))
    renew = rng.choice((["pthread_mutex_destroy(&m);", "pthread_mutex_init(&m, NULL);"], ["sem_destroy(&s);", "sem_init(&s, 0, 1);"],
                        ["pthread_cond_destroy(&c);", "pthread_cond_init(&c, NULL);"], ["pthread_rwlock_destroy(&l);", "pthread_rwlock_init(&l, NULL);"],
                        ["pthread_barrier_destroy(&b);", "pthread_barrier_init(&b, NULL, 2);"]))
    body = renew if rng.random() < 0.5 else use
    return body if rng.random() < 0.15 else ["pthread_mutex_lock(&gate);"] + body + ["pthread_mutex_unlock(&gate);"]


def once(rng, _):
    return ["pthread_once(&o, once_body);"] + ([note("x[0]")] if rng.random() < 0.5 else [])


def meeting(rng, number):
    if number > 0:
        return memory(rng, number)
    return ["if (pthread_barrier_wait(&b)) {", "  " + note("1"), "}"] + (["pthread_barrier_destroy(&b);"] if rng.random() < 0.1 else [])


def rwlocks(rng, number):
    inside = memory(rng, number) if rng.random() < 0.6 else semaphores(rng, number)
    take = rng.choice(("rdlock(&l)", "rdlock(&l)", "wrlock(&l)", "tryrdlock(&l)", "trywrlock(&l)", "timedrdlock(&l, &past)", "timedwrlock(&l, &past)"))
    return [f"if (!pthread_rwlock_{take}) {{"] + ["  " + x for x in inside] + ["  pthread_rwlock_unlock(&l);", "} else {", "  " + note("3"), "}"]


def semaphores(rng, _):
    return rng.choice((["sem_wait(&s);"], ["sem_post(&s);"], ["sem_post(&s);"], [note("!!sem_timedwait(&s, &past)")], [note("!!sem_trywait(&s)")],
                       ["{ int v; sem_getvalue(&s, &v); " + note("v") + " }"]))


def conditions(rng, number):
    return rng.choice((["pthread_mutex_lock(&m);", "pthread_cond_wait(&c, &m);", "pthread_mutex_unlock(&m);"],
                       ["pthread_mutex_lock(&m);", note("!!pthread_cond_timedwait(&c, &m, &past)"), "pthread_mutex_unlock(&m);"],
                       ["pthread_cond_signal(&c);"], ["pthread_cond_broadcast(&c);"],
                       ["if (!pthread_mutex_trylock(&m)) {"] + ["  " + x for x in memory(rng, number)] + ["  pthread_mutex_unlock(&m);", "}"],
                       ["if (!pthread_mutex_timedlock(&m, &past)) {"] + ["  " + x for x in memory(rng, number)] + ["  pthread_mutex_unlock(&m);", "}"]))


def guarded(rng, number):
    inside = rng.choice((["kept = kept * 3 + 1;"], [note("kept")], ["free((void*)lent);", "lent = NULL;"], ["if (lent) " + note("*lent")]))
    return ["pthread_mutex_lock(&gate);"] + inside + ["pthread_mutex_unlock(&gate);"]


def choices(rng, number):
    i = rng.randrange(2)
    return rng.choice(([note("inspect_nondet(2)")], [f"inspect_assume(x[{i}] == {rng.randrange(2)});"], memory(rng, number),
                       [f"{{ unsigned old = {rng.randrange(2)}; " + note(f"atomic_compare_exchange_strong(&x[{i}], &old, 3)") + " }"]))


def sections(rng, number):
    if rng.random() < 0.3:
        return memory(rng, number)
    return ["inspect_atomic_begin();"] + memory(rng, number) + ["if (x[0] < 2) x[1]++;", "inspect_atomic_end();"]


def loops(rng, number):
    if rng.random() < 0.6:
        return memory(rng, number)
    i = rng.randrange(2)  # one that only waits for a value, or one that looks at two
    return [f"while (x[{i}] == 0) {rng.choice((';', f'if (x[{1 - i}] > 90) sched_yield();'))}"]


PIECES = {f.__name__: f for f in (memory, futex, file, pipe, signals, handlers, lives, once, meeting, rwlocks, semaphores, conditions,
                                    guarded, choices, sections, loops)}
PIECES["threads"] = memory
PIECES["rwlocks_too"] = rwlocks


def source(writers):
    cases = "\n".join(f"    case {i}: p{i}_main(); break;" for i in range(len(writers)))
    return "\n\n".join([writers[0].preamble] + [w.text(i) for i, w in enumerate(writers)]) + f"""
int main(int count, char** arguments) {{
  if (count > 2) wanted = strtoul(arguments[2], NULL, 16);
  (void)handled, (void)spare, (void)first_handler, (void)second_handler, (void)size_of, (void)once_body, (void)moment;
  switch (count > 1 ? atoi(arguments[1]) : 0) {{
{cases}
  }}
  return 0;
}}
"""


@dataclass
class Found:
    exhausted: bool
    executions: int
    finals: frozenset
    kinds: frozenset
    operations: list
    why: str


def parse(line):
    head, why = line.split(" why=", 1)
    f = dict(x.split("=", 1) for x in head.split(" ")[2:])
    return Found(f["exhausted"] == "1", int(f["executions"]), frozenset(x for x in f["finals"].split(",") if x),
                 frozenset(int(b.split("@")[0]) for b in f["bugs"].split(",") if b), f["operations"].split(","), why.strip())


def difference(expected, found):
    if not found.exhausted:
        return None
    if found.kinds != expected.kinds:
        return f"bugs of kinds {sorted(found.kinds)}, naive has {sorted(expected.kinds)}"
    if found.kinds & {RACE, MEMORY}:
        return None
    if found.finals != expected.finals:
        return f"{len(expected.finals - found.finals)} final states missed, {len(found.finals - expected.finals)} that are none"
    return None


class Fuzzer:
    writer = Writer

    def __init__(self, options, explorer="native_explorer", compiler=None):
        self.options = options
        self.bin = pathlib.Path(options.bin).resolve()
        self.compiler = compiler or self.bin / "inspect-cc"
        self.explorer = self.bin / explorer
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.operations = collections.Counter()
        self.compared = self.programs = self.failures = self.led = 0
        self.unfinished = collections.Counter()

    def build(self, writers, stem):
        text, executable = stem.with_suffix(".c"), stem
        text.write_text(source(writers))
        done = subprocess.run([self.compiler, "--inspect-states", "-std=gnu17", "-O1", "-g", "-pthread", "-w", text, "-o", executable],
                              capture_output=True, text=True, timeout=600)
        if done.returncode:
            sys.exit(f"{text} does not compile:\n{done.stderr}")
        return executable

    def explore(self, executable, numbers, algorithms, *flags):
        command = [self.explorer, "--max-executions=4000", *flags, executable, algorithms, *map(str, numbers)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=3000)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}\nfailed: {done.stderr}")
        return done.stdout.splitlines()

    def results(self, executable, count, numbers=None):
        """{number: {(algorithm, flag): Found}}"""
        out = collections.defaultdict(dict)
        for flag in ("", "symmetry", "visible-all"):
            algorithms = ",".join(a for a, f in RUNS if f == flag)
            for line in self.explore(executable, numbers or range(count), algorithms, *([f"--{flag}"] if flag else [])):
                number, algorithm = line.split(" ")[:2]
                out[int(number)][algorithm, flag] = parse(line)
        return out

    def two_workers(self, executable, number, expected):
        """What is wrong with what two workers say of an assertion against a state that there is, and against one that there is not."""
        wrong = None
        for state in (min(expected.finals), "8123456789abcdef"):
            done = subprocess.run([self.bin / "inspect", "check", "-j", "2", executable, "--", str(number), state], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=600)
            if done.returncode != (1 if state in expected.finals else 0):
                wrong = f"-j 2, assertion against {state}: exit status {done.returncode}\n{done.stdout[-600:]}{done.stderr[-600:]}"
        return wrong

    def run_seeds(self, seeds):
        writers = [self.writer(seed) for seed in seeds]
        stem = self.work / f"rare-{seeds[0]}"
        executable = self.build(writers, stem)
        results = self.results(executable, len(writers))
        left = self.options.workers
        for i, seed in enumerate(seeds):
            expected = results[i][TRUTH]
            for name in {n for f in results[i].values() for n in f.operations}:
                self.operations[name] += 1
            self.programs += 1
            if not expected.exhausted:
                self.unfinished[expected.why.split(":")[0][:60] or "limit"] += 1
                continue
            self.compared += 1
            for run, found in results[i].items():
                what = difference(expected, found)
                if what:
                    self.report(seed, f"{' --'.join(run)}: {what} {found.why}")
            if left and not expected.kinds and expected.finals and not self.failures:
                left -= 1
                self.led += 1
                what = self.two_workers(executable, i, expected)
                if what:
                    self.report(seed, what)
        executable.unlink()
        stem.with_suffix(".c").unlink()

    def report(self, seed, what):
        self.failures += 1
        path = self.work / f"failed-{seed}.c"
        path.write_text(source([self.writer(seed)]))
        print(f"seed {seed}: {what}\n  {path}\n  {sys.argv[0]} --bin {self.bin} --work {self.work} --seed {seed} --count 1", flush=True)

    def run(self):
        begin = time.monotonic()
        seed, end = self.options.seed, self.options.seed + self.options.count
        while seed < end:
            self.run_seeds(range(seed, min(seed + CHUNK, end)))
            seed += CHUNK
        print(f"{self.programs} programs, {self.compared} compared with all their executions, {self.led} by two workers, {self.failures} "
              f"differences, {time.monotonic() - begin:.0f} s; not enumerated: {dict(self.unfinished)}", flush=True)
        if self.options.table:
            pathlib.Path(self.options.table).write_text("".join(f"{k}\t{n}\n" for k, n in sorted(self.operations.items())))
        return 1 if self.failures else 0


def main(fuzzer=Fuzzer, text=__doc__):
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=CHUNK)
    parser.add_argument("--workers", type=int, default=2, help="programs of each forty that two workers explore too")
    parser.add_argument("--table", default="")
    return fuzzer(parser.parse_args()).run()


if __name__ == "__main__":
    sys.exit(main())
