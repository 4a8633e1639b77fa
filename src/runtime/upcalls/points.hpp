// Scheduling points: where a thread announces its next visible operation, and where the next transition is chosen.
//
// Every modelled call is the same three steps:
//     unsigned alternative = visible(operation(INSPECT_OP_MutexLock, m, sizeof *m, site), lock_guard);
//     … perform it (the guard holds now) …
//     executed(flags, read, written);
// Guarantees: between visible() and the next visible() no other thread runs; the guard of the chosen alternative holds on
// return; a prefix is followed exactly or the execution ends as diverged; each step is logged once. Deliberately unknown here:
// what any operation does.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

inline Operation operation(inspect_kind kind, const void* object, std::uint32_t size, std::uint32_t site = 0) {
  Operation o{};
  o.kind = kind;
  o.site = site;
  o.object = reinterpret_cast<std::uint64_t>(object);
  o.size = size;
  return o;
}
inline Operation thread_operation(inspect_kind kind, unsigned thread, std::uint32_t site = 0) {
  return operation(kind, reinterpret_cast<void*>(inspect_thread_object(thread)), 64, site);
}

// Announces `o` as the current thread's next operation and returns once the scheduler has chosen it: the chosen alternative.
// guard null: always enabled with alternative 0. choices: for Choice operations, alternatives 0 … choices-1.
unsigned visible(const Operation& o, Guard guard = nullptr, std::uint32_t choices = 1);
// Logs the operation just performed. flags: inspect_operation_flags of its outcome.
void executed(std::uint8_t flags = 0, std::uint64_t read = 0, std::uint64_t written = 0);
// As executed(), when performing it showed that it was another operation than announced (OnceEnter that finds it done, …).
void executed_as(const Operation& o, std::uint64_t read = 0, std::uint64_t written = 0);

// True when modelled calls must act: an execution is under way. Else the call comes from a constructor or from the runtime's
// boot.
inline bool active() { return state().running; }

// Is a plain access of that extent made by one instruction, such that nothing of its thread's comes in between?
inline bool is_one_instruction(std::uintptr_t address, std::size_t size) {
  return size <= 8 && !(size & (size - 1)) && !(address & (size - 1));
}

// Source place of the caller of an intercepted function: the frame's return address, resolved by the explorer. Logged as a site
// with the top bit set: the low 31 bits are the return address minus where the executable begins (0 when outside the
// executable). If that is in a library that is not ours, the frames from `frame` on are searched for the call that led there.
std::uint32_t caller_site(const void* return_address, const void* frame = nullptr);
#define INSPECT_CALLER_SITE() ::inspect::runtime::caller_site(__builtin_return_address(0), __builtin_frame_address(0))

// Appends a record after the present step (verbose accesses, sections' ranges, new threads). Null when logging is off.
inspect_record* append_record(inspect_record_type type, std::uint8_t thread, const Operation& o);

}  // namespace inspect::runtime
