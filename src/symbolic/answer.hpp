// What a check found, as the answer that goes to whoever asked.
#pragma once
#include "model/symbolic_answer.hpp"
#include "symbolic/encode/check.hpp"

namespace inspect::symbolic {

// `bound`: how often loops were unrolled.
SymbolicAnswer answer_of(const System& system, const CheckResult& result, int bound);

}  // namespace inspect::symbolic
