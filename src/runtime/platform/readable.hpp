// Is memory there? Asked of the kernel, so that nothing faults.
#pragma once
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {

// Can these bytes be read? The kernel fetches a signal mask from there before it finds that there is no such operation on it.
inline bool is_readable(std::uintptr_t address, std::size_t size) {
  constexpr long kNoSuchOperation = -1;
  constexpr std::uintptr_t kFirstPage = 4096;  // never mapped; and no mask is fetched from a null pointer
  if (address < kFirstPage) return false;
  for (std::uintptr_t word = address & ~7ul; word < address + size; word += 8)
    if (system_call(SYS_rt_sigprocmask, kNoSuchOperation, long(word), 0, 8) == -EFAULT) return false;
  return true;
}

}  // namespace inspect::runtime
