// How much of a text the C library looks at to read a number from it: strtol, strtod and their kin.
//
// Guarantees: exactly the characters that glibc's functions look at; the first one that is no part of the number is among them,
// and so is one that was looked at in vain (`0x` without digits, `1e+` without digits). They read by the locale that is given,
// or else by the thread's.
#pragma once
#include <ctype.h>
#include <langinfo.h>
#include <locale.h>
#include <wchar.h>
#include <wctype.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace inspect::runtime {

// With another base strtol looks at nothing, and tells no end.
constexpr bool is_number_base(int base) { return base == 0 || (base >= 2 && base <= 36); }

template <class C>
class NumberText {
 public:
  explicit NumberText(const C* text, locale_t locale = nullptr) : text_(text), locale_(locale) {}

  // Characters that were looked at since the beginning.
  [[nodiscard]] std::size_t seen() const { return seen_; }

  // strtol. `binary`: a 0b in front is known too (C23).
  void integer(int base, bool binary) {
    if (!is_number_base(base)) return;
    std::size_t i = after_sign();
    if (at(i) != '0') {
      if (!base) base = 10;
    } else if ((base == 0 || base == 16) && folded(at(i + 1)) == 'x') {
      i += 2;
      base = 16;
    } else if (binary && (base == 0 || base == 2) && folded(at(i + 1)) == 'b') {
      i += 2;
      base = 2;
    } else if (!base) {
      base = 8;
    }
    while (digit_value(at(i)) < unsigned(base)) ++i;
  }

  // strtod. `wants_end`: it tells where the number ends.
  void real(bool wants_end) {
    std::size_t i = after_sign();
    if (!is_digit(at(i)) && !(is_point(i) && is_digit(at(i + point_size())))) return word(i, wants_end);
    const bool hex = at(i) == '0' && folded(at(i + 1)) == 'x';
    if (hex) i += 2;
    const std::size_t begin = i;
    while (at(i) == '0') ++i;
    if (hex && i == begin && !is_digit_of(at(i), hex) && !(is_point(i) && is_digit_of(at(i + point_size()), hex))) return;
    while (is_digit_of(at(i), hex)) ++i;
    if (is_point(i)) {
      i += point_size();
      while (is_digit_of(at(i), hex)) ++i;
    }
    if (folded(at(i)) == (hex ? 'p' : 'e')) exponent(i + 1);
  }

  // What stands in the parentheses of a `nan(…)`.
  std::size_t payload(std::size_t i) {
    while (is_digit(at(i)) || is_letter(at(i)) || at(i) == '_') ++i;
    return i;
  }

 private:
  const C* text_;
  locale_t locale_;
  std::size_t seen_ = 0;

  static constexpr bool kWide = !std::is_same_v<C, char>;

  C at(std::size_t i) {
    if (i >= seen_) seen_ = i + 1;
    return text_[i];
  }

  // --- characters of every locale

  static bool is_digit(C c) { return c >= '0' && c <= '9'; }
  static C folded(C c) { return c >= 'A' && c <= 'Z' ? C(c - 'A' + 'a') : c; }
  static bool is_letter(C c) { return folded(c) >= 'a' && folded(c) <= 'z'; }
  static unsigned digit_value(C c) {
    if (is_digit(c)) return unsigned(c - '0');
    return is_letter(c) ? unsigned(folded(c) - 'a' + 10) : ~0u;
  }
  static bool is_digit_of(C c, bool hex) { return is_digit(c) || (hex && folded(c) >= 'a' && folded(c) <= 'f'); }

  // --- characters as the locale has them

  bool is_space(C c) const {
    if constexpr (kWide)
      return locale_ ? iswspace_l(wint_t(c), locale_) : iswspace(wint_t(c));
    else
      return locale_ ? isspace_l(std::uint8_t(c), locale_) : isspace(std::uint8_t(c));
  }
  const char* locale_item(nl_item item) const { return locale_ ? nl_langinfo_l(item, locale_) : nl_langinfo(item); }
  std::size_t point_size() const { return kWide ? 1 : __builtin_strlen(locale_item(RADIXCHAR)); }
  bool is_point(std::size_t i) {
    if constexpr (kWide) return at(i) == C(std::uintptr_t(locale_item(_NL_NUMERIC_DECIMAL_POINT_WC)));
    for (const char* point = locale_item(RADIXCHAR); *point; ++point, ++i)
      if (at(i) != C(*point)) return false;
    return true;
  }

  // --- parts

  std::size_t after_sign() {
    std::size_t i = 0;
    while (is_space(at(i))) ++i;
    return at(i) == '-' || at(i) == '+' ? i + 1 : i;
  }

  void exponent(std::size_t i) {
    if (at(i) == '-' || at(i) == '+') ++i;
    while (is_digit(at(i))) ++i;
  }

  bool follows(std::size_t i, const char* word) {
    for (; *word; ++word, ++i)
      if (folded(at(i)) != C(*word)) return false;
    return true;
  }

  // A number that is a word, or no number at all.
  void word(std::size_t i, bool wants_end) {
    if (follows(i, "inf") && wants_end) follows(i + 3, "inity");
    if (follows(i, "nan") && at(i + 3) == '(') payload(i + 4);
  }
};

}  // namespace inspect::runtime
