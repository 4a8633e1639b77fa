// One execution from its first transition to its end, and what precedes and follows it.
#include "runtime/execution/execution.hpp"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/environment/boot_allocations.hpp"
#include "runtime/environment/output.hpp"
#include "runtime/execution/ending.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/loop_state.hpp"
#include "runtime/schedule/schedule.hpp"
#include "runtime/schedule/sleep_set.hpp"
#include "runtime/schedule/spin_probe.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/states/conditions.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/symmetric_pairs.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/threads/threads.hpp"
#include "runtime/upcalls/program.hpp"

namespace inspect::runtime {
namespace {

// Fresh argument strings for every execution: programs write into them (getopt permutes).
void* main_routine(void*) {
  const ProgramArguments& given = program_arguments();
  char** const arguments = static_cast<char**>(arena_allocate(sizeof(char*) * (std::size_t(given.count) + 1), 16, 0));
  for (int i = 0; i < given.count; ++i) {
    const std::size_t size = strlen(given.values[i]) + 1;
    arguments[i] = static_cast<char*>(arena_allocate(size, 1, 0));
    memcpy(arguments[i], given.values[i], size);
  }
  const MainFunction program_main = main_of_program();
  if (!is_seen_code(reinterpret_cast<const void*>(program_main)))
    enter_uncovered("uninstrumented function called: ", "main", nullptr);
  process_exit(program_main(given.count, arguments, given.environment), ExitKind::handlers, 0);
}

void begin_anew(State& s) {
  s.execution = {};
  s.execution.propositions = s.propositions_at_boot;
  // No state has an identity that signals or requests to cancel would be part of.
  s.execution.signals_touched = s.uses.may_cancel || (s.uses.sends_signals && s.uses.handles_signals);
  s.recording = s.log.active = false;
  s.in_section = s.own_stacks = false;
  s.log.step = nullptr;
  probes() = {};
  begin_sleep_set();
  begin_loops();
  begin_accesses();
  begin_virtual_time();
  begin_watchdog();
}

}  // namespace

namespace {

// Asked what comes of a state in which a program may go on for ever, it shows that soon.
void limit_judgement(State& s) {
  constexpr std::uint64_t kEnough = 5'000;
  const std::uint32_t flags = s.request.message->flags;
  const bool judges = flags & INSPECT_REQUEST_VISITED && !(flags & INSPECT_REQUEST_STATES);
  if (judges && s.request.max_steps > s.request.prefix_length + kEnough)
    s.request.max_steps = s.request.prefix_length + kEnough;
}

}  // namespace

void set_request(const inspect_request& request, unsigned slot) {
  State& s = state();
  s.request.message = &request;
  s.request.slot = slot;
  s.request.prefix = reinterpret_cast<const inspect_choice*>(&request + 1);
  s.request.prefix_length = request.prefix_length;
  s.request.known_length = request.known_length;
  inspect_result& result = s.channel->results[slot];
  memset(&result, 0, sizeof result);
  s.channel->messages[slot][0] = 0;
  result.begin = std::uint64_t(s.log.cursor - s.channel->log);
}

void run_request(const inspect_request& request, unsigned slot, std::uint64_t checkpoint_at) {
  State& s = state();
  begin_anew(s);
  set_request(request, slot);
  s.request.checkpoint_at = checkpoint_at;
  s.request.max_steps = s.channel->configuration.max_steps;
  limit_judgement(s);
  s.request.states = request.flags & (INSPECT_REQUEST_STATES | INSPECT_REQUEST_SYMMETRIC_PAIRS);
  s.request.symmetric_pairs = request.flags & INSPECT_REQUEST_SYMMETRIC_PAIRS;
  s.request.starts_first = request.flags & INSPECT_REQUEST_STARTS;
  // A thread that may be cancelled anywhere looks for a request at each turn.
  const bool interrupts = s.uses.may_cancel_anywhere || (s.uses.sends_signals && s.uses.handles_signals);
  s.request.waits = request.flags & INSPECT_REQUEST_WAITS && !s.channel->waits_refused && !interrupts;
  if (s.request.symmetric_pairs || request.flags & INSPECT_REQUEST_CANONICAL) forget_sync_objects();
  s.log_level = request.flags & INSPECT_REQUEST_VERBOSE    ? kLogAll
                : request.flags & INSPECT_REQUEST_ACCESSES ? kLogAccesses
                : s.request.states                         ? kLogWrites
                                                           : kLogSteps;
  if (s.request.states) begin_memory_hash();
  open_output(request.flags & INSPECT_REQUEST_OUTPUT);
  race_begin_execution();
  shared_begin_execution();
  Thread& main = make_main_thread(main_routine);
  main.chosen = 0;
  s.channel->initial_valuation = valuation(s);
  s.log.active = s.request.known_length == 0;
  if (s.log_level == kLogAll) log_boot_allocations();
  s.running = true;
  begin_first_step(main);
  s.running = false;
  close_result();
}

}  // namespace inspect::runtime
