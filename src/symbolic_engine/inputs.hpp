// The free values of a counterexample, as the native engine takes them: a list of values for inputs without bounds, and which
// of its alternatives an input is.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/inputs.hpp"
#include "model/symbolic_answer.hpp"

namespace inspect::symbolic_engine {

// As C sees it.
inspect_input value_of(const SymbolicInput& input);
std::string text_of(const SymbolicInput& input);

class InputList {
 public:
  // Error: there are more values than the native engine takes.
  static Result<InputList> of(const std::vector<SymbolicInput>& inputs);
  [[nodiscard]] const std::vector<inspect_input_range>& ranges() const { return ranges_; }
  // Its alternative; nothing if the program has but one there, and no step.
  [[nodiscard]] std::optional<std::uint16_t> alternative(const SymbolicInput& input) const;

 private:
  std::vector<inspect_input_range> ranges_;
};

}  // namespace inspect::symbolic_engine
