#include "runtime/states/canonical_heap.hpp"

#include <string.h>

#include "runtime/memory/arena.hpp"
#include "runtime/states/memory_hash.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint32_t kMostObjects = 1u << 16, kSlots = 2 * kMostObjects;

// Behind what symmetric_pairs.cpp keeps.
struct Objects {
  std::uint32_t slots[kSlots];          // 1 + number
  std::uintptr_t begins[kMostObjects];  // by number
};
constexpr std::uintptr_t kObjects = kSymmetryScratch + (1ul << 20);
static_assert(kObjects + sizeof(Objects) <= kArenaState + (16ul << 20));
Objects& all() { return *reinterpret_cast<Objects*>(kObjects); }

std::uint32_t& slot_of(std::uintptr_t begin) {
  std::uint64_t i = (begin >> 3) * 0x9E3779B97F4A7C15ull >> 40;
  for (;; ++i) {
    std::uint32_t& slot = all().slots[i % kSlots];
    if (!slot || all().begins[slot - 1] == begin) return slot;
  }
}

bool has_byte(std::uint64_t word, std::uint8_t byte) {
  constexpr std::uint64_t ones = 0x0101010101010101ull;
  const std::uint64_t zeroes = word ^ ones * byte;
  return (zeroes - ones) & ~zeroes & ones * 0x80;
}

}  // namespace

CanonicalHeap::CanonicalHeap(StateHash& hash) : hash_(hash) { hash_.word(0x68656170); }  // no other identity begins so

CanonicalHeap::~CanonicalHeap() {
  // In the opposite order, so that each is found.
  while (count_) slot_of(all().begins[--count_]) = 0;
}

// Objects of constructors lie at the same place in every execution: they are data.
bool CanonicalHeap::is_of_heap(std::uint64_t value) { return value - kArenaBase < kArenaBytes && !is_of_boot(value); }

void CanonicalHeap::word(std::uint64_t value) {
  const bool of_heap = is_of_heap(value);
  hash_.word(of_heap);
  of_heap ? address(value) : hash_.word(value);
}

void CanonicalHeap::address(std::uint64_t value) {
  HeapObject object;
  if (!find_heap_object(value, &object) || value < object.begin || value > object.begin + object.size) {
    given_up_ = true;  // beyond any object: which one it belongs to is not known
    return;
  }
  hash_.word(number_of(object.begin) | (value - object.begin) << 32);
}

std::uint32_t CanonicalHeap::number_of(std::uintptr_t begin) {
  std::uint32_t& slot = slot_of(begin);
  if (slot) return slot;
  if (count_ == kMostObjects) {
    given_up_ = true;
    return 0;
  }
  all().begins[count_] = begin;
  return slot = ++count_;
}

void CanonicalHeap::bytes(const void* from, std::size_t size) {
  hash_.word(size);
  contents(reinterpret_cast<std::uintptr_t>(from), size, false);
}

// One that stands at no multiple of eight.
bool CanonicalHeap::hides_address(std::uintptr_t at, std::uintptr_t begin, std::uintptr_t end) {
  constexpr std::uint8_t kTop = kArenaBase >> 40;
  static_assert(kArenaBytes <= 1ull << 40 && kArenaBase == std::uintptr_t{kTop} << 40);
  if (!has_byte(*reinterpret_cast<const std::uint64_t*>(at), kTop)) return false;
  // Its byte is in this word: it begins in this one or in the one before.
  for (std::uintptr_t p = at - begin < 7 ? begin : at - 7; p < at + 8 && p + 8 <= end; ++p) {
    if (p % 8 == 0) continue;
    std::uint64_t window;
    memcpy(&window, reinterpret_cast<const void*>(p), sizeof window);
    if (is_of_heap(window)) return true;
  }
  return false;
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
      if (is_of_heap(value))
        addresses |= 1ull << i;
      else if (hides_address(at + 8 * i, begin, end))
        given_up_ = true;
    }
    hash_.word(addresses);
    for (std::size_t i = 0; i < count; ++i) {
      if (addresses >> i & 1)
        address(words[i]);
      else
        hash_.word(of_heap ? without_mark(at + 8 * i, words[i], is_sync_object) : words[i]);
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
  hash_.word(rest.low);
  hash_.word(rest.high);
}

void CanonicalHeap::objects() {
  // Others are met on the way.
  for (std::uint32_t i = 0; i < count_ && !given_up_; ++i) {
    const std::uintptr_t begin = all().begins[i];
    HeapObject object;
    if (!find_heap_object(begin, &object)) return give_up();
    hash_.word(object.size | std::uint64_t(object.freed) << 63);
    if (object.freed) continue;
    const ObjectRecord* const record = arena_object(begin);
    hash_.word(record ? record->family : 0);
    contents(begin, object.size, true);
  }
  hash_.word(count_);
}

}  // namespace inspect::runtime
