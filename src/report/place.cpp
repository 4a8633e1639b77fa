#include "report/place.hpp"

#include <charconv>
#include <optional>

namespace inspect::report {
namespace {

// Takes ":number" off the end, if there is one.
std::optional<unsigned> take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
  unsigned number = 0;
  const char* const end = text.data() + text.size();
  const auto [after, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (after != end || error != std::errc()) return std::nullopt;
  text = text.substr(0, colon);
  return number;
}

}  // namespace

Place parse_place(std::string_view text) {
  Place place;
  const auto last = take_number(text);
  const auto before = last ? take_number(text) : std::nullopt;
  place.line = before.value_or(last.value_or(0));
  place.column = before ? *last : 0;
  place.file = text;
  return place;
}

}  // namespace inspect::report
