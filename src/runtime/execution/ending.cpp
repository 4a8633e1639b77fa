#include "runtime/execution/ending.hpp"
#include "runtime/environment/output.hpp"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <initializer_list>

#include "runtime/environment/no_processes.hpp"
#include "runtime/environment/signals.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/fork.hpp"
#include "runtime/platform/plural.hpp"
#include "runtime/platform/signal_stack.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/value_wait.hpp"
#include "runtime/states/cycle.hpp"
#include "runtime/threads/exit_handlers.hpp"
#include "runtime/threads/threads.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/ends.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/program.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"

// Where a debugger stops: the execution is over, and the stack of the thread that ended it still stands.
extern "C" __attribute__((noinline, used)) void inspect_stopped(const char* why) { asm volatile("" ::"r"(why) : "memory"); }

namespace inspect::runtime {
namespace {

constexpr unsigned kTickMilliseconds = 100;

inspect_result& result() { return state().channel->results[state().request.slot]; }

// Small printf: libc's own allocates and keeps state.
std::size_t put_text(char* to, std::size_t at, std::size_t limit, const char* text) {
  if (!text) text = "(null)";
  while (*text && at + 1 < limit) to[at++] = *text++;
  return at;
}
std::size_t put_number(char* to, std::size_t at, std::size_t limit, std::uint64_t value, unsigned base) {
  char digits[24];
  unsigned n = 0;
  do digits[n++] = "0123456789abcdef"[value % base];
  while (value /= base);
  while (n && at + 1 < limit) to[at++] = digits[--n];
  return at;
}

std::size_t format_into(char* to, std::size_t limit, const char* format, va_list arguments) {
  std::size_t at = 0;
  for (const char* f = format; *f && at + 1 < limit; ++f) {
    if (*f != '%') {
      to[at++] = *f;
      continue;
    }
    bool wide = false;
    if (*++f == 'l') wide = true, ++f;
    switch (*f) {
      case 's':
        at = put_text(to, at, limit, va_arg(arguments, const char*));
        break;
      case 'd': {
        const long v = wide ? va_arg(arguments, long) : va_arg(arguments, int);
        if (v < 0) to[at++] = '-';
        at = put_number(to, at, limit, v < 0 ? 0 - std::uint64_t(v) : std::uint64_t(v), 10);
        break;
      }
      case 'u':
        at = put_number(to, at, limit, wide ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned), 10);
        break;
      case 'x':
        at = put_number(to, at, limit, wide ? va_arg(arguments, unsigned long) : va_arg(arguments, unsigned), 16);
        break;
      default:
        to[at++] = *f;
    }
  }
  to[at] = 0;
  return at;
}

void set_message(const char* text) {
  char* const to = state().channel->messages[state().request.slot];
  if (text != to) result().message = std::uint32_t(put_text(to, 0, INSPECT_MESSAGE_BYTES, text));
  to[result().message] = 0;
}

[[noreturn]] void end_standalone(inspect_end end, std::uint32_t detail, int status) {
  if (end == INSPECT_END_COMPLETE || (end == INSPECT_END_BUG && detail == INSPECT_BUG_EXIT_STATUS))
    system_call(SYS_exit_group, status);
  const char* message = state().channel->messages[state().request.slot];
  system_call(SYS_write, 2, reinterpret_cast<long>("inspect: "), 9);
  system_call(SYS_write, 2, reinterpret_cast<long>(message), long(strlen(message)));
  system_call(SYS_write, 2, reinterpret_cast<long>("\n"), 1);
  system_call(SYS_exit_group, end == INSPECT_END_BUG ? 134 : 4);
  __builtin_unreachable();
}

[[noreturn]] void report(inspect_end end, std::uint32_t detail, const char* message, std::uint32_t site) {
  State& s = state();
  if (!s.booted) fail_before_main(message);
  if (s.log_level == kLogAll && s.current && end == INSPECT_END_BUG)
    record_bug_stack(0, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  s.running = false;
  set_message(message);
  result().bug_site = site;
  result().bug_thread = s.current ? s.current->id : 0;
  end_execution(end, detail, 0);
}

// "thread 0.1 waits for mutex at 0x…": the explorer puts names to threads and objects.
void describe_blocked(State& s) {
  char* const to = s.channel->messages[s.request.slot];
  std::size_t at = put_text(to, 0, INSPECT_MESSAGE_BYTES, "every thread waits:");
  s.execution.alive.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    at = put_text(to, at, INSPECT_MESSAGE_BYTES, " thread ");
    at = put_number(to, at, INSPECT_MESSAGE_BYTES, i, 10);
    at = put_text(to, at, INSPECT_MESSAGE_BYTES, " in ");
    at = put_text(to, at, INSPECT_MESSAGE_BYTES, inspect_kind_text(t.pending.kind));
    at = put_text(to, at, INSPECT_MESSAGE_BYTES, ";");
  });
  if (at) to[at - 1] = 0;
  result().message = std::uint32_t(at ? at - 1 : 0);
}

const char* signal_text(int number) {
  switch (number) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic exception (division by zero?)";
    case SIGILL:
      return "illegal instruction";
    case SIGTRAP:
      return "trap instruction";
    case SIGSYS:
      return "bad system call";
    default:
      return "signal";
  }
}

// What a call pushed before it went nowhere; 0 if the stack is none.
std::uintptr_t return_address_at(std::uintptr_t stack_pointer) {
  const unsigned thread = state().current->id;
  const bool valid = stack_pointer >= stack_bottom(thread) && stack_pointer < stack_top(thread) && stack_pointer % 8 == 0;
  return valid ? *reinterpret_cast<const std::uintptr_t*>(stack_pointer) : 0;
}

void on_death(int number, siginfo_t* info, void* context) {
  State& s = state();
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (stopped_by_filter(number, *info) && reaches_itself(*info, registers[REG_RDI])) {
    registers[REG_RAX] =
        inspect_gate(info->si_syscall, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10], 0);
    return;
  }
  if (!s.running) {
    static constexpr char text[] = "inspect: internal error: the runtime crashed outside an execution\n";
    system_call(SYS_write, 2, reinterpret_cast<long>(text), sizeof text - 1);
    system_call(SYS_exit_group, 70);
  }
  s.running = false;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto ip = std::uintptr_t(registers[REG_RIP]);
  const bool called_no_code = number == SIGSEGV && address == ip;
  const std::uintptr_t next = called_no_code ? return_address_at(std::uintptr_t(registers[REG_RSP])) : ip + 1;
  const std::uint32_t site =
      s.execution.touching && !called_no_code ? s.execution.touching : caller_site(reinterpret_cast<void*>(next));
  if (s.log_level == kLogAll) record_bug_stack(next, std::uintptr_t(registers[REG_RBP]));
  if (called_no_code)
    report(INSPECT_END_BUG, INSPECT_BUG_CRASH,
           ip ? format_message("call to address 0x%lx, which holds no code", ip) : "call through a null pointer", site);
  if (stopped_by_filter(number, *info)) report_unsupported(refused_by_filter(*info), site);
  const std::uintptr_t slot = stack_top(s.current->id) - kStackSlot;
  if (number == SIGSEGV && !s.current->stack.of_program && address >= slot && address < stack_bottom(s.current->id))
    report(INSPECT_END_BUG, INSPECT_BUG_CRASH, "stack overflow", site);
  if (number == SIGABRT) report(INSPECT_END_BUG, INSPECT_BUG_ASSERTION, "a library aborted the program", site);
  if (number == SIGSEGV || number == SIGBUS)
    report(INSPECT_END_BUG, INSPECT_BUG_CRASH, format_message("%s at address 0x%lx", signal_text(number), address), site);
  report(INSPECT_END_BUG, INSPECT_BUG_CRASH, format_message("%s", signal_text(number)), site);
}

// The innermost instruction of the program that was under way; the interrupted one may be the library's or the runtime's.
std::uintptr_t place_in_program(const greg_t* registers) {
  const auto ip = std::uintptr_t(registers[REG_RIP]) + 1;
  const std::uintptr_t called_from = return_address_at(std::uintptr_t(registers[REG_RSP]));
  for (const std::uintptr_t place : {ip, called_from})
    if (is_instrumented_code(place)) return place;
  const unsigned thread = state().current->id;
  for (auto frame = std::uintptr_t(registers[REG_RBP]);
       frame % 8 == 0 && frame >= stack_bottom(thread) && frame + 16 <= stack_top(thread);) {
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
    if (is_instrumented_code(words[1])) return words[1];
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return ip;
}

struct Watchdog {
  std::uint64_t position, ticks;  // the position at the last tick, and how often it was that
};
Watchdog& watchdog() { return part<Watchdog>(Part::watchdog); }

// A thread that computes for long without a visible operation (SEMANTICS F.3): CPU time, immune to a loaded machine.
void on_tick(int, siginfo_t*, void* context) {
  State& s = state();
  if (!s.running || s.standalone) return;
  Watchdog& w = watchdog();
  if (w.position != s.execution.position) {
    w = {s.execution.position, 0};
    return;
  }
  if (++w.ticks * kTickMilliseconds < 1000ull * s.channel->configuration.hang_seconds) return;
  const std::uintptr_t place = place_in_program(static_cast<ucontext_t*>(context)->uc_mcontext.gregs);
  report_limit(INSPECT_LIMIT_HANG, "a thread computed too long without a visible operation",
               caller_site(reinterpret_cast<void*>(place)));
}

// The result is there already, since nobody may ever let the program go on from here.
void stop_for_debugger(State& s) {
  close_result();
  __atomic_store_n(&s.channel->completed, 1, __ATOMIC_SEQ_CST);
  const char* const message = s.channel->messages[s.request.slot];
  inspect_stopped(*message ? message : "the program has ended");
}

// While the other threads run: what handlers do are this thread's transitions as any others.
void run_handlers(State& s, ExitKind kind) {
  if (kind == ExitKind::handlers) {
    run_thread_destructors(*s.current);
    run_exit_handlers();
  }
  if (kind == ExitKind::quick_handlers) run_quick_handlers();
}

}  // namespace

const char* format_message(const char* format, ...) {
  State& s = state();
  va_list arguments;
  va_start(arguments, format);
  result().message = std::uint32_t(format_into(s.channel->messages[s.request.slot], INSPECT_MESSAGE_BYTES, format, arguments));
  va_end(arguments);
  return s.channel->messages[s.request.slot];
}

void report_bug(inspect_bug kind, const char* message, std::uint32_t site) { report(INSPECT_END_BUG, kind, message, site); }
void report_unsupported(const char* message, std::uint32_t site) { report(INSPECT_END_UNSUPPORTED, 0, message, site); }
void report_limit(inspect_limit limit, const char* message, std::uint32_t site) {
  report(INSPECT_END_LIMIT, limit, message, site);
}

void report_race() {
  State& s = state();
  s.running = false;
  const RaceReport& race = race_report();
  inspect_result& r = result();
  r.other_site = race.other_site;
  r.other_thread = race.other_thread;
  r.bug_address = race.address;
  const char* const now = race.with_free ? "free"
                          : race.atomic  ? (race.write ? "atomic write" : "atomic read")
                          : race.write   ? "write"
                                         : "read";
  const char* const before = race.other_allocated ? "allocation"
                             : race.other_atomic  ? (race.other_write ? "atomic write" : "atomic read")
                             : race.other_write   ? "write"
                                                  : "read";
  if (race.with_free)
    report_bug(INSPECT_BUG_MEMORY_ERROR,
               format_message("%s of an object that another thread may have freed, or frees without order", before), race.site);
  report_bug(INSPECT_BUG_DATA_RACE,
             format_message("%s of %u %s without order to %s %s by another thread", now, race.size, byte_word(race.size),
                            *before == 'a' ? "an" : "a", before),
             race.site);
}

void assume_text(const char* text) {
  inspect_channel* const c = state().channel;
  for (unsigned i = 0; i < c->assumption_count; ++i)
    if (!strncmp(c->assumptions[i], text, INSPECT_ASSUMPTION_BYTES - 1)) return;
  if (c->assumption_count == INSPECT_MAX_ASSUMPTIONS) return;
  put_text(c->assumptions[c->assumption_count++], 0, INSPECT_ASSUMPTION_BYTES, text);
}

void close_result() {
  const State& s = state();
  inspect_result& r = result();
  r.end = std::uint64_t(s.log.cursor - s.channel->log);
  r.steps = std::uint32_t(s.execution.position);
  r.threads = s.execution.created;
}

void end_execution(inspect_end end, std::uint32_t detail, int status) {
  State& s = state();
  s.running = false;
  if (s.standalone) end_standalone(end, detail, status);
  if (s.request.waits) refuse_unordered_waits(s);
  // What a probe meets is met by another execution in its own right.
  if (s.execution.probing && !(end == INSPECT_END_BUG && detail == INSPECT_BUG_LIVELOCK))
    end = INSPECT_END_SPINNING, detail = 0;
  inspect_result& r = result();
  r.end_kind = end;
  r.detail = detail;
  r.status = status;
  if (s.os_threads) stop_for_debugger(s);
  leave_to_host();
}

// Where exit() was called; else where main begins.
std::uint32_t place_of_exit(const State& s) {
  return s.execution.ending.site ? s.execution.ending.site : caller_site(reinterpret_cast<const char*>(main_of_program()) + 1);
}

void complete(int status) {
  State& s = state();
  status &= 0xff;  // all that a parent sees
  const inspect_configuration& c = s.channel->configuration;
  if (!s.execution.ending.aborted && !c.expect_any_exit && status != c.expected_exit) {
    format_message("exit status %d where %d was expected", status, c.expected_exit);
    result().bug_thread = s.current->id;
    s.execution.ending.finishing = false;  // no longer the library's own work
    result().bug_site = place_of_exit(s);
    end_execution(INSPECT_END_BUG, INSPECT_BUG_EXIT_STATUS, status);
  }
  if (shows_end(s)) end_execution(INSPECT_END_BUG, INSPECT_BUG_TEMPORAL, status);
  end_execution(INSPECT_END_COMPLETE, 0, status);
}

void begin_process_end(State& s) {
  Thread& t = s.threads[s.execution.ending.thread];
  if (t.pending.kind != INSPECT_OP_ProcessEnd) return;  // an exit handler waits
  s.execution.ending.finishing = true;
  t.alternatives = Mask::one(0);
  s.execution.enabled.add(t.id);
}

void end_without_verdict(State& s) {
  bool handler_blocked = false, may_time_out = false, goes_on = false;
  s.execution.alive.for_each([&](unsigned i) {
    goes_on |= cancellation_is_due(s.threads[i]) || signal_is_due(s.threads[i]);
    may_time_out |= s.threads[i].wait.may_time_out;
    handler_blocked |=
        s.execution.ending.begun && i == s.execution.ending.thread && s.threads[i].pending.kind != INSPECT_OP_ProcessEnd;
  });
  if (!s.execution.assumed_away.empty() && !handler_blocked) end_execution(INSPECT_END_COMPLETE, 0, 0);
  if (goes_on) end_execution(INSPECT_END_COMPLETE, 0, 0);  // what it does then is what it does if it looks later
  if (may_time_out)
    end_execution(INSPECT_END_COMPLETE, 0, 0);  // what follows the time-out is explored as the wait's other alternative
}

void end_outside(State& s) {
  const Operation* outside = nullptr;
  s.execution.alive.for_each([&](unsigned i) {
    if (s.threads[i].pending.kind == INSPECT_OP_External) outside = &s.threads[i].pending;
  });
  if (outside)
    report(INSPECT_END_UNSUPPORTED, 0, "the program waits for something outside the process (a signal, input, another process)",
           outside->site);
}

void end_deadlocked(State& s) {
  s.running = false;
  describe_blocked(s);
  record_waiting_stacks();
  result().bug_thread = s.execution.alive.empty() ? 0 : std::uint8_t(s.execution.alive.first());
  result().bug_site = s.threads[result().bug_thread].pending.site;
  end_execution(INSPECT_END_BUG, INSPECT_BUG_DEADLOCK, 0);
}

namespace {

// Once nothing else is enabled. Where threads may run for ever that need not come: there the process ends at any time.
Mask end_guard(const Thread& t) {
  const State& s = state();
  const Ending& ending = s.execution.ending;
  const bool now = ending.finishing || (takes_all_turns(s) && ending.begun);
  return now && t.id == ending.thread ? Mask::one(0) : Mask{};
}

}  // namespace

void process_exit(int status, ExitKind kind, std::uint32_t site) {
  State& s = state();
  leave_atomic_section("an end of the process after a write in the same atomic section", site);
  Operation o = operation(INSPECT_OP_ProcessExit, reinterpret_cast<void*>(INSPECT_PROCESS_OBJECT), 8, site);
  s.current->result =
      reinterpret_cast<void*>(std::uintptr_t(unsigned(status)));  // where main has returned it, it stands nowhere else
  visible(o);
  // A handler of the first one may end the process in its own way.
  const bool counts = !s.execution.ending.begun || s.execution.ending.thread == s.current->id;
  if (counts) {
    s.execution.ending.begun = true;
    s.execution.ending.thread = s.current->id;
    s.execution.ending.status = status;
    s.execution.ending.site = site;
    s.execution.ending.aborted = kind == ExitKind::aborted;
  }
  executed(counts ? 0 : INSPECT_FLAG_FAILED, std::uint64_t(status & 0xff));
  if (counts) run_handlers(s, kind);
  o.kind = INSPECT_OP_ProcessEnd;
  visible(o, end_guard);
  s.execution.ending.finishing = true;
  executed();
  if (kind == ExitKind::handlers) flush_output();
  complete(s.execution.ending.status);
}

void flush_output() {
  if (output().open) fflush(nullptr);
}

void install_death_handlers() {
  map_signal_stack();
  use_signal_stack();
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT})
    kernel_sigaction(number, on_death, SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
  if (state().os_threads) return;  // ticks would come to any of them, and time stands still in a debugger
  kernel_sigaction(SIGVTALRM, on_tick, SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART);
  start_watchdog();
}

void begin_watchdog() { watchdog().ticks = 0; }

void start_watchdog() {
  const itimerval timer{{0, kTickMilliseconds * 1000}, {0, kTickMilliseconds * 1000}};
  system_call(SYS_setitimer, ITIMER_VIRTUAL, reinterpret_cast<long>(&timer), 0);
}

}  // namespace inspect::runtime
