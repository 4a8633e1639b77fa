#!/usr/bin/env python3
"""Programs that write over the channel to the explorer, at random moments, with whatever bytes.

    wild_writes.py --bin DIR [--count N] [--seed S] [--jobs N]

Code that nobody instruments writes a few values into one region of the channel when a thread comes to some point. Whatever it
was, the explorer ends by itself, with an exit status that has a meaning, and never with an internal error.
Prints what does not hold, with the command, and a table of exit statuses.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x, arrivals;
static char** words;
__attribute__((naked)) static void put(unsigned long at, unsigned long value, unsigned long bytes) {
  __asm__("mov %rdx, %rcx\\n mov %rsi, %rax\\n rep stosb\\n ret");
}
__attribute__((naked)) static void put_word(unsigned long at, unsigned long value) { __asm__("mov %rsi, (%rdi)\\n ret"); }
static void here(void) {  // words: at which arrival, if it is to go wrong after that, then place, value and bytes
  if (atomic_fetch_add(&arrivals, 1) != atoi(words[1])) return;
  for (char** w = words + 3; w[0] && w[1] && w[2]; w += 3) {
    unsigned long at = strtoul(w[0], 0, 16), value = strtoul(w[1], 0, 16), bytes = strtoul(w[2], 0, 10);
    if (bytes == 8) put_word(at, value); else put(at, value, bytes);
  }
  if (words[2][0] == '1') abort();
}
static void* a(void* p) { for (int i = 0; i < 2; i++) { x = i; here(); } return p; }
int main(int n, char** v) {
  words = v;
  pthread_t t, u;
  here();
  pthread_create(&t, 0, a, 0); pthread_create(&u, 0, a, 0);
  pthread_join(t, 0); pthread_join(u, 0);
  here();
  return 0;
}
"""
LIMIT = 120  # seconds; only a hang comes near it
CHANNEL = 0x210000000000
LOG, LOG_BYTES = 9486336, 1 << 30
# The configuration; names of threads and modules; races and assumptions; results; messages; requests; the log; the table behind it.
REGIONS = ((0, 4240), (4240, 14304), (14304, 30176), (30176, 48608), (48608, 1097184), (1097184, LOG), (LOG, LOG + 20000),
           (LOG + LOG_BYTES, LOG + LOG_BYTES + 40000))
VALUES = (0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x100, 0xffff, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, (1 << 64) - 1)


def words_of(rng):
    words = [str(rng.randrange(6)), str(rng.randrange(2))]
    for _ in range(rng.choice((1, 1, 2, 5, 20))):
        begin, end = rng.choice(REGIONS)
        at = rng.randrange(begin, end)
        bytes_ = rng.choice((1, 2, 4, 8, 8, 8, 16, 64, 300, 4000))
        value = rng.choice(VALUES) if rng.randrange(2) else rng.randrange(1 << 64)
        words += [f"{CHANNEL + (at & ~7 if bytes_ == 8 else at):x}", f"{value:x}", str(bytes_)]
    return words


def one(tools, folder, seed):
    rng = random.Random(seed)
    options = rng.choice(((), ("--algorithm=optimal",), ("--algorithm=dpor",), ("--visible=all",), ("--keep-going",), ("--races=report",), ("-j2",)))
    command = [str(tools / "inspect"), "check", "--quiet", "--progress=off", f"--schedule=found.{seed}", "--time-limit=10", "--max-executions=300",
               *options, "./wild", "--", *words_of(rng)]
    try:
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "hangs", command, ""
    return done.returncode, command, (done.stderr + done.stdout).decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    tools, statuses, failed = options.bin.resolve(), collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "wild.c").write_text(PROGRAM)
        subprocess.run([tools / "inspect-cc", "-O1", "-g", "-pthread", "wild.c", "-o", "wild"], cwd=folder, check=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            seeds = range(options.seed, options.seed + options.count)
            for status, command, said in pool.map(lambda seed: one(tools, folder, seed), seeds):
                statuses[status] += 1
                if status in (0, 1, 2, 3, 4):
                    continue
                failed += 1
                if failed <= 20:
                    print(f"WRONG {status}: {' '.join(command)}\n{said.strip()[-600:]}", flush=True)
    for status, count in sorted(statuses.items(), key=str):
        print(f"exit status {status}: {count}")
    print(f"{options.count} programs, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
