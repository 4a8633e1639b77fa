#include "runtime/platform/fork.hpp"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "runtime/platform/system_call.hpp"

// Its one system call comes from a place that nothing else calls from.
asm(R"(
.text
.globl inspect_gate
.hidden inspect_gate
.type inspect_gate,@function
inspect_gate:
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %r10
  movq %r9, %r8
  syscall
.globl inspect_gate_end
.hidden inspect_gate_end
inspect_gate_end:
  ret
.size inspect_gate,.-inspect_gate
)");
extern "C" const char inspect_gate_end[] __attribute__((visibility("hidden")));

namespace inspect::runtime {
namespace {

// Where the C library keeps the number of the running thread: in struct pthread (glibc 2.36, x86-64), which the thread pointer
// points to.
constexpr std::uintptr_t kNumberInThread = 720;

int* own_number() {
  std::uintptr_t thread;
  asm("movq %%fs:0x10, %0" : "=r"(thread));
  return reinterpret_cast<int*>(thread + kNumberInThread);
}

[[noreturn]] void end_with(int status) {
  for (;;) system_call(SYS_exit_group, status);
}

void send_self(int number) { inspect_gate(SYS_kill, system_call(SYS_getpid), number, 0, 0, 0); }

// By the signal that ended the copy.
[[noreturn]] void die_of(int number) {
  struct {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)();
    std::uint64_t mask;
  } const usual{};
  const std::uint64_t none = 0;
  system_call(SYS_rt_sigaction, number, reinterpret_cast<long>(&usual), 0, sizeof none);
  system_call(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&none), 0, sizeof none);
  send_self(number);
  end_with(70);
}

}  // namespace

std::uintptr_t gate_address() { return reinterpret_cast<std::uintptr_t>(inspect_gate_end); }

bool can_fork() { return *own_number() == system_call(SYS_gettid); }

long fork_process() {
  const long parent = system_call(SYS_getpid);
  const long copy = inspect_gate(SYS_clone, CLONE_CHILD_SETTID | SIGCHLD, 0, 0, reinterpret_cast<long>(own_number()), 0);
  if (copy) return copy;
  system_call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (system_call(SYS_getppid) != parent) end_with(126);  // it ended before that
  return 0;
}

void wait_for_copy(long copy) {
  for (;;) {
    int status = 0;
    const long ended = system_call(SYS_wait4, copy, reinterpret_cast<long>(&status), WUNTRACED, 0);
    if (ended == -EINTR) continue;
    if (ended < 0) end_with(70);
    if (WIFSTOPPED(status)) {
      send_self(SIGSTOP);
      continue;
    }
    if (WIFSIGNALED(status)) die_of(WTERMSIG(status));
    if (WEXITSTATUS(status)) end_with(WEXITSTATUS(status));
    return;
  }
}

}  // namespace inspect::runtime
