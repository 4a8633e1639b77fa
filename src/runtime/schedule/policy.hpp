// Which transition is taken where no prefix says it.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct Decision {
  Thread* thread;  // null: everything that is enabled sleeps
  unsigned alternative;
};

// By the request's policy, among what is enabled and does not sleep.
Decision choose_by_policy(State& s);

}  // namespace inspect::runtime
