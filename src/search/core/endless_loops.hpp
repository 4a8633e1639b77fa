// When a search ends that meets loops which nothing ends.
//
// Each number of turns of such a loop is an execution of its own, multiplied by those of other loops: the search would have no
// end. What it may still explore is counted, not timed: the same verdict on every machine.
#pragma once
#include <cstdint>

namespace inspect::search {

class EndlessLoops {
 public:
  // An execution of so many steps was given up for such a loop.
  void note(std::uint32_t steps) {
    if (++executions_ > kFew) steps_ += steps;
  }
  // After each execution, with its steps. True: the search has done enough.
  bool is_enough(std::uint32_t steps, std::uint64_t most_steps_since) {
    if (!executions_) return false;
    steps_since_ += steps;
    return executions_ == kMost || steps_ > kMostSteps || steps_since_ > most_steps_since;
  }

 private:
  static constexpr unsigned kFew = 3, kMost = 100;
  static constexpr std::uint64_t kMostSteps = 20'000;  // in those beyond the first few

  unsigned executions_ = 0;
  std::uint64_t steps_ = 0, steps_since_ = 0;  // since: of all executions from the first of them on
};

}  // namespace inspect::search
