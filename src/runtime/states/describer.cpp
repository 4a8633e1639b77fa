#include "runtime/states/describer.hpp"

#include <string.h>

#include "hooks/meaning.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/states/conditions.hpp"
#include "runtime/upcalls/identities.hpp"
#include "runtime/upcalls/program.hpp"

extern "C" {
extern const char __executable_start, _end;  // by the linker: the executable in memory
}

namespace inspect::runtime {
namespace {

// Which handler comes next stands in their lists; what was active when the process began to end is never gone on with.
bool is_between_exit_handlers(const Operation& o) { return o.kind == INSPECT_OP_ExitHandler && !o.site; }

bool is_described(const Operation& o) { return holds(Claim::described, o.kind) || is_between_exit_handlers(o); }

// The second operation of one call. Of others, what the runtime itself has on the stack meanwhile would have to be known.
bool is_second_step(const Operation& o) { return o.kind == INSPECT_OP_CondWake || o.kind == INSPECT_OP_BarrierLeave; }

// Is it what the thread was created to run? Else code without records has called it. A routine of a library runs what it is
// given.
bool begins(const Thread& t, const void* function) {
  if (t.id == 0) return function == reinterpret_cast<const void*>(main_of_program());
  const auto routine = reinterpret_cast<std::uintptr_t>(t.routine);
  const bool of_program =
      routine >= reinterpret_cast<std::uintptr_t>(&__executable_start) && routine < reinterpret_cast<std::uintptr_t>(&_end);
  return !of_program || function == reinterpret_cast<const void*>(t.routine);
}

}  // namespace

bool main_joins_in_row(const State& s) {
  const Thread& t = s.threads[0];
  const auto* frame = static_cast<const inspect_frame*>(t.frames);
  if (t.status != ThreadStatus::alive || t.pending.kind != INSPECT_OP_ThreadJoin || !frame || frame->previous) return false;
  if (t.stops != 1 || frame->point >= frame->function->point_count) return false;
  const unsigned flags = frame->function->points[frame->point].flags;
  return (flags & INSPECT_POINT_JOINS) && !(flags & INSPECT_POINT_OPAQUE);
}

bool Describer::threads(CanonicalHeap* joining) {
  if (!s_.execution.spinning.empty()) return fails(INSPECT_NO_IDENTITY_LOOP);
  if (s_.descriptors_touched || s_.execution.signals_touched) return fails(INSPECT_NO_IDENTITY_FILES);
  unsigned by_name[INSPECT_MAX_THREADS];
  for (unsigned i = 0; i < s_.execution.thread_limit; ++i) by_name[name(i)] = i;
  for (unsigned i = 0; i < s_.execution.thread_limit; ++i) {
    const Thread& t = s_.threads[by_name[i]];
    const bool row = joining && t.id == 0 && !names_->joined_in_row.empty();
    if (row) joining->joins_in_row(true);
    if (!thread(t)) return false;
    if (row) joining->joins_in_row(false);
  }
  return true;
}

bool Describer::ends_process(const Thread& t) const { return s_.execution.ending.begun && s_.execution.ending.thread == t.id; }

bool Describer::thread(const Thread& t) {
  hash_.word(name(t.id) | std::uint64_t(names_ && names_->joined_in_row.has(t.id)) << 8);
  if (t.status == ThreadStatus::unused) return true;
  hash_.word(std::uint64_t(t.status) | std::uint64_t(t.joined) << 8 | std::uint64_t(t.detached) << 9);
  word(names_ && t.joined ? 0 : std::uint64_t(t.result));
  if (t.status != ThreadStatus::alive) return true;
  pending(t);
  kept(t);
  if (!is_described(t.pending)) return fails(INSPECT_NO_IDENTITY_OPERATION);
  return frames(t) || fails(t.ending || ends_process(t) ? INSPECT_NO_IDENTITY_END : INSPECT_NO_IDENTITY_FRAMES);
}

// Of the operation of t.
void Describer::object(const Thread& t, std::uint64_t value) {
  const std::uint64_t offset = value - inspect_thread_object(0), size = inspect_thread_object(1) - inspect_thread_object(0);
  if (!names_ || offset >= size * INSPECT_MAX_THREADS) return word(value);
  const auto thread = unsigned(offset / size);
  const bool in_row = t.id == 0 && t.pending.kind == INSPECT_OP_ThreadJoin && names_->joined_in_row.has(thread);
  hash_.word(in_row ? ~0ull : inspect_thread_object(name(thread)) + offset % size);
}

void Describer::pending(const Thread& t) {
  const Operation& o = t.pending;
  hash_.word(o.kind | std::uint64_t(o.order) << 8 | std::uint64_t(o.rmw) << 16 | std::uint64_t(o.flags) << 24 |
             std::uint64_t(t.choices) << 32);
  object(t, o.object);
  object(t, o.object2);
  hash_.word(o.size | std::uint64_t(o.size2) << 32);
  const bool second = is_second_step(o);
  hash_.word(second ? t.chosen | std::uint64_t(t.wait.wakeup) << 16 : 0);
  word(t.guard && !(names_ && o.kind == INSPECT_OP_ThreadJoin) ? t.wait.value : 0);
  hash_.word(std::uint64_t(t.guard));
}

// What the runtime keeps of a thread.
void Describer::kept(const Thread& t) {
  hash_.word(t.children | std::uint64_t(t.destructor_count) << 16 | std::uint64_t(t.wait.may_time_out) << 32 |
             std::uint64_t(t.cancel.disabled) << 33 | std::uint64_t(t.cancel.asynchronous) << 34 |
             std::uint64_t(t.lock_all_depth) << 40);
  hash_.word(std::uint64_t(t.routine));
  word(names_ && t.pending.kind != INSPECT_OP_ThreadStart ? 0 : std::uint64_t(t.argument));
  word(std::uint64_t(t.robust_mutexes));
  word(std::uint64_t(t.cancel.cleanup_buffers));
  hash_.word(s_.execution.time_used ? t.clock : 0);
  bytes(t.destructors, t.destructor_count * sizeof *t.destructors);
  bytes(t.keys, key_count() * sizeof *t.keys);
  hash_.bytes(t.name, sizeof t.name);
  hash_.bytes(&t.scheduling, sizeof t.scheduling);
  bytes(t.texts, sizeof t.texts);
  word(std::uint64_t(t.locale));
  if (t.thread_locals) bytes(t.thread_locals, modules().tls_variables_size);
  for (unsigned i = 0;; ++i) {
    const LibraryLocals locals = library_locals(t, i);
    if (!locals.address) break;
    bytes(locals.address, locals.size);
  }
}

void Describer::process() {
  const Ending& ending = s_.execution.ending;
  hash_.word(std::uint64_t(ending.begun) | std::uint64_t(ending.finishing) << 1 | std::uint64_t(name(ending.thread)) << 8 |
             std::uint64_t(ending.aborted) << 16 | std::uint64_t(std::uint32_t(ending.status)) << 32);
  describe_exit_handlers(hash_);
  describe_keys(hash_);
  const Mask assumed_away = names_ ? names_->renamed(s_.execution.assumed_away) : s_.execution.assumed_away;
  hash_.word(assumed_away.words[0]);
  hash_.word(assumed_away.words[1]);
  hash_.word(s_.channel->configuration.condition_count ? valuation(s_) : 0);
  describe_virtual_time(hash_);
}

// From the innermost function to the thread's routine.
bool Describer::frames(const Thread& t) {
  if (ends_process(t) && is_between_exit_handlers(t.pending)) return true;
  const auto* frame = static_cast<const inspect_frame*>(t.frames);
  if (!frame) {
    const unsigned kind = t.pending.kind;
    return kind == INSPECT_OP_ThreadStart || kind == INSPECT_OP_ThreadExit || kind == INSPECT_OP_ProcessEnd ||
           (kind == INSPECT_OP_ProcessExit && t.id == 0);
  }
  // Destructors and exit handlers are called from a loop of the runtime.
  if (t.ending || ends_process(t)) return t.pending.kind == INSPECT_OP_ProcessEnd;
  if (t.stops > 1 && !(t.stops == 2 && is_second_step(t.pending))) return false;
  const std::uintptr_t top = stack_top(t.id);
  auto below = stack_bottom(t.id);
  for (bool innermost = true; frame; frame = frame->previous, innermost = false) {
    const auto address = reinterpret_cast<std::uintptr_t>(frame);
    if (address <= below || address + sizeof *frame > top) return false;  // a function was left without its record
    below = address;
    if (frame->gap && (frame->previous || !begins(t, frame->function->function))) return false;
    if (frame->point >= frame->function->point_count) return false;
    const inspect_point& point = frame->function->points[frame->point];
    const bool calls = point.flags & INSPECT_POINT_CALLS;
    if ((point.flags & INSPECT_POINT_OPAQUE) || calls == innermost) return false;
    values(*frame, point);
  }
  return true;
}

void Describer::values(const inspect_frame& frame, const inspect_point& point) {
  hash_.word(point.class_low);
  hash_.word(point.class_high);
  const inspect_frame_function& f = *frame.function;
  const unsigned end = point.first + point.count + point.others;
  for (unsigned i = point.first; i < end; ++i) {
    const inspect_slot& slot = f.slots[f.live[i]];
    const char* at = reinterpret_cast<const char*>(&frame) + slot.offset;
    if (!(slot.size & INSPECT_SLOT_OBJECT)) {
      bytes(at, slot.size);
      continue;
    }
    const char* object;
    memcpy(&object, at, sizeof object);
    names_ ? word(reinterpret_cast<std::uintptr_t>(object)) : hash_.word(reinterpret_cast<std::uintptr_t>(object));
    bytes(object, slot.size & ~INSPECT_SLOT_OBJECT);
  }
}

void Describer::place(const Thread& t) {
  hash_.word(std::uint64_t(t.status) | std::uint64_t(t.joined) << 8 | std::uint64_t(t.detached) << 9);
  if (t.status != ThreadStatus::alive) return;
  hash_.word(t.pending.kind);
  hash_.word(std::uint64_t(t.routine));
  for (const auto* f = static_cast<const inspect_frame*>(t.frames); f; f = f->previous) {
    const inspect_point& point = f->function->points[f->point];
    hash_.word(point.class_low);
    hash_.word(point.class_high);
  }
}

}  // namespace inspect::runtime
