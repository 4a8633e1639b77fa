#include "runtime/memory/stack_objects.hpp"

#include <dlfcn.h>
#include <string.h>

#include "runtime/memory/liveness.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/unwind.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

// The sections of the runtime's own code (code_section.h) and of what it defines by names of the library's.
extern "C" {
extern const char __start_inspect_code_of_runtime[] __attribute__((weak, visibility("hidden")));
extern const char __stop_inspect_code_of_runtime[] __attribute__((weak, visibility("hidden")));
extern const char __start_inspect_models[] __attribute__((weak, visibility("hidden")));
extern const char __stop_inspect_models[] __attribute__((weak, visibility("hidden")));
}

namespace inspect::runtime {
namespace {

constexpr std::uintptr_t kStacks = kStackSlot * INSPECT_MAX_THREADS;

constexpr std::uintptr_t slot_of(unsigned thread) { return kStackBase + thread * kStackSlot; }
bool on_own_stack_of(const Thread& t, std::uintptr_t address) {
  return t.stack.of_program && address >= stack_bottom(t.id) && address < stack_top(t.id);
}
bool on_stack_of(const Thread& t, std::uintptr_t address) {
  return t.stack.of_program ? on_own_stack_of(t, address) : address - slot_of(t.id) < kStackSlot;
}
// The slot of a thread that runs on a stack of the program's own is empty: its bits tell of that stack.
std::uintptr_t place_in_slot(const Thread& t, std::uintptr_t address) {
  return t.stack.of_program ? address - stack_top(t.id) + slot_of(t.id) + kStackSlot : address;
}

constexpr std::uint8_t bits(unsigned first, unsigned count) { return std::uint8_t(((1u << count) - 1) << first); }

void mark_part(std::uint8_t* at, std::uint8_t part, bool ended) { *at = std::uint8_t(ended ? *at | part : *at & ~part); }

void mark(std::uintptr_t begin, std::size_t size, bool ended) {
  auto* at = const_cast<std::uint8_t*>(ended_bytes(begin));
  if (const unsigned first = begin & 7) {
    const unsigned count = size < 8 - first ? unsigned(size) : 8 - first;
    mark_part(at++, bits(first, count), ended);
    size -= count;
  }
  memset(at, ended ? 0xff : 0, size >> 3);
  if (size & 7) mark_part(at + (size >> 3), bits(0, size & 7), ended);
}

bool has_ended(std::uintptr_t address, std::size_t size) {
  for (const std::uintptr_t end = address + size; address < end;) {
    const unsigned first = address & 7, count = end - address < 8 - first ? unsigned(end - address) : 8 - first;
    if (*ended_bytes(address) & bits(first, count)) return true;
    address += count;
  }
  return false;
}

void use(StackDepth& depth, std::uintptr_t address) {
  if (!depth.lowest_used || address < depth.lowest_used) depth.lowest_used = address;
}

void begin_range(const Thread& self, std::uintptr_t place, std::size_t size) {
  StackDepth& depth = stack_depth(self.id);
  use(depth, place);
  if (!depth.lowest_alive || place < depth.lowest_alive) depth.lowest_alive = place;
  mark(place, size, false);
}

void end_range(std::uintptr_t begin, std::size_t size, std::uint32_t site) {
  State& s = state();
  const Thread& self = *s.current;
  if (on_stack_of(self, begin)) {
    use(stack_depth(self.id), place_in_slot(self, begin));
    mark(place_in_slot(self, begin), size, true);
  }
  if (s.recording && !race_stack_end(self.id, begin, size, site)) report_race();
}

// A va_list.
struct ArgumentList {
  unsigned general, floating;
  std::uintptr_t on_stack, in_registers;
};
constexpr std::size_t kRegisterArguments = 176;

// The stack pointer of the function that called the hook whose frame this is.
inline std::uintptr_t caller_stack_pointer(const void* frame) { return reinterpret_cast<std::uintptr_t>(frame) + 16; }

enum class Place {
  below,         // all frames, or in one of the runtime's, which has nothing to tell of
  instrumented,  // in one of code that tells of its objects
  own,           // in one of code without hooks, which is the code that uses it, or may have handed it out
  library,       // in another one of the system's libraries
  unseen         // in another one of other code without hooks
};

bool is_library_code(std::uintptr_t instruction) {
  Dl_info about;
  const auto* const place = reinterpret_cast<const void*>(instruction);
  return !is_program_code(place) && dladdr(place, &about) && about.dli_fname && is_system_library(about.dli_fname);
}

// The C++ library calls templates that are instrumented in the program, with objects of its frames. Not so where it calls what
// std::call_once was given.
bool is_cxx_library_code(std::uintptr_t instruction) {
  Dl_info about;
  if (!dladdr(reinterpret_cast<const void*>(instruction), &about) || !about.dli_fname) return false;
  return strstr(about.dli_fname, "libstdc++.so") && !(about.dli_sname && !strcmp(about.dli_sname, "__once_proxy"));
}

bool is_runtime_code(std::uintptr_t instruction) {
  const auto* const place = reinterpret_cast<const char*>(instruction);
  return (place > __start_inspect_code_of_runtime && place <= __stop_inspect_code_of_runtime) ||
         (place > __start_inspect_models && place <= __stop_inspect_models);
}

bool next_frame(const CallerFrame& function, bool instrumented, std::uintptr_t top, CallerFrame& caller) {
  if (!instrumented) return unwind(function, caller) && caller.stack_pointer <= top;
  const std::uintptr_t frame = function.frame_pointer;
  if (frame < function.stack_pointer || frame + 16 > top || frame & 7) return false;
  const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
  caller = {words[1], frame + 16, words[0]};
  return true;
}

// Library functions that the runtime calls tell of what they hand out (LentBytes).
bool is_called_by_runtime(CallerFrame function, std::uintptr_t top) {
  for (CallerFrame caller; next_frame(function, false, top, caller); function = caller) {
    if (is_runtime_code(caller.instruction)) return true;
    if (!is_library_code(caller.instruction)) return false;
  }
  return false;
}

// Whose frame are the bytes in? The program's code keeps frame pointers; other code says where its frames end.
Place place_on_stack(const Thread& owner, std::uintptr_t address) {
  const bool running = &owner == state().current;
  const auto frame = reinterpret_cast<std::uintptr_t>(running ? __builtin_frame_address(0) : owner.stack.frame);
  const std::uintptr_t top = stack_top(owner.id);
  if (!frame || frame + 16 > top || frame & 7) return Place::unseen;
  if (address < frame + 16) return Place::below;
  const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
  CallerFrame function{words[1], frame + 16, words[0]};
  bool in_program = false;
  for (CallerFrame caller;; function = caller) {
    const bool instrumented = is_instrumented_code(function.instruction);
    in_program |= instrumented;
    if (!next_frame(function, instrumented, top, caller)) return Place::unseen;
    if (address >= caller.stack_pointer) continue;
    if (instrumented) return Place::instrumented;
    if (!in_program && !is_runtime_code(function.instruction)) return Place::own;
    if (is_runtime_code(function.instruction)) return Place::below;
    if (!is_library_code(function.instruction)) return Place::unseen;
    if (is_cxx_library_code(function.instruction)) return Place::own;
    return is_called_by_runtime(function, top) ? Place::below : Place::library;
  }
}

MemoryFault kind_of_end(const Thread& owner, std::uintptr_t address) {
  const StackDepth& depth = stack_depth(owner.id);
  if (const std::uintptr_t place = place_in_slot(owner, address); place >= depth.left_begin && place < depth.left_end)
    return MemoryFault::function_left;
  // The stack pointer is above them as soon as their block has ended: does the function go on?
  if (address >= depth.cut_begin && address < depth.cut_end) address = depth.cut_end;
  return place_on_stack(owner, address) == Place::below ? MemoryFault::function_returned : MemoryFault::block_ended;
}

}  // namespace

namespace {

// Of bytes that have ended.
MemoryFault judge_ended(const Thread& owner, std::uintptr_t address) {
  switch (place_on_stack(owner, address)) {
    case Place::own:
      return MemoryFault::none;
    case Place::unseen:  // of one thread alone, nothing that such code does is seen
      if (state().execution.created <= 1) return MemoryFault::none;
      [[fallthrough]];
    case Place::library:
      note_uncovered("memory of a stack whose object has ended, used while code without hooks has its frame there");
      return MemoryFault::none;
    case Place::below:
    case Place::instrumented:
      return kind_of_end(owner, address);
  }
  __builtin_unreachable();
}

}  // namespace

MemoryFault check_stack_access(std::uintptr_t address, std::size_t size) {
  const auto number = unsigned((address - kStackBase) / kStackSlot) % INSPECT_MAX_THREADS;
  const Thread& owner = state().threads[number];
  // The main thread's locals outlive a pthread_exit in many a program, though POSIX promises nothing.
  if (number && number != current_thread() && owner.status == ThreadStatus::ended) return MemoryFault::thread_ended;
  if (address - kStackBase >= kStacks || !has_ended(address, size)) return MemoryFault::none;
  return judge_ended(owner, address);
}

// Once no thread runs there the memory is the program's again: it may look how much was used, or use it for something else.
MemoryFault check_own_stacks(std::uintptr_t address, std::size_t size) {
  const State& s = state();
  bool left = false;
  for (unsigned i = 1; i < s.execution.thread_limit; ++i) {
    const Thread& owner = s.threads[i];
    if (!on_own_stack_of(owner, address) || owner.status == ThreadStatus::unused) continue;
    const bool ended = has_ended(place_in_slot(owner, address), size);
    if (owner.status != ThreadStatus::ended) return ended ? judge_ended(owner, address) : MemoryFault::none;
    left |= ended;
  }
  if (left) note_uncovered("memory of a stack of the program's own, used after its thread has ended");
  return MemoryFault::none;
}

LentBytes::LentBytes(const void* bytes, std::size_t size) : begin_(reinterpret_cast<std::uintptr_t>(bytes)), size_(size) {
  const Thread& self = *state().current;
  if (!active() || !on_stack_of(self, begin_)) size_ = 0;
  if (!size_) return;
  begin_ = place_in_slot(self, begin_);
  begin_range(self, begin_, size);
}
LentBytes::~LentBytes() {
  if (size_) mark(begin_, size_, true);
}

void leave_stack_below(std::uintptr_t pointer, std::uint32_t site) {
  const State& s = state();
  leave_handlers_below(pointer);
  StackDepth& depth = stack_depth(s.current->id);
  const std::uintptr_t begin = depth.lowest_alive, end = place_in_slot(*s.current, pointer);
  if (!begin || begin >= end || !on_stack_of(*s.current, pointer - 1)) return;
  depth.lowest_alive = end;
  depth.left_begin = begin;
  depth.left_end = end;
  end_range(pointer - (end - begin), end - begin, site);
}

void end_thread_locals() {
  const State& s = state();
  const Thread& t = *s.current;
  if (!t.id || !t.thread_locals || !s.recording || !modules().tls_variables_size) return;
  if (!race_free(t.id, reinterpret_cast<std::uintptr_t>(t.thread_locals), modules().tls_variables_size, t.pending.site))
    report_race();
}

void reset_stack_objects() {
  for (unsigned i = 0; i < state().execution.thread_limit; ++i) {
    StackDepth& depth = stack_depth(i);
    if (const std::uintptr_t begin = depth.lowest_used & ~7ul) {
      const std::uintptr_t top = slot_of(i) + kStackSlot;
      memset(const_cast<std::uint8_t*>(ended_bytes(begin)), 0, (top - begin) >> 3);
    }
    depth = {};
  }
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

// Like an allocation it is a write (SEMANTICS C.6): whoever reaches the object without order races with it.
INSPECT_EXPORT void inspect_stack_begin(const void* object, std::size_t size, const void* site) {
  State& s = state();
  const auto address = reinterpret_cast<std::uintptr_t>(object);
  if (!active() || !size || !on_stack_of(*s.current, address)) return;
  begin_range(*s.current, place_in_slot(*s.current, address), size);
  if (s.recording &&
      !race_access_strict(s.current->id, address, size, true, site_number(static_cast<const inspect_site*>(site))))
    report_race();
}

INSPECT_EXPORT void inspect_stack_free(const void* object, std::size_t size, const void* site) {
  if (!active() || !size) return;
  end_range(reinterpret_cast<std::uintptr_t>(object), size, site_number(static_cast<const inspect_site*>(site)));
}

INSPECT_EXPORT void inspect_stack_cut(const void* pointer, const void* site) {
  if (!active()) return;
  const std::uintptr_t begin = caller_stack_pointer(__builtin_frame_address(0)),
                       end = reinterpret_cast<std::uintptr_t>(pointer);
  const Thread& self = *state().current;
  if (begin >= end || !on_stack_of(self, begin) || !on_stack_of(self, end - 1)) return;
  end_range(begin, end - begin, site_number(static_cast<const inspect_site*>(site)));
  stack_depth(self.id).cut_begin = begin;
  stack_depth(self.id).cut_end = end;
}

INSPECT_EXPORT void inspect_stack_left(const void* site) {
  if (active())
    leave_stack_below(caller_stack_pointer(__builtin_frame_address(0)), site_number(static_cast<const inspect_site*>(site)));
}

// They lie in the function's frame and at the end of its caller's, where other objects may have been; how many is not known.
INSPECT_EXPORT void inspect_variable_arguments(const void* list) {
  constexpr std::size_t kMostOnStack = 1024;
  if (!active()) return;
  const ArgumentList& arguments = *static_cast<const ArgumentList*>(list);
  const Thread& self = *state().current;
  const std::uintptr_t top = stack_top(self.id);
  if (on_stack_of(self, arguments.in_registers))
    begin_range(self, place_in_slot(self, arguments.in_registers), kRegisterArguments);
  if (on_stack_of(self, arguments.on_stack))
    mark(place_in_slot(self, arguments.on_stack),
         top - arguments.on_stack < kMostOnStack ? top - arguments.on_stack : kMostOnStack, false);
}

// Those at the end of the caller's frame count as alive.
INSPECT_EXPORT void inspect_variable_arguments_end(const void* list, const void* site) {
  const std::uintptr_t begin = static_cast<const ArgumentList*>(list)->in_registers;
  if (active() && on_stack_of(*state().current, begin))
    end_range(begin, kRegisterArguments, site_number(static_cast<const inspect_site*>(site)));
}
