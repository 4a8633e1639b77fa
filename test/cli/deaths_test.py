#!/usr/bin/env python3
"""Programs that die, or harm what they run in, in every way: the explorer outlives them, counts the same twice, and leaves nothing behind.

    deaths_test.py --bin DIR [--steps N] [--jobs N] [NAME...]     DIR holds inspect and inspect-cc; ways whose name contains one of the NAMEs

In each way two threads of N steps each write one variable; in the schedules in which the first then reads a certain value of the other's
it does what its argument says. Each check must end by itself, with an exit status that has a meaning, and twice with the same verdict and
counts; afterwards no process of the program's runs, and no temporary file, shared memory or other file of the check is there.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

LIMIT = 300  # seconds; only a hang comes near it

PROGRAM = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x;
static const char *way, *self;

// The kernel's, without the library and without a hook.
__attribute__((naked)) static long kernel(long a, long b, long c, long number) {
  __asm__("mov %rcx, %rax\n xor %r10d, %r10d\n syscall\n ret");
}
__attribute__((naked)) static void fill(void* at, long value, unsigned long bytes) {
  __asm__("mov %rdx, %rcx\n mov %rsi, %rax\n rep stosb\n ret");
}
static int deeper(int n) { volatile char frame[4096]; frame[0] = (char)n; return n ? deeper(n + 1) + frame[0] : 0; }
static __attribute__((noinline)) void over_the_guard(void) { volatile char frame[16 << 20]; frame[0] = 1; frame[8 << 20] = 2; }
static __attribute__((noinline)) void over_its_frame(void) {
  volatile char frame[16];
  for (int i = 0; i < 4096; i++) ((volatile char*)frame)[i] = (char)0xcc;
}
static void nothing(int number) { (void)number; }
static void handled(int number) { signal(number, nothing); raise(number); }
static void limited(int resource, unsigned long n) { struct rlimit r = {n, n}; setrlimit(resource, &r); }
static void* page_of(void* p) { return (void*)((unsigned long)p & ~4095ul); }
static void beyond_the_file(void) {
  char* p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memfd_create("empty", 0), 0);
  p[0] = 1;
}
static void much(void) {
  static char block[1 << 16];
  memset(block, 'o', sizeof block);
  for (int i = 0; i < 64; i++) if (write(1, block, sizeof block) < 0) return;
}
static void names_of_files(int remove) {
  char name[64];
  for (int i = 0; i < 20; i++) {
    snprintf(name, sizeof name, "made.%d", i);
    int fd = open(name, O_CREAT | O_WRONLY, 0644);
    if (fd >= 0) close(fd);
    if (remove) unlink(name);
  }
}
static void allocate(void) { for (;;) { char* p = malloc(1 << 20); if (!p) abort(); memset(p, 1, 1 << 20); } }
static void twice_free(void) { char* volatile p = malloc(8); free(p); free(p); }
static void too_far(void) { char* p = malloc(8); memset(p, 1, 4096); free(p); }
static void after_unmapping(void) {
  char* p = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(p, 1 << 20);
  p[5] = 1;
}
static char text[1 << 16];
static long opened(const char* name, long flags) { return kernel((long)name, flags, 0, SYS_open); }
static void cuts(const char* name) {
  long fd = opened(name, O_RDWR);
  if (fd >= 0) kernel(fd, 0, 0, SYS_ftruncate);
}
// Wherever it is mapped, and whatever the explorer has open.
static void cuts_files_in_memory(void) {
  long fd = opened("/proc/self/maps", O_RDONLY), size = 0, n;
  while (size < (long)sizeof text - 1 && (n = kernel(fd, (long)text + size, sizeof text - 1 - size, SYS_read)) > 0) size += n;
  char name[64];
  for (char* line = strtok(text, "\n"); line; line = strtok(0, "\n")) {
    snprintf(name, sizeof name, "/proc/self/map_files/%.*s", (int)strcspn(line, " "), line);
    if (strstr(line, "memfd:")) cuts(name);
  }
  for (int i = 3; i < 64; i++) {
    snprintf(name, sizeof name, "/proc/%ld/fd/%d", kernel(0, 0, 0, SYS_getppid), i);
    cuts(name);
  }
}
static long explorer(void) { return kernel(0, 0, 0, SYS_getppid); }
static void limits_explorer(void) { struct rlimit none = {0, 0}; kernel(explorer(), RLIMIT_NOFILE, (long)&none, SYS_prlimit64); }
#define CHANNEL ((void*)0x210000000000)
#define ways(_)                                                                                                       \
  _(read_null, (void)*(volatile int*)8) _(write_null, *(volatile int*)8 = 1) _(jump_wild, ((void (*)(void))0x123456)()) \
  _(write_noncanonical, *(volatile int*)0xdead000000000000 = 1) _(write_in_assembly, __asm__ volatile("movl $1, 8"))  \
  _(bus_error, beyond_the_file()) _(divide, { volatile int z = 0; z = 7 / z; }) _(trap, __builtin_trap())             \
  _(breakpoint, __asm__ volatile("int3")) _(privileged, __asm__ volatile("hlt"))                                      \
  _(kill_library, kill(getpid(), SIGKILL)) _(kill_kernel, kernel(kernel(0, 0, 0, SYS_getpid), SIGKILL, 0, SYS_kill))  \
  _(stop_library, raise(SIGSTOP)) _(stop_kernel, kernel(kernel(0, 0, 0, SYS_getpid), SIGSTOP, 0, SYS_kill))           \
  _(terminate, kill(getpid(), SIGTERM)) _(terminate_parent, kill(getppid(), SIGTERM)) _(kill_group, kill(0, SIGKILL)) \
  _(kill_explorer, kernel(explorer(), SIGKILL, 0, SYS_kill)) _(stop_explorer, kernel(explorer(), SIGSTOP, 0, SYS_tkill)) \
  _(kill_by_descriptor, kernel(kernel(explorer(), 0, 0, SYS_pidfd_open), SIGKILL, 0, SYS_pidfd_send_signal))           \
  _(limits_explorer, limits_explorer()) _(traces_explorer, kernel(PTRACE_SEIZE, explorer(), 0, SYS_ptrace))            \
  _(cuts_files_in_memory, cuts_files_in_memory())                                                                     \
  _(sizes_output, { kernel(1, 1l << 40, 0, SYS_ftruncate); abort(); })                                                \
  _(exit_kernel, kernel(0, 0, 0, SYS_exit_group)) _(exit_kernel_failed, kernel(7, 0, 0, SYS_exit_group))              \
  _(aborts, abort()) _(exits, exit(0)) _(exits_failed, exit(3)) _(exits_at_once, _exit(0)) _(exits_quickly, quick_exit(5)) \
  _(thread_exits, pthread_exit(0)) _(stack_overflow, (void)deeper(1)) _(stack_jump, over_the_guard())                 \
  _(stack_smash, over_its_frame()) _(closes_all, { for (int i = 0; i < 1024; i++) close(i); })                        \
  _(closes_range, close_range(0, ~0u, 0)) _(closes_in_kernel, kernel(0, ~0u, 0, SYS_close_range))                     \
  _(unmaps_own, after_unmapping()) _(unmaps_channel, munmap(CHANNEL, 1 << 20))                                        \
  _(unmaps_channel_in_kernel, kernel((long)CHANNEL, 1 << 20, 0, SYS_munmap))                                          \
  _(unmaps_code, munmap(page_of((void*)&deeper), 4096)) _(protects_channel, mprotect(CHANNEL, 1 << 20, PROT_NONE))    \
  _(protects_data, mprotect(page_of(&x), 4096, PROT_READ))                                                            \
  _(fills_channel_0, fill(CHANNEL, 0, 8 << 20)) _(fills_channel_1, fill(CHANNEL, 0xff, 8 << 20))                      \
  _(fills_channel_hooked, memset(CHANNEL, 0x5a, 4096))                                                                \
  _(limits_memory, { limited(RLIMIT_AS, 1 << 20); free(malloc(1 << 24)); }) _(limits_time, limited(RLIMIT_CPU, 0))    \
  _(limits_files, limited(RLIMIT_NOFILE, 0)) _(limits_stack, limited(RLIMIT_STACK, 4096))                             \
  _(no_death_signal, prctl(PR_SET_PDEATHSIG, 0)) _(own_name, prctl(PR_SET_NAME, "\033[31mred")) _(alarms, alarm(1))   \
  _(forks, fork()) _(forks_in_kernel, kernel(0, 0, 0, SYS_fork)) _(vforks, kernel(0, 0, 0, SYS_vfork))                \
  _(starts_a_shell, (void)!system("true")) _(becomes_another, execl("/bin/true", "true", (char*)0))                   \
  _(loops, { for (volatile unsigned long i = 0;; i++) {} }) _(allocates, allocate())                                  \
  _(allocates_too_much, { char* p = malloc(1ul << 60); if (p) *p = 1; }) _(prints_much, much())                       \
  _(prints_much_and_aborts, { much(); abort(); }) _(changes_folder, (void)!chdir("/"))                                \
  _(removes_itself, unlink(self)) _(makes_files, names_of_files(0)) _(makes_and_removes_files, names_of_files(1))     \
  _(no_environment, clearenv()) _(blocks_signals, { sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); abort(); }) \
  _(handles_crashes, handled(SIGSEGV)) _(ignores_crashes, { signal(SIGSEGV, SIG_IGN); *(volatile int*)8 = 1; })       \
  _(strict, kernel(PR_SET_SECCOMP, 1, 0, SYS_prctl)) _(own_session, setsid()) _(frees_twice, twice_free())            \
  _(frees_wild, free((void*)0x1234560)) _(writes_beyond, too_far())                                                   \
  _(opens_shared_memory, close(shm_open("/inspect_deaths_test", O_CREAT | O_RDWR, 0600)))                             \
  _(many_threads, { pthread_t t; for (int i = 0; i < 400 && !pthread_create(&t, 0, (void* (*)(void*))deeper, 0); i++) {} }) \
  _(many_files, { for (int i = 0; i < 2000 && open("/dev/null", O_RDONLY) >= 0; i++) {} }) _(nothing_at_all, (void)0)

static void go(void) {
#define do_it(name, what) if (!strcmp(way, #name)) { what; return; }
  ways(do_it)
}
static void* first(void* p) {
  for (int i = 0; i < STEPS; i++) x = i;
  if (x == 100 + STEPS / 2) go();
  return p;
}
static void* second(void* p) { for (int i = 0; i < STEPS; i++) x = 100 + i; return p; }
int main(int n, char** v) {
  if (n < 2) {
#define print_it(name, what) puts(#name);
    ways(print_it)
    return 0;
  }
  way = v[1];
  self = v[0];
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""


def run_of(folder):
    """Processes that run a file of that folder."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and str((entry / "exe").readlink()).startswith(str(folder)):
                found.append(entry.name)
        except OSError:
            pass
    return found


def shared_memory():
    return {p.name for p in pathlib.Path("/dev/shm").glob("*inspect*")}


class Bench:
    def __init__(self, tools, folder, steps):
        self.tools, self.folder = tools, folder
        self.compiler = [tools / "inspect-cc", "-std=gnu17", "-O1", "-g", "-pthread", "-w"]
        (folder / "deaths.c").write_text(PROGRAM)
        for program, n in (("deaths", steps), ("few_deaths", min(steps, 2))):
            subprocess.run([*self.compiler, f"-DSTEPS={n}", "deaths.c", "-o", program], cwd=folder, check=True, timeout=LIMIT)
        subprocess.run(["clang-19", "-w", "-pthread", f"-DSTEPS={steps}", "deaths.c", "-o", "native"], cwd=folder, check=True, timeout=LIMIT)
        self.ways = subprocess.run([folder / "native"], capture_output=True, text=True, check=True).stdout.split()

    def check(self, way, turn):
        """(exit status, verdict, counts)"""
        place = self.folder / f"{way}.{turn}"
        temporary = place / "tmp"
        temporary.mkdir(parents=True)
        os.link(self.folder / ("few_deaths" if way in TAKE_SECONDS else "deaths"), place / "deaths")
        command = [self.tools / "inspect", "check", "--quiet", "--progress=off", "--keep-going", "--json=out.json", "--schedule=out.schedule",
                   "--memory-limit=300M", "--max-steps=5000", "./deaths", "--", way]
        try:
            done = subprocess.run(command, cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
                                  timeout=LIMIT, check=False, env={**os.environ, "TMPDIR": str(temporary)})
        except subprocess.TimeoutExpired:
            return (), "it hangs"
        said = done.stdout + done.stderr
        wrong = []
        if done.returncode not in (0, 1, 3, 4) or "internal error" in said:
            wrong.append(f"ended with {done.returncode}")
        if "\033" in said:
            wrong.append("commands to the terminal")
        if run_of(place):
            wrong.append(f"still runs: {run_of(place)}")
        left = [p.name for p in place.iterdir() if not p.name.startswith(("out", "tmp", "deaths", "made."))] + [*temporary.iterdir()]
        if left:
            wrong.append(f"left over: {left}")
        try:
            report = json.loads((place / "out.json").read_text())
            seen = (done.returncode, report["verdict"], report["executions"], report["transitions"], len(report["bugs"]))
        except OSError:
            wrong.append("no report")
            seen = ()
        return seen, "; ".join(wrong) + ("\n" + said[-1500:] if wrong else "")

    def twice(self, way):
        (one, wrong), (other, also_wrong) = self.check(way, 1), self.check(way, 2)
        if not (wrong or also_wrong) and one != other and (way not in NOT_REPEATED or one[:2] != other[:2]):
            wrong = f"first {one}, then {other}"
        return way, one, wrong or also_wrong


TAKE_SECONDS = ("loops",)  # each of its deaths: it is given up after ten seconds
# In which execution memory ends, or how many of them were read before all is overwritten, is the machine's affair.
NOT_REPEATED = ("allocates", "fills_channel_0", "fills_channel_1", "fills_channel_hooked")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    before, failed, executions, count = shared_memory(), 0, 0, 0
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(options.bin.resolve(), pathlib.Path(name).resolve(), options.steps)
        wanted = [w for w in bench.ways if not options.names or any(n in w for n in options.names)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for way, seen, wrong in pool.map(bench.twice, wanted):
                print(f"{'WRONG' if wrong else 'ok':6}{way:26}{seen}" + (f"\n{wrong}" if wrong else ""), flush=True)
                count += 1
                failed += bool(wrong)
                executions += 2 * seen[2] if seen else 0
    if shared_memory() - before:
        print(f"WRONG  shared memory is left over: {shared_memory() - before}")
        failed += 1
    print(f"{count} ways, {failed} wrong, {executions} executions")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
