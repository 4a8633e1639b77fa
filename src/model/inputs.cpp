#include "model/inputs.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace inspect {
namespace {

template <class Number>
std::optional<inspect_input> whole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<inspect_input> value_of(std::string_view text) {
  return text.starts_with('-') ? whole<std::int64_t>(text) : whole<std::uint64_t>(text);
}

// "3" or "-1..4".
std::optional<inspect_input_range> range_of(std::string_view text) {
  const auto dots = text.find("..");
  const auto first = value_of(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : value_of(text.substr(dots + 2));
  if (!first || !last || *last < *first) return std::nullopt;
  return inspect_input_range{*first, *last};
}

std::vector<inspect_input_range> merged(std::vector<inspect_input_range> ranges) {
  std::ranges::sort(ranges, {}, &inspect_input_range::first);
  std::vector<inspect_input_range> out;
  for (const auto& range : ranges)
    if (!out.empty() && range.first <= out.back().last + 1)
      out.back().last = std::max(out.back().last, range.last);
    else
      out.push_back(range);
  return out;
}

std::string text_of(inspect_input value) {
  return value < 0 ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(static_cast<std::uint64_t>(value));
}

}  // namespace

Result<std::vector<inspect_input_range>> parse_inputs(std::string_view text) {
  std::vector<inspect_input_range> ranges;
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    const auto range = range_of(text.substr(0, comma));
    if (!range) return Error{"expected integers or ranges a..b with a <= b, separated by commas"};
    ranges.push_back(*range);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
  }
  ranges = merged(std::move(ranges));
  inspect_input count = 0;
  for (const auto& range : ranges) count += range.last - range.first + 1;
  if (count > INSPECT_MAX_ALTERNATIVES)
    return Error{"expected at most " + std::to_string(INSPECT_MAX_ALTERNATIVES) + " values"};
  if (ranges.size() > INSPECT_MAX_INPUT_RANGES)
    return Error{"expected at most " + std::to_string(INSPECT_MAX_INPUT_RANGES) + " ranges"};
  return ranges;
}

std::string format_inputs(std::span<const inspect_input_range> ranges) {
  std::string out;
  for (const auto& range : ranges) {
    if (!out.empty()) out += ',';
    out += text_of(range.first);
    if (range.last != range.first) out += ".." + text_of(range.last);
  }
  return out;
}

}  // namespace inspect
