// Formulas as they are written: the words of SPIN and spot, where both mean the same.
//
//   G F [] <>  U R V W M  ! ~  && & /\  || | \/  -> =>  <-> <=>  true false 1 0  ( )
//   names, and names compared with numbers: turn == 1, queue.length > 0, ready[2], ns::flag; "any text" for other names
//
// Binding, from the tightest: comparisons; ! G F; U R W M; &&; ||; -> and <->. What SPIN groups to the left and spot to the
// right (a U b U c, a -> b -> c) is refused without parentheses: read the wrong way, a formula is verified that nobody asked
// for.
//
// Guarantees: an error says what is wrong and where, and shows the place below the text; no input takes more than the
// parser's own limits on length and depth. Deliberately unknown here: which names a program has.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "explicit_engine/ltl/formula.hpp"

namespace inspect::explicit_engine::ltl {

inline constexpr std::size_t kLongestFormula = 1 << 16;  // bytes
inline constexpr std::size_t kDeepestFormula = 500;      // operators inside each other

Result<Formula> parse(std::string_view text);

// Can it stand in a formula without quotation marks?
[[nodiscard]] bool is_plain_name(std::string_view name);

// The message, and below it the text with a mark under the byte at `place`. Long texts are cut around it.
Error error_at(std::string_view text, std::size_t place, const std::string& message);

}  // namespace inspect::explicit_engine::ltl
