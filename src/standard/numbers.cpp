// to_chars and from_chars of floating-point numbers: the library's, on a private copy of the text, so that what they read and
// write of the program's memory is read and written here.
#include <dlfcn.h>

#include <charconv>
#include <cstring>
#include <memory>

// The pass leaves functions with such a name as they are. The library's own stands behind ours in the order of symbols.
#define INSPECT_LIBRARYS(result, own, symbol, parameters, arguments)   \
  extern "C" __attribute__((noinline)) result own parameters {         \
    using Type = result(*) parameters;                                 \
    return reinterpret_cast<Type>(dlsym(RTLD_NEXT, symbol)) arguments; \
  }

namespace std {
namespace {

// Text of any length; short ones without an allocation.
class Copy {
 public:
  explicit Copy(size_t size) : large_(size > sizeof small_ ? new char[size] : nullptr) {}
  char* begin() { return large_ ? large_.get() : small_; }

 private:
  unique_ptr<char[]> large_;
  char small_[256];
};

template <class Write>
to_chars_result written(char* first, char* last, Write write) {
  const size_t room = size_t(last - first);
  Copy copy(room);
  const to_chars_result made = write(copy.begin(), copy.begin() + room);
  if (made.ec != errc{}) return {last, made.ec};
  const size_t size = size_t(made.ptr - copy.begin());
  memcpy(first, copy.begin(), size);
  return {first + size, made.ec};
}

bool may_belong_to_number(char c, bool hexadecimal) {
  if (c >= '0' && c <= '9') return true;
  return strchr(hexadecimal ? "abcdefABCDEF.pP+-" : ".eE+-", c) != nullptr && c;
}

// "inf" and "nan(…)" may follow the sign.
bool may_belong_to_name(char c) { return (c && strchr("infatyINFATY()_", c)) || (c >= '0' && c <= '9'); }

template <class Value, class Read>
from_chars_result read(const char* first, const char* last, Value& value, bool hexadecimal, Read library) {
  const char* end = first;
  if (end != last && *end == '-') ++end;
  const bool name = end != last && *end && strchr("inIN", *end);
  while (end != last && (name ? may_belong_to_name(*end) : may_belong_to_number(*end, hexadecimal))) ++end;
  const size_t size = size_t(end - first);
  Copy copy(size);
  memcpy(copy.begin(), first, size);
  Value found{};
  const from_chars_result got = library(copy.begin(), copy.begin() + size, found);
  if (got.ec == errc{}) value = found;
  return {first + (got.ptr - copy.begin()), got.ec};
}

}  // namespace
}  // namespace std

#define INSPECT_NUMBERS(type, letter)                                                                                         \
  INSPECT_LIBRARYS(std::to_chars_result, __inspect_to_chars_##letter, "_ZSt8to_charsPcS_" #letter,                            \
                   (char* first, char* last, type value), (first, last, value))                                               \
  INSPECT_LIBRARYS(std::to_chars_result, __inspect_to_chars_form_##letter, "_ZSt8to_charsPcS_" #letter "St12chars_format",    \
                   (char* first, char* last, type value, std::chars_format form), (first, last, value, form))                 \
  INSPECT_LIBRARYS(std::to_chars_result, __inspect_to_chars_digits_##letter, "_ZSt8to_charsPcS_" #letter "St12chars_formati", \
                   (char* first, char* last, type value, std::chars_format form, int digits),                                 \
                   (first, last, value, form, digits))                                                                        \
  INSPECT_LIBRARYS(std::from_chars_result, __inspect_from_chars_##letter,                                                     \
                   "_ZSt10from_charsPKcS0_R" #letter "St12chars_format",                                                      \
                   (const char* first, const char* last, type& value, std::chars_format form), (first, last, value, form))    \
  namespace std {                                                                                                             \
  to_chars_result to_chars(char* first, char* last, type value) noexcept {                                                    \
    return written(first, last, [=](char* a, char* b) { return __inspect_to_chars_##letter(a, b, value); });                  \
  }                                                                                                                           \
  to_chars_result to_chars(char* first, char* last, type value, chars_format form) noexcept {                                 \
    return written(first, last, [=](char* a, char* b) { return __inspect_to_chars_form_##letter(a, b, value, form); });       \
  }                                                                                                                           \
  to_chars_result to_chars(char* first, char* last, type value, chars_format form, int digits) noexcept {                     \
    return written(first, last,                                                                                               \
                   [=](char* a, char* b) { return __inspect_to_chars_digits_##letter(a, b, value, form, digits); });          \
  }                                                                                                                           \
  from_chars_result from_chars(const char* first, const char* last, type& value, chars_format form) noexcept {                \
    return read(first, last, value, form == chars_format::hex,                                                                \
                [=](const char* a, const char* b, type& v) { return __inspect_from_chars_##letter(a, b, v, form); });         \
  }                                                                                                                           \
  }
INSPECT_NUMBERS(float, f)
INSPECT_NUMBERS(double, d)
INSPECT_NUMBERS(long double, e)
