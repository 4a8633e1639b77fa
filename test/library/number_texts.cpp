// Numbers read from texts: each text ends with the last character that the function looks at, and with its page.
#include <clocale>
#include <string>
#include <string_view>

#include "harness.hpp"

using namespace rows;
using namespace std::literals;

namespace {

locale_t plain_locale() {
  static locale_t const c = newlocale(LC_ALL_MASK, "C", nullptr);
  return c;
}

template <class C>
void* exactly(Memory& m, std::string_view text) {
  std::basic_string<C> characters;
  for (const char c : text) characters.push_back(C(static_cast<unsigned char>(c)));
  return m.object(characters.data(), characters.size() * sizeof(C));
}

struct Integer {
  std::string_view text;
  int base;
};
constexpr Integer kIntegers[] = {
    {" \t\v+12,"sv, 10}, {"-12x"sv, 10}, {"12\0"sv, 10}, {"12a"sv, 10},  {"\0"sv, 10},    {"  -\0"sv, 10},
    {"x"sv, 10},         {"+-"sv, 10},   {"0x"sv, 10},   {"\xa0"sv, 10}, {"1\xb2"sv, 10}, {"99999999999999999999999999,"sv, 10},
    {"0\0"sv, 0},        {"0x1fg"sv, 0}, {"0xg"sv, 0},   {"0x\0"sv, 0},  {"-0xx"sv, 0},   {"017 "sv, 0},
    {"08"sv, 0},         {"19z"sv, 0},   {"08"sv, 8},    {"012"sv, 2},   {"0X1F."sv, 16}, {"ffg"sv, 16},
    {"0x\0"sv, 16},      {"0b,"sv, 16},  {"zZ9_"sv, 36}, {"0x."sv, 36},  {"1:"sv, 36}};
// Of those that know what a binary number begins with.
constexpr Integer kBinaries[] = {{"0b101 "sv, 0}, {"0B102"sv, 2}, {"0b2"sv, 0}, {"0b\0"sv, 2},
                                 {"0b1g"sv, 16},  {"-0x1g"sv, 0}, {"12."sv, 10}};

enum End { anyhow, wanted, unwanted };  // when it looks at just that: if it is asked where the number ends
struct Real {
  std::string_view text;
  End end = anyhow;
};
constexpr Real kReals[] = {{" \n-1.5e3 "sv},
                           {"1.5,"sv},
                           {"1\0"sv},
                           {"1,"sv},
                           {"1'"sv},
                           {"1_"sv},
                           {".5."sv},
                           {".x"sv},
                           {".\0"sv},
                           {"-.e"sv},
                           {"12.\0"sv},
                           {"12.x"sv},
                           {"000x"sv},
                           {"x"sv},
                           {"\0"sv},
                           {"+\0"sv},
                           {"+ "sv},
                           // exponents
                           {"1e5x"sv},
                           {"1e+5-"sv},
                           {"1e\0"sv},
                           {"1e+\0"sv},
                           {"1e-x"sv},
                           {"1e "sv},
                           {"1E2."sv},
                           {"0e\0"sv},
                           {"0e1,"sv},
                           {"1e99999999999999999999 "sv},
                           // hexadecimal
                           {"0x\0"sv},
                           {"0xg"sv},
                           {"0x.\0"sv},
                           {"0x.g"sv},
                           {"0x.8 "sv},
                           {"0x1.8p\0"sv},
                           {"0x1p+x"sv},
                           {"0x1P-3 "sv},
                           {"0xp"sv},
                           {"0x0p1 "sv},
                           {"0xfe.\0"sv},
                           {"0b"sv},
                           // words
                           {"i\0"sv},
                           {"ix"sv},
                           {"inx"sv},
                           {"inf "sv, wanted},
                           {"infx"sv, wanted},
                           {"-INF\0"sv, wanted},
                           {"inf"sv, unwanted},
                           {"infinix"sv, wanted},
                           {"infinity"sv, wanted},
                           {"InfiniTY"sv, wanted},
                           {"n\0"sv},
                           {"nax"sv},
                           {"nan\0"sv},
                           {"nanx"sv},
                           {"NaN)"sv},
                           {"nan(\0"sv},
                           {"nan(1_aZ)"sv},
                           {"nan(1 "sv},
                           {"nan(0x,"sv}};

template <class C>
void add_integer(const char* names, const char* names_in_locale, const Integer& number) {
  const auto [text, base] = number;
  add(names, [=](Memory& m, void* f) { return call<long>(f, exactly<C>(m, text), m.out(8), base); });
  add(names_in_locale, [=](Memory& m, void* f) { return call<long>(f, exactly<C>(m, text), m.out(8), base, plain_locale()); });
}

void add_integers() {
  for (const Integer& number : kIntegers) {
    add_integer<char>("strtol", "strtol_l", number);
    add_integer<wchar_t>("wcstol", "wcstol_l", number);
    add_integer<char>("__isoc23_strtol", "__isoc23_strtol_l", number);
    add_integer<wchar_t>("__isoc23_wcstol", "__isoc23_wcstol_l", number);
    if (number.base == 10) add("atoi", [&](Memory& m, void* f) { return call<int>(f, exactly<char>(m, number.text)); });
  }
  for (const Integer& number : kBinaries) {
    add_integer<char>("__isoc23_strtol", "__isoc23_strtol_l", number);
    add_integer<wchar_t>("__isoc23_wcstol", "__isoc23_wcstol_l", number);
  }
  // Their kin.
  const Integer number{"0x12 "sv, 0};
  add_integer<char>(
      "strtoul strtoll strtoull strtoimax strtoumax strtoq strtouq __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull "
      "__isoc23_strtoimax __isoc23_strtoumax",
      "strtoul_l strtoll_l strtoull_l __isoc23_strtoul_l __isoc23_strtoll_l __isoc23_strtoull_l", number);
  add_integer<wchar_t>(
      "wcstoul wcstoll wcstoull wcstoimax wcstoumax wcstoq wcstouq __isoc23_wcstoul __isoc23_wcstoll __isoc23_wcstoull "
      "__isoc23_wcstoimax __isoc23_wcstoumax",
      "wcstoul_l wcstoll_l wcstoull_l __isoc23_wcstoul_l __isoc23_wcstoll_l __isoc23_wcstoull_l", number);
  add("atol atoll", [](Memory& m, void* f) { return call<long>(f, exactly<char>(m, "12,")); });
  add("strtol", [](Memory& m, void* f) { return call<long>(f, m.object("12,", 3), nullptr, 10); });
  add("strtol wcstol", [](Memory& m, void* f) {  // no such base
    void* const text = m.object("12", 8);
    m.untouched();
    return call<long>(f, text, nullptr, 37);
  });
}

template <class R, class C>
void add_real(const char* names, const char* names_in_locale, const Real& number) {
  const std::string_view text = number.text;
  if (number.end != unwanted) {
    add(names, [=](Memory& m, void* f) { return call<R>(f, exactly<C>(m, text), m.out(8)); });
    add(names_in_locale, [=](Memory& m, void* f) { return call<R>(f, exactly<C>(m, text), m.out(8), plain_locale()); });
  }
  if (number.end == wanted) return;
  add(names, [=](Memory& m, void* f) { return call<R>(f, exactly<C>(m, text), nullptr); });
  add(names_in_locale, [=](Memory& m, void* f) { return call<R>(f, exactly<C>(m, text), nullptr, plain_locale()); });
}

void add_reals() {
  for (const Real& number : kReals) {
    add_real<double, char>("strtod", "strtod_l", number);
    add_real<double, wchar_t>("wcstod", "wcstod_l", number);
    if (number.end != wanted) add("atof", [&](Memory& m, void* f) { return call<double>(f, exactly<char>(m, number.text)); });
  }
  // Their kin.
  const Real number{"1.5 "sv};
  add_real<float, char>("strtof strtof32", "strtof_l strtof32_l", number);
  add_real<double, char>("strtof64 strtof32x", "strtof64_l strtof32x_l", number);
  add_real<long double, char>("strtold strtof64x", "strtold_l strtof64x_l", number);
  add_real<float, wchar_t>("wcstof wcstof32", "wcstof_l wcstof32_l", number);
  add_real<double, wchar_t>("wcstof64 wcstof32x", "wcstof64_l wcstof32x_l", number);
  add_real<long double, wchar_t>("wcstold wcstof64x", "wcstold_l wcstof64x_l", number);
  for (const std::string_view text : {"12\0"sv, "\0"sv, "0x1_z)"sv, "1 "sv}) {
    add("nan", [=](Memory& m, void* f) { return call<double>(f, exactly<char>(m, text)); });
    add("nanf", [=](Memory& m, void* f) { return call<float>(f, exactly<char>(m, text)); });
    add("nanl", [=](Memory& m, void* f) { return call<long double>(f, exactly<char>(m, text)); });
  }
  for (const std::string_view text : {"ab\0"sv, "./09AZ"sv, "az+"sv, "z-"sv, "1:"sv, "1@"sv})
    add("a64l", [=](Memory& m, void* f) { return call<long>(f, exactly<char>(m, text)); });
}

}  // namespace

void add_number_text_trials() {
  add_integers();
  add_reals();
}
