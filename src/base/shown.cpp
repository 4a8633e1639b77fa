#include "base/shown.hpp"

#include <cstddef>
#include <cstdint>

namespace inspect {
namespace {

struct Character {
  std::uint32_t number = 0;
  std::size_t bytes = 0;  // 0: what begins here is none
};

Character character_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  std::uint32_t number = first & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    number = number << 6 | (byte(i) & 0x3f);
  }
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_character = number >= kLeast[bytes] && number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
  return is_character ? Character{number, bytes} : Character{};
}

bool may_be_shown(std::uint32_t c) {
  if (c == '\n' || c == '\t') return true;
  const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
  const bool turns = (c >= 0x200e && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x61c;
  return !control && !turns;
}

}  // namespace

namespace {

std::string shown(std::string_view text, bool as_line) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  while (!text.empty()) {
    const Character c = character_at(text);
    const std::size_t bytes = c.bytes ? c.bytes : 1;
    for (std::size_t i = 0; i < bytes; ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (c.bytes && may_be_shown(c.number) && !(as_line && c.number == '\n'))
        out += text[i];
      else
        (out += "\\x").append({digits[byte >> 4], digits[byte & 15]});
    }
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace

std::string shown(std::string_view text) { return shown(text, false); }
std::string shown_line(std::string_view text) { return shown(text, true); }

}  // namespace inspect
