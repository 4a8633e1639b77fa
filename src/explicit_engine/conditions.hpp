// The propositions of a formula, found in a program: what the runtime is to look at in each state.
//
// A name alone is a proposition that the program sets (inspect_proposition) if its text stands among the program's constants,
// else a variable that is compared with 0; a name in a comparison is a variable. Guarantees: what is neither, or both, is an
// error that marks its place in the formula. Where the linker has made one text of two it is only known once the program has
// run: a doubt.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "explicit_engine/ltl/formula.hpp"
#include "hooks/condition.h"

namespace inspect::explicit_engine {

// `condition` is a proposition of the program's. If it is what `proposition` is taken for, the program must set it in some run;
// if that is taken for a variable, it must not.
struct Doubt {
  std::size_t proposition = 0, condition = 0;
};

struct Conditions {
  std::vector<inspect_condition> all;  // by proposition; then those that only doubts are about
  std::vector<Doubt> doubts;
};

// `sources`: of the executable; none: not known.
Result<Conditions> conditions_of(const ltl::Formula& formula, const std::string& executable,
                                 const std::vector<std::string>& sources);

// `set`: which conditions the program has set, as bits.
std::optional<Error> judge(const ltl::Formula& formula, const Conditions& conditions, std::uint64_t set);

}  // namespace inspect::explicit_engine
