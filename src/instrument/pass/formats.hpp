// Constant formats of printf and scanf: which of a call's arguments are strings, or are stored to.
//
// Guarantees: a format that cannot be read, or that numbers its arguments, gives none: the runtime reads it then.
#pragma once
#include <optional>

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>
#include "hooks/format.hpp"

namespace inspect::pass {

using format::Conversion;

std::optional<llvm::SmallVector<Conversion, 8>> parse_format(llvm::StringRef text, bool scans);

}  // namespace inspect::pass
