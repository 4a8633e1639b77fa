#include "runtime/schedule/access.hpp"
#include "runtime/memory/module.hpp"

#include <string.h>

#include <initializer_list>
#include <iterator>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/memory/stack_objects.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/memory_map.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/plural.hpp"
#include "runtime/platform/readable.hpp"
#include "runtime/schedule/atomic_section.hpp"
#include "runtime/schedule/library_state.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/changes.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/spin.hpp"
#include "runtime/upcalls/stream_questions.hpp"

INSPECT_EXPORT void inspect_atomic_end(void);

namespace inspect::runtime {
namespace {

// A plain access that was logged.
struct LoggedAccess {
  std::uintptr_t address;
  std::uint64_t when;  // execution and step
  std::uint32_t site, size;
};
constexpr unsigned kLoggedAccessCount = 1024;
constexpr std::uint32_t kMostLogged = 100'000;  // accesses that are logged in one execution
constexpr unsigned kMostFrames = 64;            // of a stack that is logged
constexpr unsigned kMostMemoryStacks = 10'000;  // allocations and ends of objects whose stacks are logged in one execution
struct LoggedAccesses {
  std::uint32_t count;                     // in this execution
  std::uint32_t memory_stacks;             // likewise
  unsigned kept_stack_depth;               // at the access that the request asks about
  std::uintptr_t kept_stack[kMostFrames];  // return addresses, innermost first
  LoggedAccess last[kLoggedAccessCount];
};
LoggedAccesses& logged_accesses() { return part<LoggedAccesses>(Part::logged_accesses); }

const char* fault_text(MemoryFault fault) {
  switch (fault) {
    case MemoryFault::freed:
      return "of freed memory";
    case MemoryFault::overflow:
      return "beyond the end of a heap object";
    case MemoryFault::block_ended:
      return "of a stack object whose block has ended";
    case MemoryFault::function_returned:
      return "of a stack object whose function has returned";
    case MemoryFault::function_left:
      return "of a stack object whose function was left by a jump, an exception or the end of its thread";
    case MemoryFault::thread_ended:
      return "of an object of a thread that has ended";
    default:
      return "of heap memory that was never allocated";
  }
}

[[noreturn]] void report_fault(MemoryFault fault, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  State& s = state();
  s.running = false;
  inspect_result& r = s.channel->results[s.request.slot];
  r.bug_address = address;
  HeapObject object;
  if (find_heap_object(address, &object) && object.freed) {
    r.other_site = object.free_site;
    r.other_thread = object.free_thread;
  }
  report_bug(INSPECT_BUG_MEMORY_ERROR,
             format_message("%s of %lu %s %s", write ? "write" : "read", size, byte_word(size), fault_text(fault)), site);
}

// The value the program is about to read or replace. If that faults, the fault is the program's, at its place.
std::uint64_t read_for(std::uint32_t site, std::uintptr_t address, std::size_t size) {
  std::uint64_t value = 0;
  state().execution.touching = site;
  memcpy(&value, reinterpret_cast<void*>(address), size);
  state().execution.touching = 0;
  return value;
}

// Was the access logged in this step? Notes it if not.
bool is_logged(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  State& s = state();
  LoggedAccess& t = logged_accesses().last[(address >> 2 ^ site * 0x9E3779B1u ^ std::uintptr_t(write)) % kLoggedAccessCount];
  const std::uint64_t when = s.executions << 33 | s.execution.position << 1 | std::uint64_t(write);
  if (t.when == when && t.address == address && t.site == site && t.size == std::uint32_t(size)) return true;
  if (s.log.active) t = {address, when, site, std::uint32_t(size)};
  return false;
}

// The frames of a thread, from `frame` on: return addresses, and the frame pointers of what they lead back to; how many there
// are.
unsigned read_frames(const Thread& t, std::uintptr_t frame, std::uintptr_t* to, unsigned room,
                     std::uintptr_t* frames = nullptr) {
  const std::uintptr_t bottom = stack_bottom(t.id), top = stack_top(t.id);
  unsigned count = 0;
  while (count < room && frame >= bottom && frame + 16 <= top && !(frame & 7)) {
    const auto* const words = reinterpret_cast<const std::uintptr_t*>(frame);
    if (frames) frames[count] = words[0];
    to[count++] = words[1];
    if (words[0] <= frame) break;
    frame = words[0];
  }
  return count;
}

// Keeps the stack if this is the access that the request asks about: each replaces the one before.
void keep_stack(State& s, std::uintptr_t address, std::size_t size, std::uint32_t site) {
  const inspect_request& r = *s.request.message;
  if (!r.stack_site || r.stack_site != site || r.stack_thread != s.current->id || r.stack_address - address >= size) return;
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  LoggedAccesses& l = logged_accesses();
  l.kept_stack_depth = read_frames(*s.current, frame, l.kept_stack, kMostFrames);
}

void record_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  State& s = state();
  if (s.log_level == kLogAll) keep_stack(s, address, size, site);
  if (s.log_level == kLogAccesses && s.log.active && ++logged_accesses().count > kMostLogged) {
    if (logged_accesses().count == kMostLogged + 1) append_record(INSPECT_RECORD_UNSEEN, s.current->id, s.current->pending);
    return;  // open_step() says so from now on
  }
  Operation o = operation(write ? INSPECT_OP_PlainWrite : INSPECT_OP_PlainRead, reinterpret_cast<void*>(address),
                          std::uint32_t(size), site);
  inspect_record* const r = append_record(INSPECT_RECORD_ACCESS, s.current->id, o);
  // What faults is for the program to do, if its compiler has left it in: no run is to end otherwise because it is reported.
  if (r && size <= 8 && (s.log_level != kLogAll || is_readable(address, size))) r->value = read_for(site, address, size);
}

void add_to_section(const Operation& o) {
  AtomicSection& section = atomic_section();
  join_object_clocks(o);
  for (unsigned i = 0; i < section.count; ++i) {
    Operation& known = section.ranges[i];
    // Not the same if it depends on more: one read-modify-write may have a result that is used, the other not.
    if (known.object == o.object && known.size == o.size && known.kind == o.kind && known.rmw == o.rmw &&
        known.flags == o.flags && known.object2 == o.object2 && known.size2 == o.size2)
      return;
  }
  if (section.count == std::size(section.ranges))
    report_unsupported("an atomic section that touches more than 256 locations", o.site);
  section.ranges[section.count++] = o;
}

void note_plain_write(std::uintptr_t address, std::size_t size, bool write) {
  if (write && !mutated(Mutation::plain_writes_not_noted)) note_change(address, size);
}

void section_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  State& s = state();
  add_to_section(operation(write ? INSPECT_OP_PlainWrite : INSPECT_OP_PlainRead, reinterpret_cast<void*>(address),
                           std::uint32_t(size), site));
  if (!s.recording) return;
  // Conflicting sections synchronise, and a section conflicts with plain accesses outside (SEMANTICS A.3): as seq_cst atomics
  // would.
  const std::uint8_t self = s.current->id;
  for (std::uintptr_t at = address & ~7ul; at < address + size; at += 8) {
    const std::uintptr_t begin = at < address ? address : at, end = at + 8 < address + size ? at + 8 : address + size;
    const bool ordered = write ? race_atomic_rmw(self, begin, unsigned(end - begin), INSPECT_SEQ_CST, site)
                               : race_atomic_load(self, begin, unsigned(end - begin), INSPECT_SEQ_CST, site);
    if (!ordered) report_race();
  }
}

void watch_write(State& s, std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  if (!write || !s.current->loop_visit_count) return;
  s.execution.touching = site;  // what is there is read
  note_write(*s.current, address, size);
  s.execution.touching = 0;
}

}  // namespace

void report_dead_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  report_fault(check_access(address, size), address, size, write, site);
}

void access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  State& s = state();
  const MemoryFault fault = check_access(address, size);
  if (__builtin_expect(fault != MemoryFault::none, 0)) report_fault(fault, address, size, write, site);
  note_touched(address, size);
  const bool logged = s.log_level == kLogAccesses && is_logged(address, size, write, site);
  if (logged && !s.request.states && !s.current->loop_visit_count && !s.current->atomic_depth)
    return;  // nor has the race check anything to add
  watch_write(s, address, size, write, site);
  if (address - s.library_locals.begin < s.library_locals.size) return;  // each thread has its own there, at one address
  if (__builtin_expect(is_standard_stream_access(address, site), 0)) {
    if (write) note_change(address, size);
    if (s.recording) never_a_point(address, size);
    if (s.recording && !race_object_access(s.current->id, address, size, write, site)) report_race();
    return;
  }
  if (s.current->atomic_depth) {
    if (write) note_change(address, size);
    section_access(address, size, write, site);
    return;
  }
  if (s.recording) {
    if (signals_interrupt()) note_access_of_handlers(address, size, write, AccessBy::instruction);
    if (write && may_be_cancelled_within()) {
      if (!is_one_instruction(address, size)) cancel_within("a copy, or a write of several words", site);
      make_all_shared(address, size);
    }
    if (s.points != Points::none && shared_location(address, size)) {
      step_of_access(address, size, write, site);
      watch_write(s, address, size, write, site);  // others have run, and may have written there
    }
    if (__builtin_expect(!race_access(s.current->id, address, size, write, site), 0)) report_race();
  }
  note_plain_write(address, size, write);
  if (__builtin_expect(s.log_level >= kLogAccesses, 0) && !logged) record_access(address, size, write, site);
}

void step_of_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  note_plain_write(address, size, write);  // what a call has written is there before its step
  const auto bytes = std::uint32_t(size < UINT32_MAX ? size : UINT32_MAX);
  visible(operation(write ? INSPECT_OP_PlainWrite : INSPECT_OP_PlainRead, reinterpret_cast<void*>(address), bytes, site));
  executed(0, size <= 8 ? read_for(site, address, size) : 0);
  const MemoryFault later = check_access(address, size);
  if (later != MemoryFault::none) report_fault(later, address, size, write, site);
}

void point_of_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  const State& s = state();
  if (!size || !s.recording || s.points == Points::none || s.current->atomic_depth) return;
  if (shared_location(address, size)) step_of_access(address, size, write, site);
}

void tell_access(std::uintptr_t address, std::size_t size, bool write, std::uint32_t site) {
  if (write) note_change(address, size);
  if (active() && state().log_level == kLogAccesses) record_access(address, size, write, site);
}

unsigned section_operation(const Operation& o, Guard guard) {
  Thread& t = *state().current;
  t.pending = o;
  t.guard = guard;
  unsigned alternative = 0;
  if (guard) {
    const Mask enabled = guard(t);
    if (enabled.empty())
      report_unsupported(format_message("%s blocks inside an atomic section", inspect_kind_text(o.kind)), o.site);
    alternative = enabled.first();
    if (enabled.count() > 1)
      report_unsupported(format_message("%s has several outcomes inside an atomic section", inspect_kind_text(o.kind)), o.site);
  }
  if (o.kind == INSPECT_OP_Choice) report_unsupported("a nondeterministic choice inside an atomic section", o.site);
  if (inspect_writes(&o)) disturb(t);
  add_to_section(o);
  return t.chosen = std::uint16_t(alternative);
}

void leave_atomic_section(const char* why, std::uint32_t site) {
  const State& s = state();
  Thread& t = *s.current;
  if (!t.atomic_depth) return;
  const std::uintptr_t own_top = stack_top(t.id), own_bottom = own_top - kStackSlot;
  for (unsigned i = 0; i < atomic_section().count; ++i) {
    const Operation& o = atomic_section().ranges[i];
    if (inspect_writes(&o) && (o.object < own_bottom || o.object >= own_top)) report_unsupported(why, site);
  }
  t.atomic_depth = 1;
  inspect_atomic_end();
}

namespace {

void record_frame(const Thread& t, std::uintptr_t place, std::uintptr_t frame, inspect_stack which) {
  if (inspect_record* r = append_record(INSPECT_RECORD_STACK, t.id, t.pending)) {
    r->value = place;
    r->value2 = frame;
    r->alternative = std::uint16_t(which);
  }
}

void record_frames(const Thread& t, std::uintptr_t frame, inspect_stack which) {
  std::uintptr_t places[kMostFrames], frames[kMostFrames];
  const unsigned count = read_frames(t, frame, places, kMostFrames, frames);
  for (unsigned i = 0; i < count; ++i) record_frame(t, places[i], frames[i], which);
}

}  // namespace

void record_stack() {
  record_frames(*state().current, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), INSPECT_STACK_STEP);
}

void record_bug_stack(std::uintptr_t next, std::uintptr_t frame) {
  const Thread& t = *state().current;
  if (next) record_frame(t, next, frame, INSPECT_STACK_BUG);
  record_frames(t, frame, INSPECT_STACK_BUG);
  LoggedAccesses& l = logged_accesses();
  for (unsigned i = 0; i < l.kept_stack_depth; ++i) record_frame(t, l.kept_stack[i], 0, INSPECT_STACK_ACCESS);
  l.kept_stack_depth = 0;
}

void record_memory_stack() {
  const Thread& t = *state().current;
  if (logged_accesses().memory_stacks >= kMostMemoryStacks) return;
  ++logged_accesses().memory_stacks;
  record_frames(t, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)), INSPECT_STACK_MEMORY);
}

void record_waiting_stacks() {
  State& s = state();
  if (s.log_level != kLogAll) return;
  s.execution.alive.for_each([&](unsigned i) {
    const Thread& t = s.threads[i];
    const void* const frame = &t == s.current ? __builtin_frame_address(0) : t.stack.frame;
    record_frames(t, reinterpret_cast<std::uintptr_t>(frame), INSPECT_STACK_WAITING);
  });
}

void record_end_of_object(std::uintptr_t begin, std::size_t size, std::uint32_t site) {
  if (state().log_level != kLogAll) return;
  const Operation o = operation(INSPECT_OP_Free, reinterpret_cast<void*>(begin), std::uint32_t(size), site);
  if (append_record(INSPECT_RECORD_ACCESS, state().current->id, o)) record_memory_stack();
}

void begin_accesses() {
  logged_accesses().count = logged_accesses().kept_stack_depth = logged_accesses().memory_stacks = 0;
  atomic_section().count = 0;
}
bool accesses_are_left_out() { return logged_accesses().count > kMostLogged; }

}  // namespace inspect::runtime

using namespace inspect::runtime;

namespace {

inline void plain(const void* address, std::size_t size, bool write, const void* site) {
  if (__builtin_expect(active(), 1))
    access(reinterpret_cast<std::uintptr_t>(address), size, write, site_number(static_cast<const inspect_site*>(site)));
}

// The usual case by far: alive, and nothing new for the race checker. A program that computes spends its time here, so this is
// leaf code that saves no register; whatever is not certain goes the whole way.
template <std::size_t size>
[[gnu::always_inline]] inline bool nothing_new(std::uintptr_t address, bool write) {
  if (write && state().current->loop_visit_count && !mutated(Mutation::known_writes_unwatched))
    return false;  // the turn of a loop is being watched: note_write
  const std::uint8_t self = current_thread();
  const std::uintptr_t region = region_of(address);
  // Thread-local variables lie in the region behind the stacks, with slices of the same size.
  constexpr std::uintptr_t heap = kArenaBase >> kRegionBits, stacks = kStackBase >> kRegionBits;
  static_assert(kArenaBytes == 2ul << kRegionBits && kArenaBase % kArenaBytes == 0);
  static_assert(kStackBase % (2ul << kRegionBits) == 0 && kStackSlot * INSPECT_MAX_THREADS == 1ul << kRegionBits);
  if (region - heap < 2) {
    if (!surely_alive(address, size)) return false;
  } else if (region - stacks < 2) {
    if (address / kStackSlot % INSPECT_MAX_THREADS != self || !nothing_ended<size>(address)) return false;
  }
  return race_knows(self, address, size, write);
}

template <std::size_t size>
[[gnu::always_inline]] inline void plain(const void* address, bool write, const void* site) {
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (__builtin_expect(only_checks(), 1) && nothing_new<size>(place, write)) return;
  if (active()) access(place, size, write, site_number(static_cast<const inspect_site*>(site)));
}

}  // namespace

#define PLAIN_HOOKS(n)                                                                                           \
  INSPECT_EXPORT void inspect_read##n(const void* address, const void* site) { plain<n>(address, false, site); } \
  INSPECT_EXPORT void inspect_write##n(const void* address, const void* site) { plain<n>(address, true, site); }
PLAIN_HOOKS(1)
PLAIN_HOOKS(2)
PLAIN_HOOKS(4)
PLAIN_HOOKS(8)
PLAIN_HOOKS(16)
#undef PLAIN_HOOKS

INSPECT_EXPORT void inspect_read_range(const void* address, std::size_t size, const void* site) {
  if (!size) return;
  note_access_of_handlers(reinterpret_cast<std::uintptr_t>(address), size, false, AccessBy::call);
  plain(address, size, false, site);
}
INSPECT_EXPORT void inspect_write_range(const void* address, std::size_t size, const void* site) {
  if (!size) return;
  if (may_be_cancelled_within()) cancel_within("one that writes", site_number(static_cast<const inspect_site*>(site)));
  note_access_of_handlers(reinterpret_cast<std::uintptr_t>(address), size, true, AccessBy::call);
  if (active() && is_locked_library_state(reinterpret_cast<std::uintptr_t>(address))) {
    disturb(*state().current);
    note_unseen_changes();
    return use_locked_library_state(reinterpret_cast<std::uintptr_t>(address),
                                    site_number(static_cast<const inspect_site*>(site)));
  }
  if (is_library_state(reinterpret_cast<std::uintptr_t>(address))) note_unseen_changes();
  if (active()) note_library_write(*state().current, reinterpret_cast<std::uintptr_t>(address), size);
  plain(address, size, true, site);
}
INSPECT_EXPORT void inspect_read_string(const char* text, std::size_t limit, const void* site) {
  if (!active()) return;
  std::size_t size = 0;
  state().execution.touching = site_number(static_cast<const inspect_site*>(site));
  while (size < limit && text[size]) ++size;
  state().execution.touching = 0;
  note_access_of_handlers(reinterpret_cast<std::uintptr_t>(text), size < limit ? size + 1 : limit, false, AccessBy::call);
  plain(text, size < limit ? size + 1 : limit, false, site);
}

INSPECT_EXPORT void inspect_atomic_begin(void) {
  State& s = state();
  if (!active()) return;
  Thread& t = *s.current;
  if (t.atomic_depth++) return;
  --t.atomic_depth;
  visible(operation(INSPECT_OP_AtomicSection, nullptr, 0, INSPECT_CALLER_SITE()));
  atomic_section().count = 0;
  s.in_section = true;
  ++t.atomic_depth;
}

INSPECT_EXPORT void inspect_atomic_end(void) {
  State& s = state();
  if (!active()) return;
  Thread& t = *s.current;
  if (!t.atomic_depth)
    report_bug(INSPECT_BUG_API_MISUSE, "inspect_atomic_end without inspect_atomic_begin", INSPECT_CALLER_SITE());
  if (--t.atomic_depth) return;
  s.in_section = false;
  Operation o = operation(INSPECT_OP_AtomicSection, nullptr, 0, 0);
  o.flags = INSPECT_FLAG_RANGES;
  for (unsigned i = 0; i < atomic_section().count; ++i)
    if (inspect_record* r = append_record(INSPECT_RECORD_ACCESS, t.id, atomic_section().ranges[i])) r->count = 2;
  join_section_clocks();
  executed_as(o);
}
