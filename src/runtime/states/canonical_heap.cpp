#include "runtime/states/canonical_heap.hpp"

#include "runtime/platform/mutation.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/stack_objects.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

// What comes before the description of an address.
enum Tag : std::uint64_t { kNoAddress, kOfHeap, kOfStack, kOfThreadLocals, kHandle, kHandleInRow };

}  // namespace

CanonicalHeap::CanonicalHeap(StateHash& hash, const ThreadNames* names) : hash_(hash), names_(names) {
  hash_.word(names ? 0x74687264 : 0x68656170);  // no other identity begins so
}

void CanonicalHeap::word(std::uint64_t value) {
  if (moves(value)) return address(value);
  hash_.word(kNoAddress);
  hash_.word(value);
}

void CanonicalHeap::address(std::uint64_t value) {
  if (!is_of_heap(value)) return thread_address(value);
  HeapObject object;
  if (!find_heap_object(value, &object) || value < object.begin || value > object.begin + object.size) {
    given_up_ = true;  // beyond any object: which one it belongs to is not known
    return;
  }
  const std::uint32_t number = numbers_.of(object.begin);
  given_up_ |= !number;
  hash_.word(kOfHeap);
  hash_.word(number | (value - object.begin) << 32);
}

void CanonicalHeap::thread_address(std::uint64_t value) {
  const std::uint64_t slot = (value - kStackBase) / kStackSlot, offset = (value - kStackBase) % kStackSlot;
  const auto thread = unsigned(slot % INSPECT_MAX_THREADS);
  const bool on_stack = slot < INSPECT_MAX_THREADS;
  Tag tag = on_stack ? kOfStack : kOfThreadLocals;
  if (on_stack && !offset) {
    if (joins_ && names_->joined_in_row.has(thread)) return hash_.word(kHandleInRow);
    tag = kHandle;
    if (mutated(Mutation::handles_do_not_matter)) return hash_.word(kHandle);
    pinned_.add(thread);
  } else if (on_stack) {
    MemoryRange range;
    const Thread& t = state().threads[thread];
    if (t.status != ThreadStatus::alive || !find_stack_object(t, value, range)) pinned_.add(thread);
  }
  hash_.word(tag);
  hash_.word(names_->of[thread] | offset << 8);
}

void CanonicalHeap::bytes(const void* from, std::size_t size) {
  hash_.word(size);
  contents(reinterpret_cast<std::uintptr_t>(from), size, false);
}

// One that stands at no multiple of eight.
bool CanonicalHeap::hides_address(std::uintptr_t at, std::uintptr_t begin, std::uintptr_t end) const {
  return runtime::hides_address(at, begin, end, kTopOfHeap, is_of_heap) ||
         (names_ && runtime::hides_address(at, begin, end, kTopOfThreads, is_of_threads));
}

std::uint64_t CanonicalHeap::plain(std::uintptr_t at, std::uint64_t word, bool of_heap) const {
  if (names_)
    if (const Operation* const object = sync_object_at(at)) word = with_names(*object, at, word, *names_);
  return of_heap || (names_ && is_of_threads(at)) ? without_mark(at, word, is_sync_object) : word;
}

// The words that are addresses are told first, so that no number is taken for one.
void CanonicalHeap::contents(std::uintptr_t begin, std::size_t size, bool of_heap) {
  constexpr std::size_t kGroup = 64;
  const std::uintptr_t end = begin + size;
  const std::uintptr_t first = (begin + 7) & ~std::uintptr_t{7};
  if (first >= end) return hash_.bytes(reinterpret_cast<const void*>(begin), size);
  if (first != begin) hash_.bytes(reinterpret_cast<const void*>(begin), first - begin);
  std::uintptr_t at = first;
  while (at + 8 <= end) {
    const std::size_t left = (end - at) / 8, count = left < kGroup ? left : kGroup;
    const auto* words = reinterpret_cast<const std::uint64_t*>(at);
    std::uint64_t addresses = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t value = words[i];
      if (!value) continue;
      if (moves(value))
        addresses |= 1ull << i;
      else if (hides_address(at + 8 * i, begin, end))
        given_up_ = true;
    }
    hash_.word(addresses);
    for (std::size_t i = 0; i < count; ++i) {
      if (addresses >> i & 1)
        address(words[i]);
      else
        hash_.word(plain(at + 8 * i, words[i], of_heap));
    }
    at += 8 * count;
  }
  if (at < end) hash_.bytes(reinterpret_cast<const void*>(at), end - at);
}

void CanonicalHeap::data() {
  const auto line = [](void* self, std::uintptr_t begin, std::size_t size) {
    auto& heap = *static_cast<CanonicalHeap*>(self);
    heap.hash_.word(begin);
    heap.contents(begin, size, false);
    return !heap.given_up_;
  };
  MemoryHash rest;
  if (!memory_hash_but_for_addresses(line, this, &rest)) given_up_ = true;
  hash_.summary(rest.low, rest.high);
  if (hash_.has_words() && !given_up_) describe_memory_but_for_addresses(hash_);
}

void CanonicalHeap::objects() {
  // Others are met on the way.
  for (std::uint32_t i = 1; i <= numbers_.count() && !given_up_; ++i) {
    const std::uintptr_t begin = numbers_.begin(i);
    HeapObject object;
    if (!find_heap_object(begin, &object)) return give_up();
    hash_.word(object.size | std::uint64_t(object.freed) << 63);
    if (object.freed) continue;
    const ObjectRecord* const record = arena_object(begin);
    hash_.word(record ? record->family : 0);
    contents(begin, object.size, true);
  }
  hash_.word(numbers_.count());
}

}  // namespace inspect::runtime
