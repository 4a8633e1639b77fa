#!/usr/bin/env python3
"""Random C programs whose threads are interrupted: handlers of signals that other threads send, to a thread or to the process, run
in the middle of what these do. Options and answer are those of rare.py.

    interruptions.py --bin BUILD/bin --work FOLDER [--seed N] [--count N] [--workers N] [--table FILE]
    interruptions.py --mutants BUILD/test/native/mutants --bin BUILD/bin --work FOLDER

The second form makes a deliberate error, which a program must show.
"""
import argparse
import os
import pathlib
import subprocess
import sys

import rare
from rare import note

# Two signals of one number are handled once or twice. A row of src/runtime/platform/mutations.def lets "twice" be missed.
MUTANT, TWICE = "signals_sent_unseen", r"""
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int handled, sent, steps;
static pthread_t receiver;
static void handle(int number) { handled += number == SIGUSR1; }
static void* send(void* unused) { pthread_kill(receiver, SIGUSR1); sent++; return unused; }
static void* receive(void* unused) { steps++; steps++; return unused; }
int main(void) {
  pthread_t senders[2];
  signal(SIGUSR1, handle);
  pthread_create(&receiver, NULL, receive, NULL);
  for (int i = 0; i < 2; i++) pthread_create(&senders[i], NULL, send, NULL);
  for (int i = 0; i < 2; i++) pthread_join(senders[i], NULL);
  pthread_join(receiver, NULL);
  if (handled == 2) abort();
}
"""

PREAMBLE = rare.PREAMBLE + r"""
static pthread_t first;
static __thread volatile unsigned torn;
static int handler_kind[2];
static sigset_t usr2;

static void handle(int number) {
  switch (handler_kind[number == SIGUSR2]) {
    case 0: torn = torn + 1; break;
    case 1: atomic_fetch_add(&x[1], 3); break;
    case 2: torn = torn * 2 + (x[0] != 0); break;
    case 3: sem_post(&s); break;
    case 4: x[0] = 2; torn = 5; break;
  }
}
"""


def own(rng, _):
    return rng.choice((["torn = torn + 1;"], ["torn = 1;", note("torn")], [note("torn")],
                       ["pthread_sigmask(SIG_BLOCK, &usr2, NULL);", "torn = torn + 2;", "pthread_sigmask(SIG_UNBLOCK, &usr2, NULL);"]))


def sent(rng, number):
    signal = rng.choice(("SIGUSR1", "SIGUSR2"))
    to_thread = ["pthread_kill(threads[0], %s);" % signal] if number < 0 else ["pthread_kill(first, %s);" % signal]
    return rng.choice((to_thread, to_thread, ["kill(getpid(), %s);" % signal], ["raise(%s);" % signal]))


def waits(rng, _):
    return rng.choice((["sem_post(&s);"], [note("sem_wait(&s) != 0")], [note("sem_trywait(&s) != 0")], ["usleep(1);"]))


PIECES = {"own": own, "sent": sent, "memory": rare.memory, "waits": waits}


class Writer(rare.Writer):
    preamble = PREAMBLE
    sizes = (1, 1, 1, 2)
    lengths = {1: 2, 2: 1}

    def choose(self):
        kinds = ["sent", "own", self.random.choice(("own", "memory", "waits"))]
        flags = self.random.choice(("0", "SA_RESTART", "SA_NODEFER"))
        self.setup = ["first = pthread_self();", f"handler_kind[0] = {self.random.randrange(5)};", f"handler_kind[1] = {self.random.randrange(5)};",
                      f"struct sigaction action = {{.sa_handler = handle, .sa_flags = {flags}}};", "sigemptyset(&usr2);", "sigaddset(&usr2, SIGUSR2);",
                      "sigaction(SIGUSR1, &action, NULL);", "sigaction(SIGUSR2, &action, NULL);"]
        return PIECES, kinds

    def join_code(self, workers):
        return super().join_code(workers) + ["r = r * 7 + torn;"]


class Fuzzer(rare.Fuzzer):
    writer = Writer


def show_mutant(options):
    work = pathlib.Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    text, executable = work / "twice.c", work / "twice"
    text.write_text(TWICE)
    subprocess.run([pathlib.Path(options.mutants) / "bin/inspect-cc", "-O1", "-pthread", text, "-o", executable], check=True)
    status = {}
    for mutant in ("none", MUTANT):
        check = [pathlib.Path(options.bin) / "inspect", "check", "--algorithm=source", f"--schedule={work}/bug.schedule", executable]
        status[mutant] = subprocess.run(check, env=os.environ | {"INSPECT_MUTANT": mutant}, check=False, timeout=600).returncode
    print(f"{MUTANT}: {'noticed' if status == {'none': 1, MUTANT: 0} else 'NOT NOTICED'} {status}")
    return 0 if status == {"none": 1, MUTANT: 0} else 1


def main():
    if "--mutants" not in sys.argv:
        return rare.main(Fuzzer, __doc__)
    parser = argparse.ArgumentParser()
    for name in ("--mutants", "--bin", "--work"):
        parser.add_argument(name, required=True)
    return show_mutant(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
