// The conversions of printf and scanf formats that concern memory.
#pragma once
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace inspect::pass {

struct Conversion {
  enum Kind { value, string, count } kind = value;  // count: %n
  uint64_t size = 0;                                // bytes of the object that scanf stores; of `value` and `count`
  std::optional<uint64_t> precision;                // of a printed string: at most so many bytes
  bool precision_argument = false;                  // the precision is the argument before this one
};

// One entry per argument that the format consumes, in order; widths and precisions given as `*` are entries of kind value. None
// if the format uses positions (%1$d) or is not understood.
std::optional<llvm::SmallVector<Conversion, 8>> parse_print_format(llvm::StringRef format);
// One entry per argument that is stored to.
std::optional<llvm::SmallVector<Conversion, 8>> parse_scan_format(llvm::StringRef format);

}  // namespace inspect::pass
