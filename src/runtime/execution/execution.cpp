// One execution from its first transition to its end, and what precedes and follows it.
#include "runtime/execution/execution.hpp"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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
#include "runtime/schedule/spin_probe.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/symmetric_pairs.hpp"
#include "runtime/threads/threads.hpp"

namespace inspect::runtime {
namespace {

// Fresh argument strings for every execution: programs write into them (getopt permutes).
void* main_routine(void*) {
  State& s = state();
  char** const arguments = static_cast<char**>(arena_allocate(sizeof(char*) * (std::size_t(s.argc) + 1), 16, 0));
  for (int i = 0; i < s.argc; ++i) {
    const std::size_t size = strlen(s.argv[i]) + 1;
    arguments[i] = static_cast<char*>(arena_allocate(size, 1, 0));
    memcpy(arguments[i], s.argv[i], size);
  }
  const MainFunction program_main = main_of_program();
  if (!is_seen_code(reinterpret_cast<const void*>(program_main)))
    enter_uncovered("uninstrumented function called: ", "main", nullptr);
  process_exit(program_main(s.argc, arguments, s.environment), ExitKind::handlers, 0);
}

void clear_execution(State& s) {
  s.position = s.opened = s.hash = 0;
  s.races_passed = 0;
  s.run_length = s.runner = 0;
  s.touching = 0;
  s.bounds = nullptr;
  s.given_bounds.count = 0;
  s.sleep_count = s.asleep_count = 0;
  s.alive = s.guarded = s.enabled = s.assumed_away = s.spinning = s.to_probe = {};
  s.created = s.thread_limit = 0;
  s.recording = s.logging = false;
  s.in_section = s.own_stacks = false;
  s.step = nullptr;
  s.ending = {};
  s.signals_touched =
      s.may_cancel || (s.sends_signals && s.handles_signals);  // no state has an identity that it would be part of
  s.probing = false;
  probes() = {};
  begin_loops();
  begin_accesses();
  begin_virtual_time();
  s.hang_ticks = 0;
  s.program_random = s.channel->configuration.seed * 0x9E3779B97F4A7C15ull + 1;
}

void open_output(State& s, bool open) {
  if (s.standalone || s.output_open == open) return;
  s.output_open = open;
  system_call(SYS_dup2, open ? s.output_descriptor : s.null_descriptor, 1);
  system_call(SYS_dup2, open ? s.error_descriptor : s.null_descriptor, 2);
}

}  // namespace

void set_request(const inspect_request& request, unsigned slot) {
  State& s = state();
  s.request = &request;
  s.slot = slot;
  s.prefix = reinterpret_cast<const inspect_choice*>(&request + 1);
  s.prefix_length = request.prefix_length;
  s.known_length = request.known_length;
  inspect_result& result = s.channel->results[slot];
  memset(&result, 0, sizeof result);
  s.channel->messages[slot][0] = 0;
  result.begin = std::uint64_t(s.cursor - s.channel->log);
}

void run_request(const inspect_request& request, unsigned slot, std::uint64_t checkpoint_at) {
  State& s = state();
  clear_execution(s);
  set_request(request, slot);
  s.checkpoint_at = checkpoint_at;
  s.max_steps = s.channel->configuration.max_steps;
  s.states = request.flags & (INSPECT_REQUEST_STATES | INSPECT_REQUEST_SYMMETRIC_PAIRS);
  s.symmetric_pairs = request.flags & INSPECT_REQUEST_SYMMETRIC_PAIRS;
  s.starts_first = request.flags & INSPECT_REQUEST_STARTS;
  // A thread that may be cancelled anywhere looks for a request at each turn.
  const bool interrupts = s.may_cancel_anywhere || (s.sends_signals && s.handles_signals);
  s.waits = request.flags & INSPECT_REQUEST_WAITS && !s.channel->waits_refused && !interrupts;
  if (s.symmetric_pairs) forget_sync_objects();
  s.log_level = request.flags & INSPECT_REQUEST_VERBOSE    ? kLogAll
                : request.flags & INSPECT_REQUEST_ACCESSES ? kLogAccesses
                : s.states                                 ? kLogWrites
                                                           : kLogSteps;
  if (s.states) begin_memory_hash();
  open_output(s, request.flags & INSPECT_REQUEST_OUTPUT);
  race_begin_execution();
  shared_begin_execution();
  Thread& main = make_main_thread(main_routine);
  main.chosen = 0;
  s.logging = s.known_length == 0;
  s.running = true;
  begin_first_step(main);
  s.running = false;
  close_result();
}

}  // namespace inspect::runtime
