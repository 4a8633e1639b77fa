// Which class of equivalent executions an execution belongs to, as a number.
//
// Two executions are equivalent (one Mazurkiewicz trace) if they have the same transitions, with the same labels, and order the
// dependent ones alike. The number is the sum, over the transitions, of a hash of (thread, index in the thread, label, value
// read, set of transitions that happen before it). It is built step by step; happens-before is computed here, pair by pair.
// Deliberately unknown here: everything in search/.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "model/execution.hpp"

namespace inspect::oracle {

class TraceForm {
 public:
  void push(const Event& e);
  void pop();
  [[nodiscard]] std::uint64_t hash() const { return hash_; }

 private:
  static constexpr unsigned kThreads = 16;
  struct Item {
    ThreadId thread;
    std::vector<Operation> labels;  // one, or the ranges of an atomic section
    std::array<std::uint16_t, kThreads> clock;
    std::uint64_t hash;
    bool on_all;
  };

  std::vector<Item> items_;
  std::array<std::uint16_t, kThreads> count_{};
  std::array<std::array<std::uint16_t, kThreads>, kThreads> born_{};  // clock of a thread's creation
  std::uint64_t hash_ = 0;
};

}  // namespace inspect::oracle
