#include "runtime/platform/signal_stack.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "hooks/address_map.hpp"
#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {
namespace {

constexpr std::size_t kSignalStackBytes = 64 << 10;

}  // namespace

void map_signal_stack() {
  system_call(SYS_mmap, kSignalStackBase, kSignalStackBytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

void use_signal_stack() {
  stack_t stack{};
  stack.ss_sp = reinterpret_cast<void*>(kSignalStackBase);
  stack.ss_size = kSignalStackBytes;
  system_call(SYS_sigaltstack, reinterpret_cast<long>(&stack), 0);
}

}  // namespace inspect::runtime
