// Leads the native engine along a counterexample of the symbolic one.
//
// The two do not have the same steps: a plain access may be one there and none here, and the other way round. So a thread goes
// on until it has done what stands next in the counterexample, told by the kind of operation and the line. What is found is a
// bug of the program itself, seen to happen; which one, the caller looks at. Deliberately unknown here: how bugs are shown.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/symbolic_answer.hpp"
#include "native/session.hpp"
#include "search/search.hpp"
#include "symbolic_engine/inputs.hpp"

namespace inspect::symbolic_engine {

struct Guided {
  std::optional<search::FoundBug> bug;
  std::string why_none;  // where the program went otherwise
};

// The session has the inputs' values in its configuration, and plain accesses as steps.
Guided follow(native::Session& session, const SymbolicAnswer& answer, const InputList& inputs);

}  // namespace inspect::symbolic_engine
