// The debug information of one executable or shared library as libdw gives it: units, functions, what is inlined where.
//
// For symbolizer.cpp and variables.cpp alone, which are what others ask. Guarantees: a file without debug information has no
// units.
#pragma once
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "process/symbolizer.hpp"

namespace inspect::process {

// Functions stand in namespaces and classes too (clang writes them there, dwarf_getscopes does not look).
inline bool may_hold_functions(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

struct Function {
  Dwarf_Addr begin, end;
  Dwarf_Die die;
};

// Every stretch of machine code of the functions that are written below `parent`.
inline void list_functions(Dwarf_Die& parent, std::vector<Function>& functions) {
  Dwarf_Die die;
  for (int more = dwarf_child(&parent, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    if (may_hold_functions(dwarf_tag(&die))) list_functions(die, functions);
    if (dwarf_tag(&die) != DW_TAG_subprogram) continue;
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) functions.push_back({begin, end, die});
  }
}

// The calls that were inlined at this address, from the outermost.
inline void list_inlined(Dwarf_Die& scope, Dwarf_Addr address, std::vector<Dwarf_Die>& calls) {
  Dwarf_Die die;
  for (int more = dwarf_child(&scope, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
    const int tag = dwarf_tag(&die);
    if ((tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) || dwarf_haspc(&die, address) <= 0) continue;
    if (tag == DW_TAG_inlined_subroutine) calls.push_back(die);
    return list_inlined(die, address, calls);
  }
}

inline std::string name_of(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name})
    if (const char* const text = dwarf_formstring(dwarf_attr_integrate(&function, name, &attribute))) return text;
  return {};
}

inline unsigned number_of(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  return dwarf_formudata(dwarf_attr(&die, name, &attribute), &value) ? 0 : static_cast<unsigned>(value);
}

// Where the call stands that was inlined.
inline Place call_place(Dwarf_Files* files, Dwarf_Die& call) {
  Place place;
  const char* const file = dwarf_filesrc(files, number_of(call, DW_AT_call_file), nullptr, nullptr);
  if (file) place.file = file;
  place.line = number_of(call, DW_AT_call_line);
  place.column = number_of(call, DW_AT_call_column);
  return place;
}

inline Place line_place(Dwarf_Die& unit, Dwarf_Addr address) {
  Place place;
  Dwarf_Line* const line = dwarf_getsrc_die(&unit, address);
  const char* const file = line ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
  if (!file) return place;
  int number = 0, column = 0;
  dwarf_lineno(line, &number);
  dwarf_linecol(line, &column);
  place.file = file;
  place.line = static_cast<unsigned>(number);
  place.column = static_cast<unsigned>(column);
  return place;
}

// One source file as it was compiled.
class Unit {
 public:
  explicit Unit(const Dwarf_Die& die) : die_(die) {
    Dwarf_Attribute attribute;
    if (const char* const folder = dwarf_formstring(dwarf_attr(&die_, DW_AT_comp_dir, &attribute))) folder_ = folder;
  }
  bool covers(Dwarf_Addr address) { return dwarf_haspc(&die_, address) > 0; }

  std::vector<Place> places(Dwarf_Addr address) {
    std::vector<Place> places;
    std::vector<Dwarf_Die> scopes = scopes_at(address);
    Dwarf_Files* files = nullptr;
    dwarf_getsrcfiles(&die_, &files, nullptr);
    Place next = line_place(die_, address);
    if (scopes.empty() && !next.file.empty()) places.push_back(with_folder(next));  // assembly
    for (auto scope = scopes.rbegin(); scope != scopes.rend() && !next.file.empty(); ++scope) {
      next.function = name_of(*scope);
      places.push_back(with_folder(std::move(next)));
      next = call_place(files, *scope);
    }
    return places;
  }

  Dwarf_Die& die() { return die_; }
  // The function that has this address, and what was inlined there; outermost first.
  std::vector<Dwarf_Die> scopes_at(Dwarf_Addr address) {
    std::vector<Dwarf_Die> scopes;
    if (!std::exchange(listed_, true)) list_functions(die_, functions_);
    for (Function& function : functions_) {
      if (address < function.begin || address >= function.end) continue;
      scopes.push_back(function.die);
      list_inlined(function.die, address, scopes);
      break;
    }
    return scopes;
  }

 private:
  [[nodiscard]] Place with_folder(Place place) const {
    if (!place.file.starts_with('/') && folder_.starts_with('/')) place.file = folder_ + '/' + place.file;
    return place;
  }

  Dwarf_Die die_;
  std::string folder_;  // where it was compiled
  bool listed_ = false;
  std::vector<Function> functions_;
};

class DebugInformation {
 public:
  explicit DebugInformation(const std::string& program)
      : file_(open(program.c_str(), O_RDONLY | O_CLOEXEC)), dwarf_(file_ < 0 ? nullptr : dwarf_begin(file_, DWARF_C_READ)) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_ && !dwarf_get_units(dwarf_, unit, &unit, nullptr, nullptr, &die, nullptr)) units_.emplace_back(die);
  }
  DebugInformation(const DebugInformation&) = delete;
  DebugInformation& operator=(const DebugInformation&) = delete;
  ~DebugInformation() {
    dwarf_end(dwarf_);
    if (file_ >= 0) close(file_);
  }

  std::vector<Place> places(Dwarf_Addr address) {
    Unit* const unit = unit_of(address);
    return unit ? unit->places(address) : std::vector<Place>{};
  }

  // Null: no code of that address.
  Unit* unit_of(Dwarf_Addr address) {
    for (Unit& unit : units_)
      if (unit.covers(address)) return &unit;
    return nullptr;
  }
  std::vector<Unit>& units() { return units_; }

 private:
  int file_;
  Dwarf* dwarf_;
  std::vector<Unit> units_;
};

}  // namespace inspect::process
