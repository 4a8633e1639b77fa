#include "runtime/states/symmetric_pairs.hpp"
#include "runtime/memory/module.hpp"

#include <pthread.h>
#include <string.h>

#include "hooks/frame.h"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/snapshot.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/fiber.hpp"
#include "runtime/states/identity.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/stack_objects.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/upcalls/identities.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kMostPairs = 2048;

using Region = MemoryRange;
struct Pair {
  Region from, to;
};
// Not part of what a reset restores, and too large for a fiber's stack.
struct Scratch {
  Pair pairs[kMostPairs];
};
static_assert(sizeof(Scratch) <= 512ul << 10);  // sync_objects.hpp
Scratch& scratch() { return *reinterpret_cast<Scratch*>(kSymmetryScratch); }

bool in_stacks(std::uint64_t v) { return v - kStackBase < kStackSlot * INSPECT_MAX_THREADS; }

class Swap {
 public:
  Swap(const State& s, unsigned a, unsigned b) : s_(s), a_(a), b_(b) {}

  bool run() {
    const Thread &a = s_.threads[a_], &b = s_.threads[b_];
    if (!thread(a, b) || sync_objects().too_many) return false;
    for (unsigned i = 0; i < sync_objects().count; ++i)
      if (tells_apart(sync_objects().objects[i], a_, b_)) return false;
    for (unsigned i = 0; i < s_.execution.thread_limit; ++i)
      if (i != a_ && i != b_ && !thread(s_.threads[i], s_.threads[i])) return false;
    if (s_.execution.ending.begun && (s_.execution.ending.thread == a_ || s_.execution.ending.thread == b_)) return false;
    // What is no address is its own mirror.
    const auto is_its_mirror = [](void* swap, std::uintptr_t begin, std::size_t size) {
      const Region part{begin, size};
      return static_cast<Swap*>(swap)->contents(part, part);
    };
    return all_parts_with_addresses(is_its_mirror, this) && objects();
  }

  [[nodiscard]] unsigned joiner() const { return joiner_; }

 private:
  [[nodiscard]] unsigned mirror(unsigned t) const { return t == a_ ? b_ : t == b_ ? a_ : t; }

  bool thread(const Thread& x, const Thread& y) {
    if (x.status != y.status) return false;
    if (x.status == ThreadStatus::unused) return true;
    if (x.joined != y.joined || x.detached != y.detached) return false;
    if (x.status != ThreadStatus::alive) return word(std::uint64_t(x.result), std::uint64_t(y.result));
    joins_ = &x == &y && is_joining(x);
    const bool same = pending(x, y) && frames(x, y) && kept(x, y);
    joins_ = false;
    return same;
  }

  // Is it about to join one of the two, and do handles serve it for nothing else?
  bool is_joining(const Thread& t) const {
    const auto* frame = static_cast<const inspect_frame*>(t.frames);
    if (t.pending.kind != INSPECT_OP_ThreadJoin || !frame || frame->previous) return false;
    return frame->function->points[frame->point].flags & INSPECT_POINT_JOINS;
  }

  bool object(std::uint64_t x, std::uint64_t y) {
    for (unsigned t = 0; t < s_.execution.thread_limit; ++t)
      if (x == inspect_thread_object(t)) {
        if (joins_ && (t == a_ || t == b_)) return note_joiner();
        return y == inspect_thread_object(mirror(t));
      }
    return word(x, y);
  }

  bool note_joiner() {
    const unsigned joiner = current_;
    if (joiner_ != INSPECT_MAX_THREADS && joiner_ != joiner) return false;
    joiner_ = joiner;
    return true;
  }

  bool pending(const Thread& x, const Thread& y) {
    current_ = x.id;
    const Operation &o = x.pending, &p = y.pending;
    if (o.kind != p.kind || o.order != p.order || o.rmw != p.rmw || o.flags != p.flags || o.size != p.size ||
        o.size2 != p.size2 || x.choices != y.choices || x.guard != y.guard || x.stops != y.stops)
      return false;
    if (!object(o.object, p.object) || !object(o.object2, p.object2)) return false;
    if (o.kind == INSPECT_OP_CondWake || o.kind == INSPECT_OP_BarrierLeave)
      if (x.chosen != y.chosen || x.wait.wakeup != y.wait.wakeup) return false;
    return !x.guard || o.kind == INSPECT_OP_ThreadJoin || x.wait.value == y.wait.value;
  }

  bool kept(const Thread& x, const Thread& y) {
    if (memcmp(&x.scheduling, &y.scheduling, sizeof x.scheduling) || x.locale != y.locale) return false;
    if (&x != &y && (x.texts[0] || x.texts[1] || x.texts[2] || y.texts[0] || y.texts[1] || y.texts[2])) return false;
    if (&x != &y && (x.children || y.children || x.robust_mutexes || y.robust_mutexes)) return false;
    if (x.destructor_count != y.destructor_count || x.wait.may_time_out != y.wait.may_time_out ||
        x.cancel.disabled != y.cancel.disabled || x.cancel.asynchronous != y.cancel.asynchronous ||
        x.lock_all_depth != y.lock_all_depth || x.ending != y.ending || memcmp(x.name, y.name, sizeof x.name) ||
        (s_.execution.time_used && x.clock != y.clock))
      return false;
    if (!word(std::uint64_t(x.cancel.cleanup_buffers), std::uint64_t(y.cancel.cleanup_buffers))) return false;
    for (unsigned i = 0; i < x.destructor_count; ++i)
      if (x.destructors[i].function != y.destructors[i].function ||
          !word(std::uint64_t(x.destructors[i].argument), std::uint64_t(y.destructors[i].argument)))
        return false;
    for (unsigned k = 0; k < key_count(); ++k)
      if (!word(std::uint64_t(x.keys[k]), std::uint64_t(y.keys[k]))) return false;
    if (!x.thread_locals != !y.thread_locals) return false;
    if (x.thread_locals && !contents({std::uintptr_t(x.thread_locals), modules().tls_variables_size},
                                     {std::uintptr_t(y.thread_locals), modules().tls_variables_size}))
      return false;
    for (unsigned i = 0;; ++i) {
      const LibraryLocals from = library_locals(x, i), to = library_locals(y, i);
      if (!from.address) break;
      if (memcmp(from.address, to.address, from.size)) return false;
    }
    return true;
  }

  // Both sides have an identity, so what follows is all there is.
  bool frames(const Thread& x, const Thread& y) {
    const auto *f = static_cast<const inspect_frame*>(x.frames), *g = static_cast<const inspect_frame*>(y.frames);
    if (!f || !g) {
      // Before its routine the thread is what it is given.
      const bool starting = x.pending.kind == INSPECT_OP_ThreadStart;
      return !f && !g && (!starting || (x.routine == y.routine && word(std::uint64_t(x.argument), std::uint64_t(y.argument))));
    }
    for (; f && g; f = f->previous, g = g->previous) {
      const inspect_point &p = f->function->points[f->point], &q = g->function->points[g->point];
      if (p.class_low != q.class_low || p.class_high != q.class_high || p.count != q.count) return false;
      for (unsigned i = 0; i < p.count; ++i) {
        const inspect_slot &from = f->function->slots[f->function->live[p.first + i]],
                           &to = g->function->slots[g->function->live[q.first + i]];
        if (from.size != to.size || !value(slot_of(*f, from), slot_of(*g, to))) return false;
      }
    }
    return !f && !g;
  }

  bool value(const FrameSlot& x, const FrameSlot& y) {
    return x.object ? relate(x.range, y.range, true) : contents(x.range, y.range);
  }

  // What is at the one place must be the mirror of what is at the other.
  bool contents(const Region& x, const Region& y) {
    std::uintptr_t p = x.begin, q = y.begin;
    if ((p ^ q) & 7) return false;
    std::size_t left = x.size;
    for (; left && p & 7; ++p, ++q, --left)
      if (*reinterpret_cast<const char*>(p) != *reinterpret_cast<const char*>(q)) return false;
    for (; left >= 8; p += 8, q += 8, left -= 8)
      if (!word(*reinterpret_cast<const std::uint64_t*>(p), *reinterpret_cast<const std::uint64_t*>(q))) return false;
    return !memcmp(reinterpret_cast<const void*>(p), reinterpret_cast<const void*>(q), left);
  }

  bool word(std::uint64_t x, std::uint64_t y) {
    if (x - kArenaBase < kArenaBytes) {
      Region from, to;
      if (!heap_object(x, from)) return x == y;
      return heap_object(y, to) && x - from.begin == y - to.begin && relate(from, to, true);
    }
    if (in_stacks(x)) return stack_word(x, y);
    if (x - kThreadLocalsBase < kThreadLocalsSlice * INSPECT_MAX_THREADS) {
      const std::uint64_t offset = x - kThreadLocalsBase, t = offset / kThreadLocalsSlice;
      return y == kThreadLocalsBase + mirror(unsigned(t)) * kThreadLocalsSlice + offset % kThreadLocalsSlice;
    }
    return x == y;
  }

  bool stack_word(std::uint64_t x, std::uint64_t y) {
    const unsigned t = unsigned((x - kStackBase) / kStackSlot);
    if ((x - kStackBase) % kStackSlot == 0) {  // a handle
      if (joins_ && (t == a_ || t == b_)) return x == y && note_joiner();
      return y == kStackBase + mirror(t) * kStackSlot;
    }
    Region from, to;
    if (!in_stacks(y) || (y - kStackBase) / kStackSlot != mirror(t)) return false;
    if (!find_stack_object(s_.threads[t], x, from)) return x == y && t == mirror(t);
    return find_stack_object(s_.threads[mirror(t)], y, to) && x - from.begin == y - to.begin && relate(from, to, true);
  }

  static bool heap_object(std::uint64_t address, Region& region) {
    HeapObject object;
    if (!find_heap_object(address, &object) || address < object.begin || address > object.begin + object.size) return false;
    region = {object.begin, object.freed ? 0 : object.size};
    return true;
  }

  // The objects are each other's mirrors.
  bool relate(const Region& x, const Region& y, bool compare) {
    if (x.size != y.size) return false;
    // So memory that is as it was where main starts need not be looked at: its addresses are their own mirrors.
    if (x.begin != y.begin && x.begin - kArenaBase < kArenaBytes && is_of_boot(x.begin)) return false;
    for (unsigned i = 0; i < pair_count_; ++i) {
      const Pair& p = scratch().pairs[i];
      const bool same = p.from.begin == x.begin && p.to.begin == y.begin;
      const bool reverse = p.from.begin == y.begin && p.to.begin == x.begin;
      if (same || reverse) return true;
      if (p.from.begin == x.begin || p.to.begin == y.begin || p.from.begin == y.begin || p.to.begin == x.begin) return false;
    }
    if (pair_count_ == kMostPairs) return false;
    scratch().pairs[pair_count_++] = {x, y};
    // What a thread that joins holds is compared at once, by its rule.
    return !joins_ || !compare || contents(x, y);
  }

  bool objects() {
    for (unsigned i = 0; i < pair_count_; ++i)
      if (!joined_object(scratch().pairs[i].from) && !contents(scratch().pairs[i].from, scratch().pairs[i].to)) return false;
    return true;
  }

  // In the frames of the thread that joins both: compared already.
  bool joined_object(const Region& r) const {
    return joiner_ != INSPECT_MAX_THREADS && in_stacks(r.begin) && (r.begin - kStackBase) / kStackSlot == joiner_;
  }

  const State& s_;
  unsigned a_, b_;
  unsigned joiner_ = INSPECT_MAX_THREADS, current_ = 0;
  bool joins_ = false;
  unsigned pair_count_ = 0;
};

void compare_threads(State& s) {
  for (unsigned b = 1; b < s.execution.thread_limit; ++b) {
    if (!s.execution.alive.has(b)) continue;
    for (unsigned a = 1; a < b; ++a) {
      if (!s.execution.alive.has(a)) continue;
      Swap swap(s, a, b);
      if (!swap.run()) continue;
      if (inspect_record* r = append_record(INSPECT_RECORD_SYMMETRIC_PAIR, std::uint8_t(b), s.current->pending)) {
        r->value = a;
        r->value2 = swap.joiner();
      }
    }
  }
}

}  // namespace

void log_symmetric_pairs() {
  State& s = state();
  const std::uint64_t begin = __builtin_ia32_rdtsc();
  if (s.execution.alive.count() > 1 && has_identity()) {
    if (!(s.request.message->flags & INSPECT_REQUEST_STATES)) find_addresses();
    compare_threads(s);
  }
  s.channel->twin_ticks += __builtin_ia32_rdtsc() - begin;
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

// Two addresses within one object, or of static objects, have an order of their own.
INSPECT_EXPORT void inspect_address_used(const void* first, const void* second) {
  if (!active() || state().channel->addresses_used) return;
  const auto moves = [](const void* p) {
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return address - kArenaBase < kArenaBytes || in_stacks(address) ||
           address - kThreadLocalsBase < kThreadLocalsSlice * INSPECT_MAX_THREADS;
  };
  const bool number_of_thread = std::uintptr_t(second) == 1;
  if (!number_of_thread && !moves(first) && !moves(second)) return;
  HeapObject x, y;
  const bool in_one = first && second && find_heap_object(std::uintptr_t(first), &x) &&
                      find_heap_object(std::uintptr_t(second), &y) && x.begin == y.begin && std::uintptr_t(first) >= x.begin &&
                      std::uintptr_t(second) >= x.begin && std::uintptr_t(first) <= x.begin + x.size &&
                      std::uintptr_t(second) <= x.begin + x.size;
  if (!in_one) state().channel->addresses_used = 1;
}
