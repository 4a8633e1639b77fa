// Words of messages that depend on a number.
#pragma once
#include <cstdint>

namespace inspect::runtime {

inline const char* byte_word(std::uint64_t count) { return count == 1 ? "byte" : "bytes"; }

}  // namespace inspect::runtime
