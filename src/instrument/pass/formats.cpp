#include "instrument/pass/formats.hpp"

#include <llvm/ADT/StringExtras.h>

using namespace llvm;

namespace inspect::pass {

namespace {

uint64_t size_of_integer(StringRef length) {
  if (length == "hh") return 1;
  if (length == "h") return 2;
  return length.empty() ? 4 : 8;
}

uint64_t size_of_conversion(char letter, StringRef length) {
  if (StringRef("aAeEfFgG").contains(letter)) return length == "L" ? 16 : length == "l" ? 8 : 4;
  return letter == 'p' ? 8 : size_of_integer(length);
}

// "hh", "h", "l", "ll", "q", "j", "z", "t", "L", or nothing.
StringRef take_length(StringRef& rest) {
  const StringRef length = rest.take_while([](char c) { return StringRef("hlqjztL").contains(c); });
  rest = rest.drop_front(length.size());
  return length;
}

// The set of a %[…] conversion, after the bracket.
bool skip_set(StringRef& rest) {
  rest.consume_front("^");
  const size_t end = rest.find(']', 1);
  if (end == StringRef::npos) return false;
  rest = rest.drop_front(end + 1);
  return true;
}

// Flags, width and precision of a printf conversion.
bool take_precision(StringRef& rest, SmallVectorImpl<Conversion>& found, Conversion& conversion) {
  rest = rest.ltrim("-+ #0'");
  if (rest.consume_front("*"))
    found.push_back({});
  else
    rest = rest.drop_while(isDigit);
  if (rest.starts_with("$")) return false;
  if (!rest.consume_front(".")) return true;
  if (rest.consume_front("*")) {
    found.push_back({});
    conversion.precision_argument = true;
    return true;
  }
  uint64_t number = 0;
  if (!rest.consumeInteger(10, number))
    conversion.precision = number;
  else
    conversion.precision = 0;
  return true;
}

}  // namespace

std::optional<SmallVector<Conversion, 8>> parse_print_format(StringRef rest) {
  SmallVector<Conversion, 8> found;
  for (;;) {
    rest = rest.drop_until([](char c) { return c == '%'; });
    if (!rest.consume_front("%")) return found;
    if (rest.consume_front("%")) continue;
    Conversion conversion;
    if (!take_precision(rest, found, conversion)) return std::nullopt;
    const StringRef length = take_length(rest);
    if (rest.empty()) return std::nullopt;
    const char letter = rest.front();
    rest = rest.drop_front();
    if (letter == 'm') continue;
    if (letter == 's' && length.empty()) conversion.kind = Conversion::string;
    if (letter == 'n') conversion.kind = Conversion::count;
    conversion.size = size_of_conversion(letter, length);
    found.push_back(conversion);
  }
}

std::optional<SmallVector<Conversion, 8>> parse_scan_format(StringRef rest) {
  SmallVector<Conversion, 8> found;
  for (;;) {
    rest = rest.drop_until([](char c) { return c == '%'; });
    if (!rest.consume_front("%")) return found;
    if (rest.consume_front("%")) continue;
    const bool suppressed = rest.consume_front("*");
    uint64_t width = 1;
    if (rest.consumeInteger(10, width)) width = 1;
    if (rest.starts_with("$")) return std::nullopt;
    const bool allocated = rest.consume_front("m");
    const StringRef length = take_length(rest);
    if (rest.empty()) return std::nullopt;
    const char letter = rest.front();
    rest = rest.drop_front();
    if (letter == '[' && !skip_set(rest)) return std::nullopt;
    if (suppressed) continue;
    Conversion conversion;
    conversion.size = letter == 'c' ? width : size_of_conversion(letter, length);
    if (letter == 's' || letter == '[') conversion.kind = Conversion::string;
    if (letter == 'n') conversion.kind = Conversion::count;
    if (allocated) conversion = {Conversion::value, 8, std::nullopt, false};
    found.push_back(conversion);
  }
}

}  // namespace inspect::pass
