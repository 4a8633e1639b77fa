// What each thread would do next, along the path that a search is on.
//
// Guarantees: after push() it is the state behind the event, after pop() the one before it again.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "model/execution.hpp"

namespace inspect::explicit_engine {

class PendingThreads {
 public:
  // At the initial state: thread 0 is about to start.
  PendingThreads();
  void push(const Event& event);
  void pop();

  [[nodiscard]] const ThreadSet& enabled() const { return steps_.back().enabled; }
  [[nodiscard]] const Pending& of(ThreadId thread) const { return pending_[thread]; }
  // Calls f(choice) for each transition that can come next.
  template <class F>
  void for_each_choice(F&& f) const {
    enabled().for_each([&](unsigned t) {
      const Pending& p = pending_[t];
      const auto thread = static_cast<ThreadId>(t);
      if (p.operation.kind == INSPECT_OP_Choice && p.choices > 1) {
        for (std::uint32_t a = 0; a < p.choices; ++a) f(Choice{thread, static_cast<std::uint16_t>(a)});
      } else {
        p.alternatives.for_each([&](unsigned a) { f(Choice{thread, static_cast<std::uint16_t>(a)}); });
      }
    });
  }

 private:
  struct Step {
    ThreadSet enabled;
    std::size_t replaced = 0;  // how many there were before it
  };
  struct Replaced {
    ThreadId thread = 0;
    Pending pending;
  };
  void replace(ThreadId thread, const Pending& pending);

  std::array<Pending, kMaxThreads> pending_;
  std::vector<Step> steps_;
  std::vector<Replaced> replaced_;
};

}  // namespace inspect::explicit_engine
