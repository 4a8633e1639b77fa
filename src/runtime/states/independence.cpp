#include "runtime/states/independence.hpp"

#include <initializer_list>

#include "hooks/meaning.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/states/addresses.hpp"
#include "runtime/states/describer.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/object_numbers.hpp"
#include "runtime/upcalls/identities.hpp"

namespace inspect::runtime {
namespace {

// Who can reach an object: nobody so far, the thread 1 less, or several.
constexpr std::uint8_t kNobody = 0, kSeveral = 255;
static_assert(INSPECT_MAX_THREADS < kSeveral);

class Reach final : public Addresses {
 public:
  explicit Reach(const State& s) : s_(s) {}

  // False if it cannot be told.
  bool run() {
    if (exit_handlers_have_addresses() || exit_handlers_have_addresses_of_threads()) return false;
    from_ = kSeveral;
    MemoryHash rest;
    const auto line = [](void* self, std::uintptr_t begin, std::size_t size) {
      if (!mutated(Mutation::data_leads_nowhere)) static_cast<Reach*>(self)->contents(begin, size);
      return true;
    };
    if (!memory_hash_but_for_addresses(line, this, &rest)) return false;
    for (unsigned t = 0; t < s_.execution.thread_limit; ++t)
      // What a thread has returned is for others.
      if (!thread(t, s_.threads[t].status == ThreadStatus::alive ? std::uint8_t(t + 1) : kSeveral)) return false;
    for (bool again = true; again;) {
      again = false;
      for (unsigned t = 0; t < s_.execution.thread_limit; ++t) {
        if (!exposed_.has(t) || open_.has(t)) continue;
        open_.add(t);
        again = true;
        if (!thread(t, kSeveral)) return false;
      }
    }
    return !given_up_;
  }

  // Can no other thread come by the address of what is there?
  [[nodiscard]] bool is_private(std::uint64_t address, std::uint64_t size, unsigned thread) const {
    if (is_of_threads(address)) {
      const std::uint64_t slot = (address - kStackBase) / kStackSlot % INSPECT_MAX_THREADS;
      return slot == thread && (!exposed_.has(thread) || mutated(Mutation::stacks_are_private));
    }
    HeapObject object;
    if (!is_of_heap(address) || !find_heap_object(address, &object)) return false;
    if (address < object.begin || address + size > object.begin + object.size) return false;
    const std::uint32_t number = numbers_.met(object.begin);
    return number && numbers_.note(number) == thread + 1;
  }

  void word(std::uint64_t value) override {
    if (is_of_threads(value)) return thread_address(value);
    if (!is_of_heap(value)) return;
    HeapObject object;
    if (!find_heap_object(value, &object) || value < object.begin || value > object.begin + object.size) {
      given_up_ = true;
      return;
    }
    const std::uint32_t number = numbers_.of(object.begin);
    given_up_ |= !number;
    if (number) reach(number);
  }
  void bytes(const void* from, std::size_t size) override { contents(reinterpret_cast<std::uintptr_t>(from), size); }

 private:
  bool thread(unsigned t, std::uint8_t from) {
    from_ = from;
    StateHash unused;
    return Describer(s_, unused, this).thread(s_.threads[t]) && spread();
  }

  void thread_address(std::uint64_t value) {
    const std::uint64_t slot = (value - kStackBase) / kStackSlot, offset = (value - kStackBase) % kStackSlot;
    if (slot < INSPECT_MAX_THREADS && !offset) return;  // a handle
    const auto thread = unsigned(slot % INSPECT_MAX_THREADS);
    if (from_ != thread + 1) exposed_.add(thread);
  }

  void reach(std::uint32_t number) {
    std::uint8_t& who = numbers_.note(number);
    if (who == kSeveral || who == from_) return;
    who = who == kNobody ? from_ : kSeveral;
    if (left_count_ == kMostLeft) {
      given_up_ = true;
      return;
    }
    left_[left_count_++] = number;
  }

  // What the objects lead to that were reached.
  bool spread() {
    while (left_count_ && !given_up_) {
      const std::uint32_t number = left_[--left_count_];
      from_ = numbers_.note(number);
      HeapObject object;
      if (!find_heap_object(numbers_.begin(number), &object)) return false;
      if (!object.freed) contents(object.begin, object.size);
    }
    return !given_up_;
  }

  void contents(std::uintptr_t begin, std::size_t size) {
    const std::uintptr_t end = begin + size;
    for (std::uintptr_t at = (begin + 7) & ~std::uintptr_t{7}; at + 8 <= end; at += 8) {
      const std::uint64_t value = *reinterpret_cast<const std::uint64_t*>(at);
      if (is_of_heap(value) || is_of_threads(value))
        word(value);
      else if (value && (hides_address(at, begin, end, kTopOfHeap, is_of_heap) ||
                         hides_address(at, begin, end, kTopOfThreads, is_of_threads)))
        given_up_ = true;
    }
  }

  static constexpr unsigned kMostLeft = 1024;
  const State& s_;
  ObjectNumbers numbers_;
  Mask exposed_{}, open_{};  // an address of its stack is known to others; and what that leads to was looked at
  std::uint8_t from_ = kNobody;
  bool given_up_ = false;
  unsigned left_count_ = 0;
  std::uint32_t left_[kMostLeft];
};

bool is_independent(const State& s, const Thread& t, const Reach& reach) {
  const Operation& o = t.pending;
  // Who joins or detaches a joined thread too is wrong in any order.
  for (const inspect_kind always : {INSPECT_OP_ThreadStart, INSPECT_OP_ThreadJoin, INSPECT_OP_Choice, INSPECT_OP_Fence})
    if (o.kind == always) return true;
  if (o.kind == INSPECT_OP_ThreadExit)
    return !t.robust_mutexes && (!s.channel->thread_ends_seen || mutated(Mutation::ends_are_independent));
  if (mutated(Mutation::everything_is_independent)) return true;
  const bool waits = inspect_awaits(&o);  // object2 is a value
  return holds(Claim::confined, o.kind) && o.size && reach.is_private(o.object, o.size, t.id) &&
         (waits || !o.object2 || reach.is_private(o.object2, o.size2, t.id));
}

}  // namespace

Mask independent_threads(const State& s) {
  Mask independent{};
  if (s.execution.ending.begun || s.execution.time_used || s.own_stacks) return independent;
  Reach reach(s);
  if (!reach.run()) return independent;
  s.execution.enabled.for_each([&](unsigned t) {
    if (!s.threads[t].atomic_depth && is_independent(s, s.threads[t], reach)) independent.add(t);
  });
  return independent;
}

std::uint32_t allocations_so_far(const State& s) {
  std::uint32_t count = 0;
  for (unsigned t = 0; t < s.execution.thread_limit; ++t)
    count += arena_state().threads[t].small_count + arena_state().threads[t].large_count;
  return count;
}

}  // namespace inspect::runtime
