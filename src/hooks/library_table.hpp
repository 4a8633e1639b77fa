// What the rows of library.def say, for everyone who reads them: the pass, the list of what is covered, the test of the rows.
//
// Guarantees: a malformed row is an error that names it, never a row with less in it. Deliberately unknown here: how calls are
// instrumented, and what the runtime defines.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace inspect::library {

// How many bytes of memory an effect covers.
struct Extent {
  enum Kind {
    constant,
    argument,        // `first`, in units of `unit` bytes
    product,         // of two arguments
    string,          // characters of `unit` bytes, and their terminator
    limited_string,  // at most argument `second` characters
    string_of,       // as many bytes as the string at argument `first` has, its terminator included
    result,          // in units of `unit` bytes; none if negative
    result_times,    // times argument `first`
    result_and_end,  // a text as long as the result, and its terminator; at most argument `first`
    result_at_most,  // argument `first`
  } kind = constant;
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  std::uint64_t unit = 1;
};

// The place of an effect that is not an argument: what the call returned points there.
constexpr unsigned kResult = ~0u;
// libstdc++'s layouts: the counts of owners, ints, of an exception and of the text in one.
constexpr std::uint64_t kCountBeforeException = 128, kCountBeforeText = 8;

struct Effect {
  enum Kind {
    read,
    write,
    write_after,
    write_if_zero,  // write_after, when the result is 0
    library_state_read,
    library_state_write,
    print_arguments,
    print_list,
    scan_arguments,
    scan_list,
    acts,
    acted,
    count,  // argument points to a pointer to what is counted; the count stands extent.first bytes before that
  } kind = read;
  unsigned argument = 0;     // number of the pointer argument; of the format for print and scan
  bool may_be_null = false;  // no access then
  bool wide = false;         // print, scan: a format of wide characters
  Extent extent;
  unsigned object = 0;    // index in inspect_library_state; number of an ACTION
  std::string_view name;  // of either
};

struct Function {
  std::vector<Effect> effects;
  bool modelled = false;   // by the runtime
  bool waits = false;      // of those: what it changes shows in visible operations
  bool looks = false;      // of those: what it changes for others shows in visible operations
  bool tells = false;      // of those: the model tells of all memory that it changes
  unsigned callbacks = 0;  // bit i: argument i is a function which the call calls
};

struct Row {
  std::string_view names, effects;
};

// The rows as they are written.
inline constexpr Row kRows[] = {
#define LIBRARY_STATE(name)
#define LIBRARY(names, effects) {names, effects},
#include "hooks/library.def"
};

inline constexpr unsigned kLibraryStateBytes = 8;
inline constexpr std::string_view kLibraryStates[] = {
#define LIBRARY_STATE(name) #name,
#define LIBRARY(names, effects)
#include "hooks/library.def"
};

// What a format asks of the locale: its point, its groups, its characters.
constexpr Effect sees_locale() {
  Effect effect;
  effect.kind = Effect::library_state_read;
  effect.name = "locale";
  while (kLibraryStates[effect.object] != effect.name) ++effect.object;
  return effect;
}

// What the runtime computes from a call's arguments (runtime/environment/library_actions.cpp).
enum class Action : unsigned {
#define ACTION(name) name,
#include "hooks/library_actions.def"
  count
};

inline constexpr std::string_view kActions[] = {
#define ACTION(name) #name,
#include "hooks/library_actions.def"
};

// Of actions that only read, and only what their first arguments point to: how many of these. 0: it does more.
constexpr unsigned texts_read(Action action) {
  switch (action) {
    case Action::compare_strings:
    case Action::compare_limited:
    case Action::compare_folded:
    case Action::compare_folded_limited:
      return 2;
    case Action::find_byte:
    case Action::find_byte_endless:
    case Action::find_character:
    case Action::find_wide:
    case Action::decimal:
    case Action::integer:
    case Action::integer_2023:
    case Action::wide_integer:
    case Action::wide_integer_2023:
    case Action::real:
    case Action::wide_real:
    case Action::payload:
    case Action::digits_of_64:
      return 1;
    default:
      return 0;
  }
}

// Calls `each` with every word of a text.
template <class Each>
void for_each_word(std::string_view text, Each each) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (end) each(text.substr(0, end));
    if (end == text.npos) return;
    text.remove_prefix(end + 1);
  }
}

// Reads one row. `ok()` is false after a malformed one.
class RowParser {
 public:
  Function parse(std::string_view effects) {
    Function row;
    for_each_word(effects, [&](std::string_view word) {
      if (word == "runtime")
        row.modelled = true;
      else if (word == "waits")
        row.waits = true;
      else if (word == "looks")
        row.looks = true;
      else if (word == "tells")
        row.tells = true;
      else if (take(word, "calls"))
        row.callbacks |= 1u << (number(word) & 31);
      else
        row.effects.push_back(effect(word));
    });
    return row;
  }
  [[nodiscard]] bool ok() const { return ok_; }

 private:
  bool ok_ = true;

  std::uint64_t number(std::string_view text) {
    std::uint64_t value = 0;
    if (text.empty()) ok_ = false;
    for (const char c : text) {
      if (c < '0' || c > '9') ok_ = false;
      value = value * 10 + std::uint64_t(c - '0');
    }
    return value;
  }

  static bool take(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
  }

  template <std::size_t n>
  unsigned position(const std::string_view (&names)[n], std::string_view name) {
    for (unsigned i = 0; i < n; ++i)
      if (names[i] == name) return i;
    ok_ = false;
    return 0;
  }

  // "2" or "#4" behind a star.
  Extent times(Extent extent, std::string_view factor, Extent::Kind by_argument, bool second) {
    if (take(factor, "#")) {
      extent.unit = number(factor);
    } else {
      extent.kind = by_argument;
      (second ? extent.second : extent.first) = number(factor);
    }
    return extent;
  }

  Extent extent(std::string_view text) {
    constexpr std::uint64_t kWide = sizeof(wchar_t);
    if (take(text, "#")) return {Extent::constant, number(text), 0, 1};
    if (take(text, "ret*")) return times({Extent::result, 0, 0, 1}, text, Extent::result_times, false);
    if (take(text, "ret")) return end(text, {Extent::result, 0, 0, 1});
    if (take(text, "fit")) return {Extent::result_and_end, number(text), 0, 1};
    if (take(text, "upto")) return {Extent::result_at_most, number(text), 0, 1};
    if (take(text, "t")) return {Extent::string_of, number(text), 0, 1};
    if (take(text, "T")) return {Extent::string_of, number(text), 0, kWide};
    const std::uint64_t unit = text.starts_with("S") ? kWide : 1;
    if (take(text, "s") || take(text, "S")) {
      if (text.empty()) return {Extent::string, 0, 0, unit};
      return {Extent::limited_string, 0, number(text), unit};
    }
    const std::size_t star = text.find('*');
    if (star == text.npos) return {Extent::argument, number(text), 0, 1};
    return times({Extent::argument, number(text.substr(0, star)), 0, 1}, text.substr(star + 1), Extent::product, true);
  }

  Extent end(std::string_view rest, Extent extent) {
    if (!rest.empty()) ok_ = false;
    return extent;
  }

  Effect named(Effect::Kind kind, unsigned object, std::string_view name) {
    Effect effect;
    effect.kind = kind;
    effect.object = object;
    effect.name = name;
    return effect;
  }

  Effect formatted(Effect::Kind kind, std::string_view format, bool wide) {
    Effect effect;
    effect.kind = kind;
    effect.wide = wide;
    effect.argument = unsigned(number(format));
    return effect;
  }

  Effect effect(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == word.npos) ok_ = false;
    std::string_view place = word.substr(0, colon), rest = colon == word.npos ? word : word.substr(colon + 1);
    if (place == "state") return named(Effect::library_state_write, position(kLibraryStates, rest), rest);
    if (place == "sees") return named(Effect::library_state_read, position(kLibraryStates, rest), rest);
    if (place == "counts" || place == "counts_text") {
      Effect effect;
      effect.kind = Effect::count;
      effect.extent.first = place == "counts" ? kCountBeforeException : kCountBeforeText;
      effect.argument = unsigned(number(rest));
      return effect;
    }
    if (place == "acts") return named(Effect::acts, position(kActions, rest), rest);
    if (place == "acted") return named(Effect::acted, position(kActions, rest), rest);
    const bool wide = place.ends_with("W");
    const std::string_view family = wide ? place.substr(0, place.size() - 1) : place;
    if (family == "printf") return formatted(Effect::print_arguments, rest, wide);
    if (family == "vprintf") return formatted(Effect::print_list, rest, wide);
    if (family == "scanf") return formatted(Effect::scan_arguments, rest, wide);
    if (family == "vscanf") return formatted(Effect::scan_list, rest, wide);
    return touch(place, rest);
  }

  Effect touch(std::string_view place, std::string_view size) {
    Effect effect;
    if (take(place, "r"))
      effect.kind = Effect::read;
    else if (take(place, "w"))
      effect.kind = Effect::write;
    else if (take(place, "W"))
      effect.kind = Effect::write_after;
    else if (take(place, "Z"))
      effect.kind = Effect::write_if_zero;
    else
      ok_ = false;
    if (place.ends_with("?")) {
      effect.may_be_null = true;
      place.remove_suffix(1);
    }
    if (place == "=") {
      effect.argument = kResult;
      ok_ = ok_ && effect.kind == Effect::write_after;
    } else {
      effect.argument = unsigned(number(place));
    }
    effect.extent = extent(size);
    // What a text in place holds is known beforehand only where it is read, and a result only afterwards.
    const bool before = effect.kind == Effect::read || effect.kind == Effect::write;
    const Extent::Kind kind = effect.extent.kind;
    const bool of_result = kind >= Extent::result, of_text = kind == Extent::string || kind == Extent::limited_string;
    if (before && of_result) ok_ = false;
    if (effect.kind == Effect::write && of_text) ok_ = false;
    return effect;
  }
};

// The rows by function; the first malformed or doubled one is named in `error`.
inline std::unordered_map<std::string_view, Function> read_rows(std::string& error) {
  std::unordered_map<std::string_view, Function> rows;
  for (const Row& row : kRows) {
    RowParser parser;
    const Function function = parser.parse(row.effects);
    for_each_word(row.names, [&](std::string_view name) {
      if (!error.empty()) return;
      if (!parser.ok()) error = "library.def: malformed row of " + std::string(name);
      if (!rows.emplace(name, function).second) error = "library.def: two rows of " + std::string(name);
    });
  }
  return rows;
}

}  // namespace inspect::library
