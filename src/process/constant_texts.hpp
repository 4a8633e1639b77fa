// The texts that stand among the constants of an executable.
//
// Guarantees: a damaged file has none; it is no error.
#pragma once
#include <cstdint>
#include <string>

namespace inspect::process {

// Linkers make one text of two where one is the end of the other: then only `ending` is certain.
enum class TextMatch : std::uint8_t { none, ending, whole };
TextMatch find_constant_text(const std::string& path, const std::string& text);

}  // namespace inspect::process
