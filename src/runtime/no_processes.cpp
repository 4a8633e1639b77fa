#include "runtime/no_processes.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "runtime/system_call.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kX32 = 0x40000000;  // the numbers of another interface

constexpr sock_filter load(unsigned offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
constexpr sock_filter skip_if(unsigned how, unsigned value, std::uint8_t then, std::uint8_t otherwise) {
  return BPF_JUMP(std::uint16_t(BPF_JMP | how | BPF_K), value, then, otherwise);
}
constexpr sock_filter end_with(unsigned action) { return BPF_STMT(BPF_RET | BPF_K, action); }

}  // namespace

void forbid_processes(bool threads_are_fibers) {
  // A clone with any of these flags is allowed.
  const unsigned allowed_clones = threads_are_fibers ? 0 : CLONE_THREAD;
  sock_filter program[] = {
      load(offsetof(seccomp_data, arch)), skip_if(BPF_JEQ, AUDIT_ARCH_X86_64, 0, 9),
      load(offsetof(seccomp_data, nr)),   skip_if(BPF_JGE, kX32, 7, 0),
      skip_if(BPF_JEQ, SYS_fork, 6, 0),   skip_if(BPF_JEQ, SYS_vfork, 5, 0),
      skip_if(BPF_JEQ, SYS_clone3, 4, 0), skip_if(BPF_JEQ, SYS_clone, 0, 2),
      load(offsetof(seccomp_data, args)), skip_if(BPF_JSET, allowed_clones, 0, 1),
      end_with(SECCOMP_RET_ALLOW),        end_with(SECCOMP_RET_TRAP),
  };
  const sock_fprog filter{sizeof program / sizeof *program, program};
  system_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
  // The program's own code is no danger to others that the processor should be slowed down for.
  system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, reinterpret_cast<long>(&filter));
}

}  // namespace inspect::runtime
