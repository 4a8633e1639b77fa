// Decides when to stop a search that meets endless loops.
//
// Each number of turns of such a loop is an execution of its own, combined with those of other loops, so the search would not
// end. The remaining work is limited by counting, not by time: the verdict is the same on every machine.
#pragma once
#include <cstdint>

namespace inspect::search {

class EndlessLoops {
 public:
  // An execution of `steps` steps was given up in such a loop.
  void note(std::uint32_t steps) {
    if (++executions_ > kFew) steps_ += steps;
  }
  // Call after each execution, with its number of steps. True: the search must stop.
  bool is_enough(std::uint32_t steps, std::uint64_t most_steps_since) {
    if (!executions_) return false;
    steps_since_ += steps;
    return executions_ == kMost || steps_ > kMostSteps || steps_since_ > most_steps_since;
  }

 private:
  static constexpr unsigned kFew = 3, kMost = 100;
  static constexpr std::uint64_t kMostSteps = 20'000;  // in the given-up executions beyond the first few

  unsigned executions_ = 0;
  std::uint64_t steps_ = 0, steps_since_ = 0;  // steps_since_: of all executions since the first that was given up
};

}  // namespace inspect::search
