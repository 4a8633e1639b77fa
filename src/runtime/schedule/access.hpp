// Accesses of instrumented code to memory: the hooks' common part.
//
// Guarantees: every access is checked for liveness and races while it can matter, is a scheduling point where DESIGN §5 says
// so, and is part of the footprint when it stands in an atomic section.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// An execution begins.
void begin_accesses();
// Have more accesses been made in this execution than are logged?
bool accesses_are_left_out();

// A plain access of `size` bytes about to happen.
void access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);
// What a model reads or writes of memory that its caller handed over: an access by the caller, at the call; null: none. Not
// between visible() and executed(). Say it before the write is done.
inline void reads_argument(const void* argument, std::size_t size, std::uint32_t site) {
  if (argument && state().running) access(reinterpret_cast<std::uintptr_t>(argument), size, false, site);
}
inline void writes_argument(void* argument, std::size_t size, std::uint32_t site) {
  if (argument && state().running) access(reinterpret_cast<std::uintptr_t>(argument), size, true, site);
}
// Ends the execution: the bytes are not accessible (liveness check failed).
[[noreturn]] void report_dead_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);
// A modelled operation within an atomic section: part of the section's footprint. A disabled one is unsupported.
unsigned section_operation(const Operation& o, Guard guard);
// The current thread goes no further: an atomic section that it is in takes effect as far as it came. A write of it would be
// seen by others although no execution that goes on contains it: unsupported, `why`.
void leave_atomic_section(const char* why, std::uint32_t site);
// What a modelled call reads or writes of the program's memory.
inline void access_for_call(const void* memory, std::size_t size, bool write, std::uint32_t site) {
  if (state().running && size) access(reinterpret_cast<std::uintptr_t>(memory), size, write, site);
}
// An access that the runtime makes on the program's behalf, and has checked: logged where accesses are asked for.
void tell_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);
// The step of a plain access, whose location is a scheduling point; afterwards the bytes are alive still.
void step_of_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);
// Likewise, of one that the runtime makes on the program's behalf, if its location is one. Its race check is the caller's.
void point_of_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site);
// The stack at the step just opened, as STACK records (verbose).
void record_stack();
// The stack at the bug: from the frame on; in a signal handler, the address behind the instruction that it interrupted first.
void record_bug_stack(std::uintptr_t next, std::uintptr_t frame);
// The stack behind the record of an allocation; of each thread that waits; that an object of the heap ends, with its stack.
void record_memory_stack();
void record_waiting_stacks();
void record_end_of_object(std::uintptr_t begin, std::size_t size, std::uint32_t site);
// Is this location a scheduling point? With visible=all it becomes so when a second thread touches it; else when it has a race
// that does not end its execution. It stays so over executions (SEMANTICS C.4, C.7).
bool shared_location(std::uintptr_t address, std::size_t size);
void shared_begin_execution();
// Of what the library touches under locks of its own, between steps: a race there always ends the execution.
void never_a_point(std::uintptr_t address, std::size_t size);
bool is_never_a_point(std::uintptr_t address);
// Likewise, for what is a scheduling point in any mode once it has been found to need one.
bool is_made_shared(std::uintptr_t address);
void make_shared(std::uintptr_t address);
// An access by a handler that interrupts its thread (signal, can it interrupt itself?), or by other code (0). What a handler
// shares with other code or another handler, one of them writing it, becomes a point likewise; if one of them does it in parts,
// it is named as not covered.
struct HandlerAccess {
  int signal;
  bool repeats, in_parts;
};
void note_handler_access(std::uintptr_t address, std::size_t size, bool write, HandlerAccess by);
void make_all_shared(std::uintptr_t address, std::size_t size);

}  // namespace inspect::runtime
