// Which conditions of the user's formula (hooks/condition.h) hold now.
//
// A proposition has the value that the program gave it last; before that it is false. Guarantees: no scheduling point; what
// holds is part of a state's identity, so states that differ in it are never one.
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

void set_proposition(State& s, const char* name, bool holds);
// Has the latest step set a proposition, or changed a variable that a condition compares? To be asked after each.
bool conditions_touched(State& s);
// Bit i: condition i of the configuration.
std::uint64_t valuation(const State& s);

}  // namespace inspect::runtime
