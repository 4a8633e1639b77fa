#include "symbolic_engine/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace inspect::symbolic_engine {

namespace {

constexpr std::string_view kPrefix = "__VERIFIER_nondet_";

bool is_signed(const SymbolicInput& input) {
  std::string_view type = input.function;
  if (!type.starts_with(kPrefix)) return false;
  type.remove_prefix(kPrefix.size());
  return type == "char" || type == "short" || type == "int" || type == "long" || type == "longlong";
}

// A choice of few values is explored as it is; else values are listed.
bool is_listed(const SymbolicInput& input) {
  if (input.function == "__VERIFIER_nondet_bool") return false;
  return input.count == 0 || input.count > INSPECT_MAX_ALTERNATIVES;
}

// The smallest and the largest value.
std::pair<inspect_input, inspect_input> extent_of(const SymbolicInput& input) {
  if (input.count > 0) return {0, inspect_input{input.count} - 1};
  const inspect_input half = inspect_input{1} << (input.bits - 1);
  return is_signed(input) ? std::pair{-half, half - 1} : std::pair{inspect_input{0}, 2 * half - 1};
}

}  // namespace

inspect_input value_of(const SymbolicInput& input) {
  const inspect_input value = input.value;
  return is_signed(input) && value >> (input.bits - 1) & 1 ? value - (inspect_input{1} << input.bits) : value;
}

std::string text_of(const SymbolicInput& input) {
  const inspect_input value = value_of(input);
  return value < 0 ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(static_cast<std::uint64_t>(value));
}

Result<InputList> InputList::of(const std::vector<SymbolicInput>& inputs) {
  std::string text;
  for (const SymbolicInput& input : inputs)
    if (is_listed(input)) text += (text.empty() ? "" : ",") + text_of(input);
  InputList list;
  if (text.empty()) return list;
  auto ranges = parse_inputs(text);
  if (!ranges) return ranges.failure();
  list.ranges_ = std::move(*ranges);
  return list;
}

std::optional<std::uint16_t> InputList::alternative(const SymbolicInput& input) const {
  if (!is_listed(input)) {
    if (input.count == 1) return std::nullopt;
    return static_cast<std::uint16_t>(input.value);
  }
  const auto [smallest, largest] = extent_of(input);
  inspect_input before = 0, fitting = 0;
  for (const auto& range : ranges_)
    for (inspect_input v = std::max(range.first, smallest); v <= std::min(range.last, largest); ++v) {
      if (v < value_of(input)) ++before;
      ++fitting;
    }
  return fitting < 2 ? std::nullopt : std::optional(static_cast<std::uint16_t>(before));
}

}  // namespace inspect::symbolic_engine
