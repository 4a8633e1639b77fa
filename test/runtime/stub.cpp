#include "stub.hpp"

#include <sys/mman.h>

#include <cstdarg>
#include <cstdio>

#include "runtime/environment/boot_allocations.hpp"
#include "runtime/environment/heap.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/changes.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/races.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {

void map_state() {
  static const bool mapped = [] {
    void* const want = reinterpret_cast<void*>(kStateBase);
    return mmap(want, kParts + kPartsBytes - kStateBase, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == want;
  }();
  if (!mapped) throw std::runtime_error("cannot map the runtime's state");
}

void report_bug(inspect_bug, const char* message, std::uint32_t) { throw test::Bug(message); }
void report_limit(inspect_limit, const char* message, std::uint32_t) { throw test::Limit(message); }
void report_race() { throw test::Race("race"); }
void note_uncovered(const char*) {}

const char* format_message(const char* format, ...) {
  static char buffer[256];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  return buffer;
}

std::uint32_t caller_site(const void*, const void*) { return 7; }
std::uint32_t library_site_number(const inspect_site*) { return 7; }
inspect_record* append_record(inspect_record_type, std::uint8_t, const Operation&) { return nullptr; }
void executed(std::uint8_t, std::uint64_t, std::uint64_t) {}
void note_allocation(Thread&, std::uint32_t) {}
void note_free(Thread&, std::uintptr_t) {}
void leave_handlers_below(std::uintptr_t) {}
void access(std::uintptr_t, std::size_t, bool, std::uint32_t) {}
void point_of_access(std::uintptr_t, std::size_t, bool, std::uint32_t) {}
void note_boot_allocation(const void*) {}
bool race_goes_on() { return test::races_pass(); }
void tell_access(std::uintptr_t, std::size_t, bool, std::uint32_t) {}
void note_unsafe_call(const char*) {}
void cancel_within(const char*, std::uint32_t) {}
void mark_changed(std::uintptr_t, std::size_t) {}
void count_object(const ObjectRecord&, bool) {}
std::uintptr_t stack_top(unsigned thread) { return kStackBase + (thread + 1) * kStackSlot; }
std::uintptr_t stack_bottom(unsigned thread) { return stack_top(thread) - kStackSlot; }
bool is_instrumented(const void*) { return false; }
bool is_instrumented_code(std::uintptr_t) { return false; }
bool is_program_code(const void*) { return true; }
bool is_system_library(const char*) { return false; }
// No operators here, which a program could replace.
bool operators_are_replaced() { return false; }

namespace test {
namespace {
Interlude interlude;
}

std::vector<Operation>& announced() {
  static std::vector<Operation> operations;
  return operations;
}
void set_interlude(Interlude f) { interlude = f; }

bool& races_pass() {
  static bool pass;
  return pass;
}

void switch_to(std::uint8_t thread) {
  state().threads[thread].id = thread;
  state().current = &state().threads[thread];
}
void stop_running() { state().running = false; }

void begin() {
  map_state();
  map_memory_regions();
  static const bool once = (arena_snapshot(), true);
  (void)once;
  arena_reset();
  race_begin_execution();
  announced().clear();
  interlude = nullptr;
  state().running = true;
  state().points = Points::none;
  races_pass() = false;
  state().log_level = kLogSteps;
  switch_to(0);
}

}  // namespace test

unsigned visible(const Operation& o, Guard, std::uint32_t) {
  test::announced().push_back(o);
  if (test::interlude) test::interlude();
  return 0;
}

void record_memory_stack() {}
void record_end_of_object(std::uintptr_t, std::size_t, std::uint32_t) {}

}  // namespace inspect::runtime
