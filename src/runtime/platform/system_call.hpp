// Raw system calls: no errno, no cancellation, usable before libc is ready.
#pragma once
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

namespace inspect::runtime {

// The kernel's result: negative error numbers included.
inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

// Zeroed private memory at exactly this address, replacing what was there. The runtime never calls the library's mmap: it is
// replaced.
inline void map_zeroed(std::uintptr_t address, std::size_t bytes) {
  constexpr long kReadWrite = 3, kPrivateAnonymousFixedNoReserve = 0x02 | 0x20 | 0x10 | 0x4000;
  system_call(SYS_mmap, long(address), long((bytes + 4095) & ~4095ul), kReadWrite, kPrivateAnonymousFixedNoReserve, -1, 0);
}

}  // namespace inspect::runtime
