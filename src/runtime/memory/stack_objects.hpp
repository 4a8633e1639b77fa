// What ends on a stack is dead, until something else begins in its place (SEMANTICS C.4).
//
// Instrumented code tells of each object that others may know when it begins and ends; objects that are left without a word, by
// a jump, an exception or the end of their thread, are told of where control arrives: all that lies below the stack pointer is
// dead.
//
// Guarantees: to the byte; no false alarm: bytes of a stack that was dead and now belongs to a function that is not
// instrumented, which begins no objects, are not held against it, but the verdict is no longer "verified" once they are used.
// Frames of the runtime, and of library functions that it calls, are dead but for what LentBytes names. Deliberately unknown
// here: what an access is, how a fault is reported.
#pragma once
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct StackDepth {
  std::uintptr_t lowest_alive;          // no object below that has begun since the stack was left there; 0: none at all
  std::uintptr_t lowest_used;           // in this execution; 0: none
  std::uintptr_t left_begin, left_end;  // what the last jump, exception or end of the thread left
  std::uintptr_t cut_begin, cut_end;    // objects of variable size that ended last; what is above belongs to their function
};
inline StackDepth& stack_depth(unsigned thread) { return reinterpret_cast<StackDepth*>(kStackDepths)[thread]; }

// One bit for each byte of the stacks: has what was there ended?
inline const std::uint8_t* ended_bytes(std::uintptr_t address) {
  return reinterpret_cast<const std::uint8_t*>(kEndedBytes + ((address - kStackBase) >> 3));
}
// Quick and certain: true if nothing has ended in or near the bytes, at most eight and aligned to four if more than one cell's.
template <std::size_t size>
[[gnu::always_inline]] inline bool nothing_ended(std::uintptr_t address) {
  if constexpr (size < 8) return !*ended_bytes(address);
  std::uint16_t both;
  __builtin_memcpy(&both, ended_bytes(address), sizeof both);
  return !both;
}

// Bytes of a frame without hooks, none of the program's own, that are handed to a function of the program's: alive until it
// returns. Whoever leaves it by a jump or an exception leaves them too.
class LentBytes {
 public:
  LentBytes(const void* bytes, std::size_t size);
  ~LentBytes();
  LentBytes(const LentBytes&) = delete;
  LentBytes& operator=(const LentBytes&) = delete;

 private:
  std::uintptr_t begin_;
  std::size_t size_;
};

// The current thread has left all that lies on its stack below `pointer`.
void leave_stack_below(std::uintptr_t pointer, std::uint32_t site);
// The current thread ends: nothing of its thread-local variables is left.
void end_thread_locals();
// Before the next execution.
void reset_stack_objects();

}  // namespace inspect::runtime
