#include "process/memory.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inspect::process {
namespace {

constexpr std::uint64_t kBytes = 32ull << 20;

void* touched(int descriptor) {
  void* const at =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, descriptor < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, descriptor, 0);
  for (std::uint64_t i = 0; i < kBytes; i += 4096) static_cast<volatile char*>(at)[i] = 1;
  return at;
}

// A child that waits, with the same descriptors.
class Child {
 public:
  Child() : pid_(fork()) {
    while (pid_ == 0) pause();
  }
  ~Child() { end(); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  void end() {
    if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST(Memory, WhatThisProcessTakesCounts) {
  const std::uint64_t before = own_memory();
  void* const at = touched(-1);
  EXPECT_GE(own_memory(), before + kBytes / 2);
  munmap(at, kBytes);
  EXPECT_LT(own_memory(), before + kBytes / 2);
}

TEST(Memory, TheLatestChildIsFoundAsLongAsItLives) {
  EXPECT_EQ(child_of(getpid()), 0);
  Child child;
  EXPECT_EQ(child_of(getpid()), child.pid());
  EXPECT_GT(memory_of(child.pid(), -1), 0u);
  EXPECT_GE(peak_memory_of(child.pid()), 4096u);
  const pid_t ended = child.pid();
  child.end();
  EXPECT_EQ(child_of(getpid()), 0);
  EXPECT_EQ(memory_of(ended, -1), 0u);
}

// Files in memory count although nobody has mapped them, but for the one that all know.
TEST(Memory, FilesInMemoryCountForWhoHasThemOpen) {
  const int file = memfd_create("test", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, kBytes), 0);
  munmap(touched(file), kBytes);
  Child child;
  EXPECT_GE(memory_of(child.pid(), -1), kBytes);
  EXPECT_LT(memory_of(child.pid(), file), kBytes);
  close(file);
}

}  // namespace
}  // namespace inspect::process
