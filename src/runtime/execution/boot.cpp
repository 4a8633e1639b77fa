// From the kernel's exec to the loop that serves the explorer's requests.
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

#include "runtime/environment/environment.hpp"
#include "runtime/environment/mapping_leaks.hpp"
#include "runtime/environment/no_processes.hpp"
#include "runtime/environment/output.hpp"
#include "runtime/execution/checkpoint.hpp"
#include "runtime/execution/ending.hpp"
#include "runtime/execution/execution.hpp"
#include "runtime/execution/sanitizer.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/memory/stack_objects.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/library_names.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/owners.hpp"
#include "runtime/threads/exit_handlers.hpp"
#include "runtime/threads/key_table.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/program.hpp"
#include "runtime/upcalls/reports.hpp"

// glibc: true until a second thread exists; libstdc++ then skips the atomics of shared_ptr and friends, which would look like
// races.
extern "C" char __libc_single_threaded;

namespace inspect::runtime {

namespace {

[[noreturn]] void fail_in_channel(const char* message) {
  inspect_channel* const c = state().channel;
  strncpy(c->messages[0], message, INSPECT_MESSAGE_BYTES - 1);
  __atomic_store_n(&c->state, INSPECT_EXECUTOR_FAILED, __ATOMIC_SEQ_CST);
  system_call(SYS_futex, reinterpret_cast<long>(&c->state), FUTEX_WAKE, 1);
  for (;;) system_call(SYS_exit_group, 70);
}

const char* environment_value(char** environment, const char* name) {
  const std::size_t length = strlen(name);
  for (; *environment; ++environment)
    if (!strncmp(*environment, name, length) && (*environment)[length] == '=') return *environment + length + 1;
  return nullptr;
}

// The same addresses in every run: without address-space randomisation, by executing ourselves again.
void fix_addresses(char** argv, char** environment) {
  constexpr unsigned long query = 0xffffffff;
  const long now = system_call(SYS_personality, query);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE)) return;
  if (system_call(SYS_personality, long(now) | ADDR_NO_RANDOMIZE) < 0)
    return;  // refused: told apart by the explorer's address check
  if (!(system_call(SYS_personality, query) & ADDR_NO_RANDOMIZE)) return;
  char self[4096];
  const long length =
      system_call(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"), reinterpret_cast<long>(self), sizeof self - 1);
  if (length <= 0) return;
  self[length] = 0;
  system_call(SYS_execve, reinterpret_cast<long>(self), reinterpret_cast<long>(argv), reinterpret_cast<long>(environment));
}

void map_channel(State& s, const char* descriptor) {
  constexpr std::size_t bytes = INSPECT_CHANNEL_BYTES;
  const int fd = descriptor ? atoi(descriptor) : -1;
  const int sharing = descriptor ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
  const long at = system_call(SYS_mmap, long(kChannelBase), long(bytes), PROT_READ | PROT_WRITE,
                              sharing | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
  if (at < 0) fail_to_start("cannot map the channel to the explorer");
  s.channel = reinterpret_cast<inspect_channel*>(at);
  s.standalone = !descriptor;
  s.os_threads = s.channel->debugged;
  if (descriptor) {
    system_call(SYS_close, fd);
    if (s.channel->version != inspect_channel_version())
      fail_to_start("this executable was built with another version of inspect; build it again");
  }
}

// What it loads stays loaded, so that a program that sets its locale does not map the files anew in every execution.
void warm_up_locale() {
  char before[1024];
  const char* const now = setlocale(LC_ALL, nullptr);
  if (!now || strlen(now) >= sizeof before) return;
  strcpy(before, now);
  setlocale(LC_ALL, "");
  setlocale(LC_ALL, before);
}

// Lazy caches of the libraries are filled before the snapshot, so that no execution pays for them again.
void warm_up() {
  _Unwind_Backtrace([](_Unwind_Context*, void*) { return _URC_NO_REASON; }, nullptr);
  char text[64];
  snprintf(text, sizeof text, "%f %s", 1.5, "warm");
  warm_up_locale();
}

void run_standalone(State& s) {
  static constexpr inspect_request kRequest{};
  s.channel->configuration.max_steps = ~0ull;
  s.channel->configuration.loop_budget = INT64_MAX;
  s.channel->configuration.expect_any_exit = 1;
  run_request(kRequest, 0);
}

// A wild write may have hit anything: a new process goes on with the rest of the batch.
bool may_have_corrupted(const inspect_result& r) { return r.end_kind == INSPECT_END_BUG && r.detail == INSPECT_BUG_CRASH; }
[[noreturn]] void retire(inspect_channel& c, const Turn& turn) {
  __atomic_store_n(&c.state, INSPECT_EXECUTOR_RETIRED, __ATOMIC_SEQ_CST);
  complete_turn(turn);
  system_call(SYS_futex, reinterpret_cast<long>(&c.completed), FUTEX_WAKE, 1);
  for (;;) system_call(SYS_exit_group, 0);
}

[[noreturn]] void serve(State& s) {
  inspect_channel& c = *s.channel;
  boot_checkpoints();
  boot_turns();
  __atomic_store_n(&c.state, INSPECT_EXECUTOR_READY, __ATOMIC_SEQ_CST);
  system_call(SYS_futex, reinterpret_cast<long>(&c.state), FUTEX_WAKE, 1);
  s.log.limit = c.log + INSPECT_LOG_BYTES / sizeof(inspect_record) - 64;
  for (;;) {
    const Turn turn = next_turn();
    if (run_in_copy(turn)) continue;
    const bool measured = measures_duration();
    const std::uint64_t began = measured ? __builtin_ia32_rdtsc() : 0;
    s.log.cursor = log_of(turn);
    run_request(*turn.request, turn.slot);
    if (may_have_corrupted(c.results[turn.slot]) || has_leaked_mappings()) retire(c, turn);
    reset_stack_objects();
    restore();
    exit_handlers_restore();
    restore_keys();
    reset_files();
    if (measured) note_duration(__builtin_ia32_rdtsc() - began);
    complete_turn(turn);
  }
}

// As often as the debugger starts the program.
[[noreturn]] void serve_debugger(State& s) {
  inspect_channel& c = *s.channel;
  __atomic_store_n(&c.completed, 0, __ATOMIC_SEQ_CST);
  __atomic_store_n(&c.state, INSPECT_EXECUTOR_READY, __ATOMIC_SEQ_CST);
  s.log.cursor = c.log;
  s.log.limit = c.log + INSPECT_LOG_BYTES / sizeof(inspect_record) - 64;
  run_request(*reinterpret_cast<const inspect_request*>(c.requests), 0);
  for (;;) system_call(SYS_exit_group, 0);
}

}  // namespace

void fail_before_main(const char* message) {
  char text[512];
  snprintf(text, sizeof text, "before main: %s", message);
  state().standalone ? fail_to_start(text) : fail_in_channel(text);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

namespace {
void early(int, char** argv, char** environment) {
  fix_addresses(argv, environment);
  map_state();
  map_channel(state(), environment_value(environment, INSPECT_CHANNEL_ENVIRONMENT));
  map_memory_regions();
  if (!state().standalone) confine_to_process(!state().os_threads);
}
}  // namespace
// Before the constructors of every library.
__attribute__((section(".preinit_array"), used)) static void (*const kEarly)(int, char**, char**) = early;

namespace {

MainFunction program_main;

int runtime_main(int argc, char** argv, char** environment) {
  State& s = state();
  choose_mutation(environment_value(environment, "INSPECT_MUTANT"));
  unsetenv(INSPECT_CHANNEL_ENVIRONMENT);
  bind_library_functions();
  boot_sanitizer();
  program_arguments() = {argc, argv, environ};
  __libc_single_threaded = 0;
  read_modules();
  find_owners();
  s.standalone ? boot_standalone_output() : boot_output();
  boot_files();
  install_death_handlers();
  warm_up();
  s.booted = true;
  exit_handlers_snapshot();
  keep_keys();
  if (const char* const why = take_snapshot()) s.standalone ? fail_to_start(why) : fail_in_channel(why);
  publish_modules(!has_own_names());
  boot_mapping_leaks();
  if (s.standalone) run_standalone(s);
  if (s.os_threads) serve_debugger(s);
  serve(s);
}
}  // namespace

namespace inspect::runtime {
MainFunction main_of_program() { return program_main; }
}  // namespace inspect::runtime

// The start files call it with the program's main, wherever that comes from: an object, or an archive's member. Ours runs
// first.
INSPECT_EXPORT int __libc_start_main(MainFunction found, int argc, char** argv, void (*begin)(), void (*end)(),
                                     void (*library_end)(), void* stack_end) {
  map_state();
  program_main = found;
  const auto start = reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (!start) fail_to_start("the C library has no __libc_start_main");
  return start(runtime_main, argc, argv, begin, end, library_end, stack_end);
}
