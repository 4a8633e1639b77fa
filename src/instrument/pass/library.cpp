#include "instrument/pass/library.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/Support/ErrorHandling.h>
#include "instrument/pass/hooks.hpp"

using namespace llvm;

namespace inspect::pass {

namespace {

[[noreturn]] void malformed(StringRef name) { report_fatal_error("library.def: malformed row of " + Twine(name)); }

uint64_t number(StringRef text, StringRef function) {
  uint64_t value = 0;
  if (text.getAsInteger(10, value)) malformed(function);
  return value;
}

Extent parse_extent(StringRef text, StringRef function) {
  if (text.consume_front("#")) return {Extent::constant, number(text, function), 0};
  if (text == "s") return {Extent::string, 0, 0};
  if (text.consume_front("s")) return {Extent::limited_string, 0, number(text, function)};
  if (text == "ret") return {Extent::result, 0, 0};
  if (text.consume_front("ret*")) return {Extent::result_times, number(text, function), 0};
  if (const auto [first, second] = text.split('*'); !second.empty())
    return {Extent::product, number(first, function), number(second, function)};
  return {Extent::argument, number(text, function), 0};
}

constexpr const char* kHiddenNames[] = {
#define HIDDEN(name) #name,
#define LIBRARY(names, effects)
#include "hooks/library.def"
};

unsigned hidden_number(StringRef name, StringRef function) {
  for (unsigned i = 0; i < std::size(kHiddenNames); ++i)
    if (name == kHiddenNames[i]) return i;
  malformed(function);
}

Effect parse_effect(StringRef token, StringRef function) {
  Effect effect;
  auto [place, extent] = token.split(':');
  if (place == "hidden" || place == "sees") {
    effect.kind = place == "hidden" ? Effect::hidden_write : Effect::hidden_read;
    effect.hidden_object = hidden_number(extent, function);
    effect.hidden_name = extent;
    return effect;
  }
  if (place == "printf" || place == "scanf") {
    effect.kind = place == "printf" ? Effect::print_arguments : Effect::scan_arguments;
    effect.argument = unsigned(number(extent, function));
    return effect;
  }
  if (place.consume_front("r"))
    effect.kind = Effect::read;
  else if (place.consume_front("w"))
    effect.kind = Effect::write;
  else if (place.consume_front("W"))
    effect.kind = Effect::write_after;
  else
    malformed(function);
  effect.may_be_null = place.consume_back("?");
  effect.argument = unsigned(number(place, function));
  effect.extent = parse_extent(extent, function);
  return effect;
}

LibraryFunction parse_row(StringRef name, StringRef effects) {
  LibraryFunction row;
  SmallVector<StringRef, 4> tokens;
  effects.split(tokens, ' ', -1, false);
  for (StringRef token : tokens) {
    if (token == "runtime")
      row.modelled = true;
    else if (token == "waits")
      row.waits = true;
    else if (token == "tells")
      row.tells = true;
    else
      row.effects.push_back(parse_effect(token, name));
  }
  return row;
}

const StringMap<LibraryFunction>& table() {
  static const StringMap<LibraryFunction> rows = [] {
    StringMap<LibraryFunction> map;
    const std::pair<StringRef, StringRef> all[] = {
#define HIDDEN(name)
#define LIBRARY(names, effects) {names, effects},
#include "hooks/library.def"
    };
    for (const auto& [names, effects] : all) {
      SmallVector<StringRef, 32> list;
      names.split(list, ' ', -1, false);
      for (StringRef name : list)
        if (!map.try_emplace(name, parse_row(name, effects)).second) report_fatal_error("library.def: two rows of " + name);
    }
    return map;
  }();
  return rows;
}

}  // namespace

const LibraryFunction* library_function(StringRef name) {
  name.consume_front("\01");  // a name given by an asm label
  const auto found = table().find(name);
  return found == table().end() ? nullptr : &found->second;
}

bool is_string_member(StringRef name) {
  return name.starts_with("_ZNSt7__cxx1112basic_string") || name.starts_with("_ZNKSt7__cxx1112basic_string");
}

const LibraryFunction* string_member(StringRef name) {
  static const LibraryFunction looks = parse_row("std::string", "r0:#16"), reads = parse_row("std::string", "r0:#32"),
                               writes = parse_row("std::string", "w0:#32");
  if (!is_string_member(name)) return nullptr;
  // Members that need only pointer and length; the standard lets threads call them while others write characters.
  for (const char* look : {"EE2atEm", "EE5beginEv", "EE3endEv", "EE6rbeginEv", "EE4rendEv", "EE5frontEv", "EE4backEv", "EEixEm",
                           "EE4dataEv", "EE5c_strEv", "EE4sizeEv", "EE6lengthEv", "EE5emptyEv", "EE8capacityEv"})
    if (name.ends_with(look)) return &looks;
  return name.starts_with("_ZNK") ? &reads : &writes;
}

bool may_disturb(StringRef name) {
  if (is_own_name(name)) return false;
  const LibraryFunction* row = library_function(name);
  return !row || (row->modelled && !row->waits);
}

bool is_untold(StringRef name) {
  if (is_own_name(name)) return false;
  const LibraryFunction* row = library_function(name);
  return !row || (row->modelled && !row->waits && !row->tells);
}

bool is_library_function(StringRef name) {
  name.consume_front("\01");
  if (is_own_name(name) || library_function(name)) return true;
  for (const char* prefix : {"_ZS", "_ZN9__gnu_cxx", "_ZN10__cxxabiv1", "__cxa_", "_Unwind_", "__gxx_", "_ZTH", "_ZTW"})
    if (name.starts_with(prefix)) return true;
  if (!name.consume_front("_ZN")) return false;
  return name.ltrim("rVKRO").starts_with("S");  // a member of something in std, with any qualifiers
}

}  // namespace inspect::pass
