#include "runtime/memory/stack_objects.hpp"

#include <gtest/gtest.h>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/liveness.hpp"
#include "stub.hpp"

extern "C" {
void inspect_stack_begin(const void*, std::size_t, const void*);
void inspect_stack_free(const void*, std::size_t, const void*);
}

namespace inspect::runtime {
namespace {

constexpr std::uintptr_t kTop = kStackBase + 2 * kStackSlot;  // of thread 1's stack
constexpr std::uintptr_t kObject = kTop - 1000;

void* pointer(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

class StackObjects : public testing::Test {
 protected:
  void SetUp() override {
    map_state();
    map_memory_regions();
    state().running = true;
    state().recording = false;
    state().execution.thread_limit = 2;
    test::switch_to(1);
    reset_stack_objects();
    state().threads[1].status = ThreadStatus::alive;
  }
  void TearDown() override {
    state().threads[1].status = ThreadStatus::unused;
    test::switch_to(0);
    state().threads[1].stack.frame = nullptr;
  }
  // Thread 0 looks, while the innermost frame of thread 1 is there.
  static MemoryFault seen(std::uintptr_t address, std::size_t size, std::uintptr_t frame = kTop - 64) {
    test::switch_to(0);
    state().threads[1].stack.frame = pointer(frame);
    const MemoryFault fault = check_access(address, size);
    test::switch_to(1);
    return fault;
  }
};

TEST_F(StackObjects, AreDeadFromTheirEndToTheNextBegin) {
  EXPECT_EQ(seen(kObject, 4), MemoryFault::none);
  inspect_stack_begin(pointer(kObject), 4, nullptr);
  EXPECT_EQ(seen(kObject, 4), MemoryFault::none);
  inspect_stack_free(pointer(kObject), 4, nullptr);
  EXPECT_EQ(seen(kObject, 4), MemoryFault::function_returned);
  inspect_stack_begin(pointer(kObject), 4, nullptr);
  EXPECT_EQ(seen(kObject, 4), MemoryFault::none);
}

TEST_F(StackObjects, EndToTheByte) {
  for (std::size_t offset = 0; offset < 8; ++offset)
    for (std::size_t size = 1; size < 40; ++size) {
      const std::uintptr_t begin = kTop - 256 + offset;
      inspect_stack_free(pointer(begin), size, nullptr);
      EXPECT_EQ(seen(begin - 1, 1), MemoryFault::none);
      EXPECT_EQ(seen(begin + size, 1), MemoryFault::none);
      for (std::size_t i = 0; i < size; ++i) EXPECT_NE(seen(begin + i, 1), MemoryFault::none);
      inspect_stack_begin(pointer(begin), size, nullptr);
      EXPECT_EQ(seen(begin - 8, size + 16), MemoryFault::none);
    }
}

TEST_F(StackObjects, LeftWithoutAWord) {
  inspect_stack_begin(pointer(kObject), 4, nullptr);
  inspect_stack_begin(pointer(kObject + 100), 4, nullptr);
  leave_stack_below(kObject + 50, 0);
  EXPECT_EQ(seen(kObject, 4), MemoryFault::function_left);
  EXPECT_EQ(seen(kObject + 100, 4), MemoryFault::none);
}

TEST_F(StackObjects, AFunctionThatIsNotKnownMayStandThereNow) {
  inspect_stack_free(pointer(kObject), 4, nullptr);
  EXPECT_EQ(seen(kObject, 4, 0), MemoryFault::none);
}

TEST_F(StackObjects, AThreadThatHasEnded) {
  state().threads[1].status = ThreadStatus::ended;
  EXPECT_EQ(seen(kObject, 4), MemoryFault::thread_ended);
  EXPECT_EQ(seen(kThreadLocalsBase + kThreadLocalsSlice, 4), MemoryFault::thread_ended);
  EXPECT_EQ(check_access(kObject, 4), MemoryFault::none);  // its own last destructors
}

TEST_F(StackObjects, AreForgottenWithTheExecution) {
  inspect_stack_begin(pointer(kObject), 4, nullptr);
  inspect_stack_free(pointer(kObject), 4, nullptr);
  reset_stack_objects();
  EXPECT_EQ(seen(kObject, 4), MemoryFault::none);
}

}  // namespace
}  // namespace inspect::runtime
