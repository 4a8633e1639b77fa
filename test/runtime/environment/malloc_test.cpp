#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/race.hpp"
#include "stub.hpp"

extern "C" {
void* program_malloc(std::size_t);
void program_free(void*);
void* program_calloc(std::size_t, std::size_t);
void* program_realloc(void*, std::size_t);
void* program_reallocarray(void*, std::size_t, std::size_t);
void* program_memalign(std::size_t, std::size_t);
void* program_aligned_alloc(std::size_t, std::size_t);
int program_posix_memalign(void**, std::size_t, std::size_t);
void* program_valloc(std::size_t);
void* program_pvalloc(std::size_t);
std::size_t program_malloc_usable_size(void*);
}

namespace inspect::runtime {
namespace {

using namespace test;

std::uintptr_t number(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

template <class E, class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const E& e) {
    return e.what();
  }
  return "nothing";
}

TEST(Malloc, FamilyReturnsAlignedLiveMemory) {
  begin();
  EXPECT_EQ(check_access(number(program_malloc(24)), 24), MemoryFault::none);
  EXPECT_NE(program_malloc(0), nullptr);
  EXPECT_NE(program_malloc(0), program_malloc(0));
  EXPECT_EQ(check_access(number(program_calloc(3, 8)), 24), MemoryFault::none);
  EXPECT_EQ(number(program_memalign(100, 8)) % 128, 0u);
  EXPECT_EQ(number(program_aligned_alloc(256, 8)) % 256, 0u);
  EXPECT_EQ(number(program_valloc(8)) % 4096, 0u);
  void* p = program_pvalloc(8);
  EXPECT_EQ(number(p) % 4096, 0u);
  EXPECT_EQ(program_malloc_usable_size(p), 4096u);
  EXPECT_EQ(program_posix_memalign(&p, 64, 8), 0);
  EXPECT_EQ(number(p) % 64, 0u);
  EXPECT_EQ(program_posix_memalign(&p, 24, 8), EINVAL);
  EXPECT_EQ(program_posix_memalign(&p, 4, 8), EINVAL);
  EXPECT_EQ(program_malloc_usable_size(nullptr), 0u);
  program_free(nullptr);
}

TEST(Malloc, ImpossibleSizesFailAsTheyDoEverywhere) {
  begin();
  errno = 0;
  EXPECT_EQ(program_malloc(SIZE_MAX), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ(program_calloc(SIZE_MAX, 2), nullptr);
  EXPECT_EQ(program_pvalloc(SIZE_MAX), nullptr);
  void* p = program_malloc(8);
  EXPECT_EQ(program_realloc(p, SIZE_MAX), nullptr);
  EXPECT_EQ(program_reallocarray(p, SIZE_MAX, 2), nullptr);
  program_free(p);
}

TEST(Malloc, ExhaustionIsALimitAndNotAFailure) {
  begin();
  EXPECT_THROW(program_malloc(1ul << 40), Limit);
}

TEST(Malloc, MisuseIsAMemoryError) {
  begin();
  char* const p = static_cast<char*>(program_malloc(20));
  EXPECT_EQ(message_of<Bug>([&] { program_free(p + 4); }), "free of a pointer 4 bytes into a heap object of 20 bytes");
  int local;
  EXPECT_EQ(message_of<Bug>([&] { program_free(&local); }), "free of a pointer that no allocation returned");
  program_free(p);
  EXPECT_EQ(message_of<Bug>([&] { program_free(p); }), "free of a heap object of 20 bytes that is already freed");
  EXPECT_EQ(message_of<Bug>([&] { program_realloc(p, 8); }), "realloc of a heap object of 20 bytes that is already freed");
}

TEST(Malloc, OutsideExecutionsUnknownPointersArePassedOver) {
  begin();
  stop_running();
  int local;
  program_free(&local);
  program_free(program_malloc(3));
  EXPECT_EQ(program_malloc_usable_size(&local), 0u);
}

TEST(Malloc, ReallocMovesFirstThenGrowsInItsReserve) {
  begin();
  char* const p = static_cast<char*>(program_malloc(8));
  std::strcpy(p, "content");
  char* const q = static_cast<char*>(program_realloc(p, 100));
  EXPECT_NE(p, q);
  EXPECT_STREQ(q, "content");
  EXPECT_EQ(check_access(number(p), 1), MemoryFault::freed);
  EXPECT_EQ(check_access(number(q), 100), MemoryFault::none);
  EXPECT_EQ(check_access(number(q), 101), MemoryFault::overflow);
  EXPECT_EQ(program_realloc(q, 150), q);
  EXPECT_EQ(check_access(number(q), 150), MemoryFault::none);
  EXPECT_EQ(program_realloc(q, 10), q);
  EXPECT_EQ(check_access(number(q), 11), MemoryFault::overflow);
  EXPECT_EQ(program_realloc(q, 0), nullptr);
  EXPECT_EQ(check_access(number(q), 1), MemoryFault::freed);
}

TEST(Malloc, ALoopOfReallocsUsesLinearMemory) {
  begin();
  void* p = nullptr;
  for (std::size_t size = 1; size < 300000; size += 7) {
    p = program_realloc(p, size);
    static_cast<char*>(p)[size - 1] = 'x';
  }
  EXPECT_LT(arena_state().threads[0].small_break + arena_state().threads[0].large_break - 2 * kArenaBase - kSmallBytes,
            8ul << 20);
}

TEST(Malloc, FreeIsVisibleWhenAccessesAre) {
  begin();
  void* const p = program_malloc(20);
  program_free(program_malloc(4));
  EXPECT_TRUE(announced().empty());
  state().points = Points::shared;
  program_free(p);
  ASSERT_EQ(announced().size(), 1u);
  EXPECT_EQ(announced()[0].kind, INSPECT_OP_Free);
  EXPECT_EQ(announced()[0].object, number(p));
  EXPECT_EQ(announced()[0].size, 20u);
}

void* contended;
TEST(Malloc, ADoubleFreeAcrossTheSchedulingPointIsSeen) {
  begin();
  state().points = Points::shared;
  contended = program_malloc(20);
  set_interlude([] {
    set_interlude(nullptr);
    switch_to(1);
    program_free(contended);
    switch_to(0);
  });
  EXPECT_THROW(program_free(contended), Bug);
}

TEST(Malloc, FreeUnorderedWithAnAccessIsARaceWithFree) {
  begin();
  void* const p = program_malloc(64);
  race_thread_created(0, 1);
  ASSERT_TRUE(race_access(1, number(p) + 60, 4, false, 5));
  EXPECT_THROW(program_free(p), Race);
  EXPECT_TRUE(race_report().with_free);
  EXPECT_EQ(race_report().address, number(p) + 60);
  EXPECT_EQ(race_report().other_site, 5u);
}

TEST(Malloc, ShrinkingUnorderedWithAnAccessToTheTailIsARace) {
  begin();
  void* const p = program_malloc(64);
  race_thread_created(0, 1);
  ASSERT_TRUE(race_access(1, number(p), 4, false, 5));
  ASSERT_TRUE(race_access(1, number(p) + 40, 4, false, 5));
  EXPECT_THROW(program_realloc(p, 32), Race);
}

}  // namespace
}  // namespace inspect::runtime
