// The conversions of printf and scanf formats, for the pass (constant formats) and the runtime (all others).
//
// Guarantees: what cannot be read is refused; then nothing is known of the call. Deliberately unknown here: where arguments
// stand.
#pragma once
#include <cstdint>

namespace inspect::format {

constexpr std::int64_t kNone = -1;
constexpr unsigned kMostArguments = 64;

// One argument that a format takes.
struct Conversion {
  enum Kind : std::uint8_t { value, string, wide_string, count } kind = value;
  enum Passed : std::uint8_t { word, real, long_real } passed = word;
  bool localised = false;             // the locale has a say in what is printed or read
  std::uint32_t size = 0;             // bytes stored, of `count` and of what scanf stores
  unsigned argument = 0;              // which one it is, from 0
  std::int64_t precision = kNone;     // most characters of a string
  std::int64_t precision_at = kNone;  // the argument that holds it
};

template <class Character>
class Reader {
 public:
  Reader(const Character* text, bool scans) : at_(text), scans_(scans) {}

  // The next argument; false at the end, or when ok() is false afterwards.
  bool next(Conversion& found) {
    while (ok_ && *at_) {
      if (*at_++ != '%') continue;
      if (take('%')) continue;
      if (scans_ ? scan(found) : print(found)) return ok_;
    }
    return false;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  // Arguments that are widths or precisions, as a set: integers.
  [[nodiscard]] std::uint64_t widths() const { return widths_; }

 private:
  const Character* at_;
  bool scans_;
  bool ok_ = true;
  unsigned taken_ = 0;        // arguments so far, where they have no numbers
  std::uint64_t widths_ = 0;  // arguments that are widths or precisions

  bool take(char c) {
    if (*at_ != Character(c)) return false;
    ++at_;
    return true;
  }

  [[nodiscard]] bool is_digit() const { return *at_ >= Character('0') && *at_ <= Character('9'); }

  std::int64_t number() {
    if (!is_digit()) return kNone;
    std::int64_t n = 0;
    for (; is_digit(); ++at_)
      if (n < 1 << 30) n = n * 10 + std::int64_t(*at_ - Character('0'));
    return n;
  }

  // "3$" in front of what it says; 0: no number.
  unsigned position() {
    const Character* const begin = at_;
    const std::int64_t n = number();
    if (n > 0 && take('$')) {
      if (n > kMostArguments) ok_ = false;
      return unsigned(n);
    }
    at_ = begin;
    return 0;
  }

  unsigned place(unsigned position) {
    const unsigned at = position ? position - 1 : taken_++;
    if (at >= kMostArguments) ok_ = false;
    return at;
  }

  struct Length {
    unsigned shorts = 0, longs = 0;
    bool wide = false, long_real = false;
  };

  Length length() {
    Length found;
    for (;; ++at_) {
      if (*at_ == 'h')
        ++found.shorts;
      else if (*at_ == 'l')
        ++found.longs;
      else if (*at_ == 'q' || *at_ == 'j' || *at_ == 'z' || *at_ == 't' || *at_ == 'Z')
        found.wide = true;
      else if (*at_ == 'L')
        found.long_real = found.wide = true;
      else
        return found;
    }
  }

  static bool is_one_of(Character c, const char* letters) {
    for (; *letters; ++letters)
      if (c == Character(*letters)) return true;
    return false;
  }

  // What follows the flags; false: no argument.
  bool finish(Conversion& found, unsigned at, const Length& length) {
    const Character letter = *at_;
    if (!letter) return ok_ = false;
    ++at_;
    if (letter == 'm' && !scans_) return false;
    found.argument = place(at);
    if (is_one_of(letter, "aAeEfFgG")) {
      found.passed = scans_ ? Conversion::word : length.long_real ? Conversion::long_real : Conversion::real;
      found.size = length.long_real ? 16 : length.longs ? 8 : 4;
      found.localised = true;  // its point
      return true;
    }
    if (is_one_of(letter, "sScC[")) {
      const bool wide = length.longs || letter == 'S' || letter == 'C';
      const bool text = letter == 's' || letter == 'S' || letter == '[';
      if (letter == '[' && !set()) return ok_ = false;
      if (text) found.kind = wide ? Conversion::wide_string : Conversion::string;
      found.size = wide ? sizeof(wchar_t) : 1;
      found.localised = wide;
      return true;
    }
    if (!is_one_of(letter, "diouxXpnbB")) return ok_ = false;
    if (letter == 'n') found.kind = Conversion::count;
    found.size = letter == 'p' || length.longs || length.wide ? 8 : length.shorts > 1 ? 1 : length.shorts ? 2 : 4;
    return true;
  }

  bool set() {
    if (!scans_) return false;
    take('^');
    if (*at_) ++at_;
    while (*at_ && *at_ != ']') ++at_;
    return take(']');
  }

  // A width or precision that is an argument: which one.
  unsigned star() {
    const unsigned argument = place(position());
    widths_ |= 1ull << argument % kMostArguments;
    return argument;
  }

  bool print(Conversion& found) {
    found = {};
    const unsigned at = position();
    bool grouped = false;
    for (; is_one_of(*at_, "-+ #0'I"); ++at_) grouped |= *at_ == '\'' || *at_ == 'I';
    if (take('*'))
      star();
    else
      number();
    if (take('.')) {
      if (take('*')) {
        found.precision_at = star();
      } else {
        const std::int64_t n = number();
        found.precision = n == kNone ? 0 : n;
      }
    }
    const bool is_argument = finish(found, at, length());
    found.localised |= grouped;
    return is_argument;
  }

  bool scan(Conversion& found) {
    const unsigned at = position();
    const bool suppressed = take('*');
    const std::int64_t width = number();
    const bool allocated = take('m');
    const Length long_or_short = length();
    const bool characters = *at_ == 'c' || *at_ == 'C';
    const unsigned before = taken_;
    Conversion conversion;
    if (!finish(conversion, at, long_or_short)) return false;
    if (suppressed) {
      taken_ = before;
      return false;
    }
    if (characters) conversion.size *= width > 0 ? std::uint32_t(width) : 1;
    if (allocated) {
      conversion.kind = Conversion::value;
      conversion.size = 8;
    }
    found = conversion;
    return true;
  }
};

}  // namespace inspect::format
