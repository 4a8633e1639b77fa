// The machine as every execution sees it.
#pragma once
#include <sys/types.h>

namespace inspect::runtime {

inline constexpr pid_t kProcessNumber = 4242;
inline constexpr unsigned kProcessors = 4;

}  // namespace inspect::runtime
