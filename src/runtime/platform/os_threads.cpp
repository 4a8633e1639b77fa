#include "runtime/platform/os_threads.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>

#include "runtime/platform/context_switch.hpp"
#include "runtime/platform/signal_stack.hpp"
#include "runtime/platform/system_call.hpp"

// Where a debugger stops before a step, on the stack of the thread that is about to take it.
extern "C" __attribute__((noinline, used)) void inspect_at_step() { asm volatile("" ::: "memory"); }

namespace inspect::runtime {
namespace {

enum Turn : std::uint32_t { kWait, kRun, kHost };  // kHost: main's kernel thread goes on as the host

constexpr std::uintptr_t kGap = 256;  // between the frame that a fiber starts from and those of the wait for its first turn

void give_turn(Thread& to, Turn turn) {
  __atomic_store_n(&to.turn, turn, __ATOMIC_SEQ_CST);
  system_call(SYS_futex, reinterpret_cast<long>(&to.turn), FUTEX_WAKE, 1);
}

Turn wait_for_turn(Thread& t) {
  while (__atomic_load_n(&t.turn, __ATOMIC_SEQ_CST) == kWait)
    system_call(SYS_futex, reinterpret_cast<long>(&t.turn), FUTEX_WAIT, kWait);
  return Turn(__atomic_exchange_n(&t.turn, kWait, __ATOMIC_SEQ_CST));
}

// The thread's name in reports ("thread 0.1"); the end of it if it is longer than a kernel thread's name may be.
void name_os_thread(unsigned number) {
  const inspect_thread_name* const threads = state().channel->threads;
  char text[16] = {};
  unsigned at = sizeof text - 1;
  for (; number && at; number = threads[number].parent) {
    unsigned index = threads[number].index;
    do text[--at] = char('0' + index % 10);
    while ((index /= 10) && at);
    if (at) text[--at] = '.';
  }
  if (at) text[--at] = '0';
  constexpr char kKind[] = "thread ";
  constexpr unsigned kLength = sizeof kKind - 1;
  if (at >= kLength) memcpy(text + (at -= kLength), kKind, kLength);
  system_call(SYS_prctl, PR_SET_NAME, reinterpret_cast<long>(text + at));
}

}  // namespace

// long inspect_clone(unsigned long flags, char* stack, Thread* argument): the child calls inspect_os_thread(argument).
extern "C" long inspect_clone(unsigned long flags, char* stack, Thread* argument);
asm(R"(
.text
.globl inspect_clone
.hidden inspect_clone
.type inspect_clone,@function
inspect_clone:
  .cfi_startproc
  movq %rdx, %r8
  movl $56, %eax
  syscall
  testl %eax, %eax
  jz 1f
  ret
1:
  .cfi_undefined rip
  xorl %ebp, %ebp
  movq %r8, %rdi
  call inspect_os_thread
  hlt
  .cfi_endproc
.size inspect_clone,.-inspect_clone
)");

extern "C" __attribute__((used, visibility("hidden"))) void inspect_os_thread(Thread* t) {
  use_signal_stack();
  wait_for_turn(*t);
  void* unused;
  inspect_switch(&unused, t->stack.pointer);
}

bool start_os_thread(Thread& t) {
  if (!t.id) {
    name_os_thread(0);
    return true;
  }
  constexpr unsigned long flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  const std::uintptr_t stack = (reinterpret_cast<std::uintptr_t>(t.stack.pointer) - kGap) & ~std::uintptr_t{15};
  name_os_thread(t.id);  // which the new one has from its start: no debugger sees two of one name
  const long made = inspect_clone(flags, reinterpret_cast<char*>(stack), &t);
  name_os_thread(state().current->id);
  return made >= 0;
}

void hand_over(Thread& from, Thread& to) {
  const bool over = from.status == ThreadStatus::ended;
  give_turn(to, kRun);
  if (over && from.id) system_call(SYS_exit, 0);
  if (wait_for_turn(from) == kRun) return;
  void* unused;
  inspect_switch(&unused, state().host_stack_pointer);
}

void debugger_step(std::uint32_t step) {
  inspect_channel& c = *state().channel;
  __atomic_store_n(&c.present_step, step, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&c.stop_before, __ATOMIC_SEQ_CST) == step) inspect_at_step();
}

void hand_over_to_host() {
  State& s = state();
  void* unused;
  if (!s.current->id) inspect_switch(&unused, s.host_stack_pointer);
  give_turn(s.threads[0], kHost);
  for (;;) wait_for_turn(*s.current);
}

}  // namespace inspect::runtime
