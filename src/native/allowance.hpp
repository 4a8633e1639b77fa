// Limits of a whole check: time, memory, ^C.
//
// Guarantees: can be asked within an execution and between two. The time counts from the construction of the object, also in
// workers that are forked later. Deliberately unknown here: what was explored.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "process/executor.hpp"

namespace inspect::native {

// Three quarters of what this machine, or this container, has left.
std::uint64_t default_memory_limit();

class Allowance {
 public:
  // seconds: 0 is no limit. bytes: of all workers, which share it evenly.
  Allowance(double seconds, std::uint64_t bytes, unsigned workers) : seconds_(seconds), bytes_(bytes), workers_(workers) {}

  // Sets the process whose memory counts; null: none.
  void watch(const process::Executor* executor) { executor_ = executor; }
  // In a worker that is not the first: the first decides when an interruption ends the search, and says so itself.
  void follow() { follows_ = true; }
  // Why the search has to end before its next execution. Searches watch the time limit themselves.
  std::optional<std::string> between();
  // Why the execution under way has to end.
  std::optional<std::string> within(const process::Executor& executor);
  // Call before bugs are shown again by one process: gives at least one more second, and the memory of all workers, however the
  // search ended.
  void begin_showing();
  // Has within() given a reason since the beginning, or since begin_showing()?
  [[nodiscard]] bool ended() const { return ended_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::optional<std::string> why(const process::Executor& executor);
  std::optional<std::string> memory(const process::Executor& executor);
  [[nodiscard]] double elapsed() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

  double seconds_;
  std::uint64_t bytes_;
  unsigned workers_;
  bool follows_ = false, ended_ = false, was_interrupted_ = false;
  const process::Executor* executor_ = nullptr;
  Clock::time_point began_ = Clock::now(), next_look_ = began_;
  std::optional<std::string> full_;
};

}  // namespace inspect::native
