#include "runtime/memory/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "stub.hpp"

namespace inspect::runtime {
namespace {

using test::begin;
using test::switch_to;

std::uintptr_t allocate(std::size_t size, std::size_t alignment = 16) {
  return reinterpret_cast<std::uintptr_t>(arena_allocate(size, alignment, 1));
}
bool all_zero(std::uintptr_t p, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    if (reinterpret_cast<const char*>(p)[i]) return false;
  return true;
}
void* pointer(std::uintptr_t p) { return reinterpret_cast<void*>(p); }

TEST(Arena, AddressesDependOnThreadAndItsOwnSequenceOnly) {
  begin();
  const auto a = allocate(10), b = allocate(100000);
  switch_to(3);
  const auto c = allocate(24), d = allocate(1);
  begin();
  switch_to(3);
  EXPECT_EQ(allocate(24), c);
  switch_to(0);
  EXPECT_EQ(allocate(10), a);
  switch_to(3);
  EXPECT_EQ(allocate(1), d);
  switch_to(0);
  EXPECT_EQ(allocate(100000), b);
}

TEST(Arena, NeverReusesWithinAnExecution) {
  begin();
  std::vector<std::uintptr_t> seen;
  for (int i = 0; i < 100; ++i) {
    const auto p = allocate(32);
    for (const auto q : seen) EXPECT_GE(p, q + 32 + kRedZone);
    seen.push_back(p);
    EXPECT_TRUE(arena_free(pointer(p), 0, 2));
  }
}

TEST(Arena, MemoryIsZeroAgainAfterReset) {
  for (const std::size_t size : {1ul, 31ul, 5000ul, 40000ul, 300000ul, 3000000ul}) {
    begin();
    const auto p = allocate(size);
    ASSERT_TRUE(all_zero(p, size)) << size;
    std::memset(pointer(p), 0xAB, size);
    begin();
    ASSERT_EQ(allocate(size), p);
    EXPECT_TRUE(all_zero(p, size)) << size;
  }
}

TEST(Arena, LivenessIsExactToTheByte) {
  for (std::size_t size = 0; size < 200; ++size) {
    begin();
    allocate(1);
    const auto p = allocate(size), next = allocate(8);
    for (std::size_t n : {1, 2, 3, 4, 8, 16, 40}) {
      for (std::size_t at = 0; at < size + 2 * n && p + at < next; ++at) {
        const bool inside = at + n <= size;
        ASSERT_EQ(check_access(p + at, n) == MemoryFault::none, inside) << size << " " << at << " " << n;
      }
      ASSERT_EQ(check_access(p - 1, n), MemoryFault::overflow);
    }
    EXPECT_EQ(check_access(next + 8, 1), MemoryFault::overflow);
    EXPECT_EQ(check_access(next + 4096, 1), MemoryFault::wild);
    EXPECT_EQ(check_access(p, 0), MemoryFault::none);
  }
}

TEST(Arena, LivenessOfLargeObjects) {
  begin();
  for (const std::size_t size : {40000ul, 65536ul, 65530ul, 1000001ul}) {
    const auto p = allocate(size);
    EXPECT_EQ(check_access(p, size), MemoryFault::none);
    EXPECT_EQ(check_access(p + size - 1, 1), MemoryFault::none);
    EXPECT_EQ(check_access(p + size, 1), MemoryFault::overflow);
    EXPECT_EQ(check_access(p + size - 4, 8), MemoryFault::overflow);
    EXPECT_EQ(check_access(p + size + kRedZone - 1, 1), MemoryFault::overflow);
    EXPECT_EQ(check_access(p - 1, 1), MemoryFault::overflow);
    EXPECT_TRUE(arena_free(pointer(p), 0, 2));
    EXPECT_EQ(check_access(p + 100, 1), MemoryFault::freed);
  }
  EXPECT_EQ(check_access(kArenaBase + kArenaSlice - 8, 8), MemoryFault::wild);
  EXPECT_EQ(check_access(kArenaBase + 7 * kArenaSlice + 64, 8), MemoryFault::wild);
}

TEST(Arena, FreedMemoryStaysDead) {
  begin();
  const auto p = allocate(20), q = allocate(20);
  EXPECT_TRUE(arena_free(pointer(p), 5, 9));
  EXPECT_EQ(check_access(p, 1), MemoryFault::freed);
  EXPECT_EQ(check_access(p + 19, 1), MemoryFault::freed);
  EXPECT_EQ(check_access(p + 20, 1), MemoryFault::overflow);
  EXPECT_EQ(check_access(q, 20), MemoryFault::none);
  for (int i = 0; i < 50; ++i) allocate(20);
  EXPECT_EQ(check_access(p, 8), MemoryFault::freed);
  begin();
  EXPECT_EQ(check_access(p, 1), MemoryFault::wild);
}

TEST(Arena, MisuseIsTold) {
  begin();
  const auto p = allocate(20), large = allocate(200000);
  FreeFault fault;
  EXPECT_FALSE(arena_free(pointer(p + 4), 0, 1, &fault));
  EXPECT_EQ(fault, FreeFault::interior);
  EXPECT_FALSE(arena_free(pointer(p + 16), 0, 1, &fault));
  EXPECT_EQ(fault, FreeFault::interior);
  EXPECT_FALSE(arena_free(pointer(large + 65536), 0, 1, &fault));
  EXPECT_EQ(fault, FreeFault::interior);
  EXPECT_FALSE(arena_free(pointer(p + 4096), 0, 1, &fault));
  EXPECT_EQ(fault, FreeFault::not_heap);
  EXPECT_FALSE(arena_free(&fault, 0, 1, &fault));
  EXPECT_EQ(fault, FreeFault::not_heap);
  EXPECT_TRUE(arena_free(pointer(p), 0, 1, &fault));
  EXPECT_FALSE(arena_free(pointer(p), 0, 1, &fault));
  EXPECT_EQ(fault, FreeFault::double_free);
  EXPECT_TRUE(arena_free(pointer(large), 0, 1, &fault));
  EXPECT_FALSE(arena_free(pointer(large), 0, 1, &fault));
  EXPECT_EQ(fault, FreeFault::double_free);
}

TEST(Arena, StaleNumbersOfEarlierExecutionsMeanNothing) {
  begin();
  allocate(16);
  const auto second = allocate(16);
  begin();
  EXPECT_FALSE(arena_free(pointer(second), 0, 1));
  const auto big = allocate(160);
  EXPECT_FALSE(arena_free(pointer(second), 0, 1));  // now inside another object
  EXPECT_TRUE(arena_free(pointer(big), 0, 1));
}

TEST(Arena, AnotherThreadMayFree) {
  begin();
  const auto p = allocate(16);
  switch_to(2);
  EXPECT_TRUE(arena_free(pointer(p), 2, 33));
  HeapObject o;
  ASSERT_TRUE(find_heap_object(p + 3, &o));
  EXPECT_TRUE(o.freed);
  EXPECT_EQ(o.free_thread, 2);
  EXPECT_EQ(o.free_site, 33u);
  EXPECT_EQ(o.allocator_thread, 0);
  EXPECT_EQ(o.begin, p);
  EXPECT_EQ(o.size, 16u);
}

TEST(Arena, FindsTheNearestObject) {
  begin();
  const auto p = allocate(100), q = allocate(100);
  HeapObject o;
  ASSERT_TRUE(find_heap_object(p + 101, &o));
  EXPECT_EQ(o.begin, p);
  ASSERT_TRUE(find_heap_object(q - 1, &o));
  EXPECT_EQ(o.begin, q);
  ASSERT_TRUE(find_heap_object(p - 1, &o));
  EXPECT_EQ(o.begin, p);
  EXPECT_FALSE(find_heap_object(q + (10 << 20), &o));
  EXPECT_FALSE(find_heap_object(0x1234, &o));
  EXPECT_FALSE(find_heap_object(kArenaBase + 9 * kArenaSlice + 100, &o));
  const auto large = allocate(100000);
  ASSERT_TRUE(find_heap_object(large + 99999, &o));
  EXPECT_EQ(o.begin, large);
}

TEST(Arena, Alignments) {
  begin();
  for (std::size_t alignment = 16; alignment <= 1ul << 22; alignment <<= 1) {
    const auto p = allocate(33, alignment);
    EXPECT_EQ(p % alignment, 0u);
    EXPECT_EQ(check_access(p, 33), MemoryFault::none);
    EXPECT_EQ(check_access(p + 33, 1), MemoryFault::overflow);
  }
}

TEST(Arena, AnExhaustedSliceIsNull) {
  begin();
  EXPECT_EQ(allocate(kArenaSlice), 0u);
  EXPECT_EQ(allocate(1ul << 50), 0u);
  EXPECT_EQ(allocate(16, 1ul << 40), 0u);
  std::size_t total = 0;
  while (allocate(512ul << 20)) total += 512ul << 20;
  EXPECT_GE(total, 2ul << 30);
  EXPECT_NE(allocate(16), 0u);
  switch_to(1);
  EXPECT_NE(allocate(512ul << 20), 0u);
  begin();
  EXPECT_NE(allocate(512ul << 20), 0u);
}

TEST(Arena, SnapshotIsRestoredWithContentSizesAndLiveness) {
  begin();
  const auto kept = allocate(50), freed = allocate(24), large = allocate(100000),
             grown = [] { return reinterpret_cast<std::uintptr_t>(arena_allocate(10, 16, 1, 100)); }();
  ASSERT_TRUE(arena_free(pointer(freed), 0, 1));
  std::strcpy(static_cast<char*>(pointer(kept)), "kept");
  std::strcpy(static_cast<char*>(pointer(large + 90000)), "large");
  const ArenaState before = arena_state();
  arena_snapshot();
  for (int round = 0; round < 3; ++round) {
    begin();
    EXPECT_STREQ(static_cast<char*>(pointer(kept)), "kept");
    EXPECT_STREQ(static_cast<char*>(pointer(large + 90000)), "large");
    EXPECT_EQ(check_access(kept, 50), MemoryFault::none);
    EXPECT_EQ(check_access(kept, 51), MemoryFault::overflow);
    EXPECT_EQ(check_access(freed, 1), MemoryFault::freed);
    EXPECT_EQ(check_access(grown, 11), MemoryFault::overflow);
    std::memset(pointer(kept), 1, 50);
    std::memset(pointer(large), 1, 100000);
    ObjectRecord* r;
    ASSERT_EQ(arena_lookup(pointer(grown), &r), FreeFault::none);
    EXPECT_TRUE(arena_resize(*r, 90));
    EXPECT_EQ(check_access(grown, 90), MemoryFault::none);
    EXPECT_TRUE(arena_free(pointer(kept), 0, 1));
    EXPECT_TRUE(arena_free(pointer(large), 0, 1));
    allocate(1000);
    switch_to(4);
    allocate(77);
  }
  // Leaves the arena empty for the other tests.
  arena_reset();
  ArenaState& s = arena_state();
  EXPECT_EQ(s.threads[0].small_break, before.threads[0].small_break);
  s.snapshot[0] = {kArenaBase + kRedZone, kArenaBase + kSmallBytes + kLargeChunk, 0, 0};
  s.snapshot_threads[0] = 0;
  s.used[0] = 1;
  arena_reset();
}

TEST(Arena, ResizesWithinTheReserve) {
  begin();
  const auto p = reinterpret_cast<std::uintptr_t>(arena_allocate(20, 16, 1, 64));
  ObjectRecord* r;
  ASSERT_EQ(arena_lookup(pointer(p), &r), FreeFault::none);
  for (const std::size_t size : {64ul, 5ul, 33ul, 0ul, 64ul, 8ul}) {
    EXPECT_TRUE(arena_resize(*r, size));
    EXPECT_EQ(check_access(p, size), MemoryFault::none);
    EXPECT_EQ(check_access(p + size, 1), MemoryFault::overflow);
  }
  EXPECT_FALSE(arena_resize(*r, 65));
}

// Random allocations, frees and resizes against a plain list of intervals.
TEST(Arena, RandomAgainstAModel) {
  std::mt19937 random(1);
  struct Model {
    std::uintptr_t begin;
    std::size_t size;
    bool freed;
  };
  for (int round = 0; round < 300; ++round) {
    begin();
    std::vector<Model> objects;
    for (int step = 0; step < 60; ++step) {
      switch_to(random() % 4 * 40);
      if (random() % 3 || objects.empty()) {
        const std::size_t size = random() % 10 ? random() % 100 : random() % 200000;
        const auto p = allocate(size, 16ul << (random() % 4));
        for (const Model& o : objects) ASSERT_TRUE(p + size + kRedZone <= o.begin || o.begin + o.size + kRedZone <= p);
        ASSERT_TRUE(all_zero(p, size));
        std::memset(pointer(p), 0x55, size);
        objects.push_back({p, size, false});
      } else {
        Model& o = objects[random() % objects.size()];
        EXPECT_EQ(arena_free(pointer(o.begin), 0, 1), !o.freed);
        o.freed = true;
      }
      for (int probe = 0; probe < 10; ++probe) {
        const Model& o = objects[random() % objects.size()];
        const std::uintptr_t a = o.begin + random() % (o.size + kRedZone) - random() % 4;
        const std::size_t n = 1 + random() % 20;
        const bool inside = !o.freed && a >= o.begin && a + n <= o.begin + o.size;
        ASSERT_EQ(check_access(a, n) == MemoryFault::none, inside);
      }
    }
  }
}

}  // namespace
}  // namespace inspect::runtime
