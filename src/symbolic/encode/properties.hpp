// What is looked for in a state: each property as literals of an encoding's last state.
//
// Guarantees: every property is one of states, so that it is found whatever the scheduler constraint, in as many steps. A check
// of a transition fails in the state in which its thread could take it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "symbolic/encode/encoding.hpp"

namespace inspect::symbolic {

enum class PropertyKind : std::uint8_t { check, deadlock, race, proposition };

// One way in which the state may be bad.
struct Candidate {
  Literal holds = 0;
  PropertyKind kind = PropertyKind::check;
  ThreadIndex thread = 0;        // of a check, a race
  ThreadIndex other_thread = 0;  // of a race
  const Check* check = nullptr;
  std::size_t proposition = 0;
};

std::vector<Candidate> failing_checks(Encoding& encoding);
Candidate deadlock(Encoding& encoding);
std::vector<Candidate> races(Encoding& encoding);
Candidate proposition(Encoding& encoding, std::size_t index);

}  // namespace inspect::symbolic
