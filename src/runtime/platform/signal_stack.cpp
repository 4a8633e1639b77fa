#include "runtime/platform/signal_stack.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {
namespace {

constexpr std::uint64_t kAlternateStack = 0x205000000000;
constexpr std::size_t kAlternateStackBytes = 64 << 10;

}  // namespace

void map_signal_stack() {
  system_call(SYS_mmap, kAlternateStack, kAlternateStackBytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

void use_signal_stack() {
  stack_t stack{};
  stack.ss_sp = reinterpret_cast<void*>(kAlternateStack);
  stack.ss_size = kAlternateStackBytes;
  system_call(SYS_sigaltstack, reinterpret_cast<long>(&stack), 0);
}

}  // namespace inspect::runtime
