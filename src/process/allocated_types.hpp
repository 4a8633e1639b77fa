// Which type the calls of allocating functions are for, as the compiler has told (hooks/allocated_types.h).
//
// Guarantees: rows that are damaged, or contradict each other, are none. Deliberately unknown here: what the types consist of.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "process/symbolizer.hpp"

namespace inspect::process {

struct AllocatedRow {
  std::string name;         // without its scope
  unsigned line = 0;        // of its declaration; 0: of the language
  std::uint64_t size = 0;   // of one; 0: its members are not known
  std::uint64_t begin = 0;  // bytes in front of the first
  bool many = false;        // several in a row, perhaps
  bool operator==(const AllocatedRow&) const = default;
};

class AllocatedRows {
 public:
  // Of an executable or shared library.
  explicit AllocatedRows(const std::string& program);
  // call: its place, with the linker's name of the function that it stands in.
  [[nodiscard]] std::optional<AllocatedRow> at(const Place& call) const;

 private:
  void add(const std::string& row);

  using Call = std::tuple<std::string, unsigned, unsigned>;
  std::map<Call, std::optional<AllocatedRow>> rows_;  // none: there are several
};

}  // namespace inspect::process
