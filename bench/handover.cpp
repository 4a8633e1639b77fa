// What one hand-over between explorer and executor costs, by shape: two processes (on one core and on two, by batch size)
// against a search in the executor's own process (a call, and a call behind two mprotect calls that open and close the search's
// memory).
//
// Prints microseconds per execution beyond the execution's own work (about 1 us). docs/decisions/0001 draws the conclusion.
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

struct Channel {
  alignas(64) std::uint32_t request;
  alignas(64) std::uint32_t completed;
  alignas(64) std::uint32_t batch;
  std::uint32_t sleepers;
  std::uint64_t sink;
};

void work(Channel& c) {  // stands for one execution of a ten-event program
  std::uint64_t x = c.sink + 1;
  for (int i = 0; i < 600; ++i) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    asm volatile("" : "+r"(x));  // the loop must stay
  }
  c.sink = x;
}
void wait_while(Channel& c, std::uint32_t* word, std::uint32_t value, int spins) {
  for (int i = 0; i < spins; ++i) {
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) return;
    __builtin_ia32_pause();
  }
  __atomic_fetch_add(&c.sleepers, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(word, __ATOMIC_SEQ_CST) == value) syscall(SYS_futex, word, FUTEX_WAIT, value, nullptr, nullptr, 0);
  __atomic_fetch_sub(&c.sleepers, 1, __ATOMIC_SEQ_CST);
}
void post(Channel& c, std::uint32_t* word) {
  __atomic_add_fetch(word, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&c.sleepers, __ATOMIC_SEQ_CST)) syscall(SYS_futex, word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}
void pin(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}
double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class F>
double median_of(int rounds, int executions, F&& f) {
  std::vector<double> each;
  for (int i = 0; i < rounds; ++i) {
    const double begin = now();
    f(executions);
    each.push_back((now() - begin) / executions);
  }
  std::sort(each.begin(), each.end());
  return each[each.size() / 2];
}

double two_processes(Channel& c, int executor_core, unsigned batch, int spins) {
  c.request = c.completed = c.sleepers = 0;
  c.batch = batch;
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin(executor_core);
    for (std::uint32_t seen = 0;; ++seen) {
      wait_while(c, &c.request, seen, spins);
      for (unsigned i = 0; i < c.batch; ++i) work(c);
      post(c, &c.completed);
    }
  }
  pin(0);
  std::uint32_t seen = 0;
  const double cost = median_of(101, 1024, [&](int executions) {
    for (int done = 0; done < executions; done += int(batch), ++seen) {
      post(c, &c.request);
      wait_while(c, &c.completed, seen, spins);
    }
  });
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return cost;
}

}  // namespace

int main() {
  void* const shared = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Channel& c = *static_cast<Channel*>(shared);
  void* const guarded = mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pin(0);
  const double base = median_of(101, 1024, [&](int n) {
    while (n--) work(c);
  });
  std::printf("work alone: %.2f us an execution\n", base);
  const double guard = median_of(101, 1024, [&](int n) {
    while (n--) {
      mprotect(guarded, 1 << 20, PROT_READ | PROT_WRITE);
      mprotect(guarded, 1 << 20, PROT_NONE);
      work(c);
    }
  });
  std::printf("%-44s %7.2f us\n", "in process, mapping opened and closed", guard - base);
  for (const int core : {0, 1})
    for (const unsigned batch : {1u, 4u, 16u, 64u}) {
      const int spins = core ? 3000 : 0;
      const double cost = two_processes(c, core, batch, spins);
      std::printf("two processes, %s, batch %2u %*s %7.2f us\n", core ? "two cores" : "one core ", batch, 14, "", cost - base);
    }
}
