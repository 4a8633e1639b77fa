#include "runtime/states/identity.hpp"

#include "hooks/frame.h"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/platform/not_state.hpp"
#include "runtime/states/canonical_heap.hpp"
#include "runtime/states/conditions.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/upcalls/identities.hpp"

extern "C" {
INSPECT_NOT_STATE void* inspect_frame_top = nullptr;
INSPECT_NOT_STATE void* inspect_callee = nullptr;
INSPECT_NOT_STATE std::uint64_t inspect_stops = 0;
extern const char __executable_start, _end;  // by the linker: the executable in memory
}

namespace inspect::runtime {
namespace {

// Which handler comes next stands in their lists; what was active when the process began to end is never gone on with.
bool is_between_exit_handlers(const Operation& o) { return o.kind == INSPECT_OP_ExitHandler && !o.site; }

// Operations whose continuation is a matter of the call and of memory alone.
bool is_described(const Operation& o) {
  switch (inspect_family_of(o.kind)) {
    case INSPECT_FAMILY_Mutex:
    case INSPECT_FAMILY_Cond:
    case INSPECT_FAMILY_RwLock:
    case INSPECT_FAMILY_Semaphore:
    case INSPECT_FAMILY_Barrier:
    case INSPECT_FAMILY_Thread:
    case INSPECT_FAMILY_Process:
      return true;
    case INSPECT_FAMILY_Once:
      return o.kind == INSPECT_OP_OnceEnter;
    default:
      break;
  }
  switch (o.kind) {
    case INSPECT_OP_AtomicLoad:
    case INSPECT_OP_AtomicStore:
    case INSPECT_OP_AtomicRmw:
    case INSPECT_OP_AtomicCas:
    case INSPECT_OP_Fence:
    case INSPECT_OP_PlainRead:
    case INSPECT_OP_PlainWrite:
    case INSPECT_OP_Free:
    case INSPECT_OP_AtomicSection:
    case INSPECT_OP_Choice:
    case INSPECT_OP_AssumeFailed:
      return true;
    case INSPECT_OP_ExitHandler:
      return is_between_exit_handlers(o);
    default:
      return false;
  }
}

// The second operation of one call. Of others, what the runtime itself has on the stack meanwhile would have to be known.
bool is_second_step(const Operation& o) { return o.kind == INSPECT_OP_CondWake || o.kind == INSPECT_OP_BarrierLeave; }

class Describer {
 public:
  explicit Describer(State& s) : s_(s) {}
  // Wherever the objects of the heap lie; gives up where that cannot be told.
  void describe_heap_by(CanonicalHeap& heap) {
    heap_ = &heap;
    if (s_.execution.time_used || exit_handlers_have_addresses()) heap.give_up();
  }
  StateHash& hash() { return hash_; }

  // Of all threads; false if one of them cannot be described.
  bool threads() {
    if (!s_.execution.spinning.empty()) return untold(INSPECT_UNTOLD_LOOP);
    if (s_.descriptors_touched || s_.execution.signals_touched) return untold(INSPECT_UNTOLD_FILES);
    for (unsigned i = 0; i < s_.execution.thread_limit; ++i)
      if (!thread(s_.threads[i])) return false;
    return true;
  }

  Identity run() {
    if (!threads()) return {0, 0, why_};
    process();
    if (heap_) {
      heap_->data();
      heap_->objects();
    } else {
      const MemoryHash memory = memory_hash();
      hash_.word(memory.low);
      hash_.word(memory.high);
      for (unsigned i = 0; i < s_.execution.thread_limit; ++i) heap(arena_state().threads[i]);
    }
    const std::uint64_t low = hash_.low();
    return {low ? low : 1, hash_.high(), INSPECT_UNTOLD_NOT};
  }

 private:
  bool untold(inspect_untold why) {
    why_ = why;
    return false;
  }

  // What may be an address of the heap, or hold some.
  void word(std::uint64_t value) { heap_ ? heap_->word(value) : hash_.word(value); }
  void bytes(const void* from, std::size_t size) { heap_ ? heap_->bytes(from, size) : hash_.bytes(from, size); }

  [[nodiscard]] bool ends_process(const Thread& t) const {
    return s_.execution.ending.begun && s_.execution.ending.thread == t.id;
  }

  bool thread(const Thread& t) {
    hash_.word(t.id);
    if (t.status == ThreadStatus::unused) return true;
    hash_.word(std::uint64_t(t.status) | std::uint64_t(t.joined) << 8 | std::uint64_t(t.detached) << 9);
    word(std::uint64_t(t.result));
    if (t.status != ThreadStatus::alive) return true;
    pending(t);
    kept(t);
    if (!is_described(t.pending)) return untold(INSPECT_UNTOLD_OPERATION);
    return frames(t) || untold(t.ending || ends_process(t) ? INSPECT_UNTOLD_END : INSPECT_UNTOLD_FRAMES);
  }

  void pending(const Thread& t) {
    const Operation& o = t.pending;
    hash_.word(o.kind | std::uint64_t(o.order) << 8 | std::uint64_t(o.rmw) << 16 | std::uint64_t(o.flags) << 24 |
               std::uint64_t(t.choices) << 32);
    word(o.object);
    word(o.object2);
    hash_.word(o.size | std::uint64_t(o.size2) << 32);
    const bool second = is_second_step(o);
    hash_.word(second ? t.chosen | std::uint64_t(t.wakeup) << 16 : 0);
    word(t.guard ? t.wait_value : 0);
    hash_.word(std::uint64_t(t.guard));
  }

  // What the runtime keeps of a thread.
  void kept(const Thread& t) {
    hash_.word(t.children | std::uint64_t(t.destructor_count) << 16 | std::uint64_t(t.may_time_out) << 32 |
               std::uint64_t(t.cancel_disabled) << 33 | std::uint64_t(t.cancel_asynchronous) << 34 |
               std::uint64_t(t.lock_all_depth) << 40);
    hash_.word(std::uint64_t(t.routine));
    word(std::uint64_t(t.argument));
    word(std::uint64_t(t.robust_mutexes));
    word(std::uint64_t(t.cleanup_buffers));
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

  void process() {
    hash_.word(std::uint64_t(s_.execution.ending.begun) | std::uint64_t(s_.execution.ending.finishing) << 1 |
               std::uint64_t(s_.execution.ending.thread) << 8 | std::uint64_t(s_.execution.ending.aborted) << 16 |
               std::uint64_t(std::uint32_t(s_.execution.ending.status)) << 32);
    describe_exit_handlers(hash_);
    describe_keys(hash_);
    hash_.word(s_.execution.assumed_away.words[0]);
    hash_.word(s_.execution.assumed_away.words[1]);
    hash_.word(s_.channel->configuration.condition_count ? valuation(s_) : 0);
    describe_virtual_time(hash_);
  }

  // Is it what the thread was created to run? Else code without records has called it. A routine of a library runs what it is
  // given.
  static bool begins(const Thread& t, const void* function) {
    if (t.id == 0) return function == reinterpret_cast<const void*>(main_of_program());
    const auto routine = reinterpret_cast<std::uintptr_t>(t.routine);
    const bool of_program =
        routine >= reinterpret_cast<std::uintptr_t>(&__executable_start) && routine < reinterpret_cast<std::uintptr_t>(&_end);
    return !of_program || function == reinterpret_cast<const void*>(t.routine);
  }

  // From the innermost function to the thread's routine.
  bool frames(const Thread& t) {
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

  void values(const inspect_frame& frame, const inspect_point& point) {
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
      hash_.word(reinterpret_cast<std::uintptr_t>(object));
      bytes(object, slot.size & ~INSPECT_SLOT_OBJECT);
    }
  }

  // How much was allocated; the objects themselves are in the hash of memory.
  void heap(const ThreadArena& a) {
    hash_.word(a.small_count | std::uint64_t(a.large_count) << 32);
    hash_.word(a.small_break);
    hash_.word(a.large_break);
  }

  State& s_;
  StateHash hash_;
  CanonicalHeap* heap_ = nullptr;
  inspect_untold why_ = INSPECT_UNTOLD_NOT;
};

}  // namespace

Identity identity_of_state() {
  State& s = state();
  if (s.request.message->flags & INSPECT_REQUEST_CANONICAL) {
    Describer canonical(s);
    CanonicalHeap heap(canonical.hash());
    canonical.describe_heap_by(heap);
    const Identity id = canonical.run();
    if (!heap.given_up()) return id;
  }
  return Describer(s).run();
}

bool has_identity() { return Describer(state()).threads(); }

void stop_frames(Thread& t) {
  t.frames = inspect_frame_top;
  t.stops = std::uint32_t(++inspect_stops);
}

void resume_frames(const Thread& t) {
  inspect_frame_top = t.frames;
  inspect_stops = t.stops;
  inspect_callee = nullptr;
}

}  // namespace inspect::runtime
