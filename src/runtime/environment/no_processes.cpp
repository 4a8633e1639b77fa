#include "runtime/environment/no_processes.hpp"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>

#include <iterator>

#include "runtime/platform/fork.hpp"
#include "runtime/platform/system_call.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kX32 = 0x40000000;  // the numbers of another interface

constexpr sock_filter load(unsigned offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset); }
constexpr sock_filter end_with(unsigned action) { return BPF_STMT(BPF_RET | BPF_K, action); }

// Who calls one of these starts a process, or reaches into one that may be another.
constexpr unsigned kNever[] = {SYS_fork, SYS_vfork, SYS_clone3, SYS_ptrace, SYS_pidfd_send_signal};
// Their first argument says whom they reach.
constexpr unsigned kOnlyOwn[] = {SYS_kill,   SYS_rt_sigqueueinfo,   SYS_rt_tgsigqueueinfo,
                                 SYS_tgkill, SYS_process_vm_writev, SYS_pidfd_open};
// The places of the filter.
constexpr std::uint8_t kFirst = 8, kAfterNever = kFirst + std::size(kNever), kAfterOwn = kAfterNever + 3 + std::size(kOnlyOwn);
constexpr std::uint8_t kLimit = kAfterOwn, kWho = kLimit + 2, kClone = kWho + 2, kAllow = kClone + 2, kTrap = kAllow + 1;

}  // namespace

void confine_to_process(bool threads_are_fibers) {
  // A clone with any of these flags is allowed.
  const unsigned allowed_clones = threads_are_fibers ? 0 : CLONE_THREAD;
  const auto own = static_cast<unsigned>(system_call(SYS_getpid));
  sock_filter program[kTrap + 1];
  std::uint8_t n = 0;
  const auto put = [&](sock_filter line) { program[n++] = line; };
  const auto go_if = [&](unsigned how, unsigned value, std::uint8_t then, std::uint8_t otherwise) {
    put(BPF_JUMP(std::uint16_t(BPF_JMP | how | BPF_K), value, std::uint8_t(then - n - 1), std::uint8_t(otherwise - n - 1)));
  };
  const auto next = [&] { return std::uint8_t(n + 1); };
  put(load(offsetof(seccomp_data, arch)));
  go_if(BPF_JEQ, AUDIT_ARCH_X86_64, next(), kTrap);
  const std::uintptr_t gate = gate_address();
  put(load(offsetof(seccomp_data, instruction_pointer)));
  go_if(BPF_JEQ, unsigned(gate), next(), std::uint8_t(n + 3));
  put(load(offsetof(seccomp_data, instruction_pointer) + 4));
  go_if(BPF_JEQ, unsigned(gate >> 32), kAllow, next());
  put(load(offsetof(seccomp_data, nr)));
  go_if(BPF_JGE, kX32, kTrap, next());
  for (const unsigned number : kNever) go_if(BPF_JEQ, number, kTrap, next());
  go_if(BPF_JEQ, SYS_clone, kClone, next());
  go_if(BPF_JEQ, SYS_prlimit64, kLimit, next());
  for (const unsigned number : kOnlyOwn) go_if(BPF_JEQ, number, kWho, next());
  go_if(BPF_JEQ, threads_are_fibers ? SYS_tkill : kX32, kWho, kAllow);
  put(load(offsetof(seccomp_data, args)));  // kLimit: 0 is its own too
  go_if(BPF_JEQ, 0, kAllow, next());
  put(load(offsetof(seccomp_data, args)));  // kWho
  go_if(BPF_JEQ, own, kAllow, kTrap);
  put(load(offsetof(seccomp_data, args)));  // kClone
  go_if(BPF_JSET, allowed_clones, kAllow, kTrap);
  put(end_with(SECCOMP_RET_ALLOW));
  put(end_with(SECCOMP_RET_TRAP));
  const sock_fprog filter{sizeof program / sizeof *program, program};
  system_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1);
  // The program's own code is no danger to others that the processor should be slowed down for.
  system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, reinterpret_cast<long>(&filter));
}

bool reaches_itself(const siginfo_t& info, long first_argument) {
  constexpr unsigned calls[] = {SYS_kill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo, SYS_tgkill, SYS_pidfd_open, SYS_prlimit64,
                                SYS_tkill};
  bool reaches = false;
  for (const unsigned number : calls) reaches |= unsigned(info.si_syscall) == number;
  return reaches && first_argument == system_call(SYS_getpid);
}

const char* refused_by_filter(const siginfo_t& info) {
  const auto is_it = [&](unsigned number) { return unsigned(info.si_syscall) == number; };
  constexpr unsigned starts[] = {SYS_fork, SYS_vfork, SYS_clone, SYS_clone3};
  for (const unsigned number : starts)
    if (is_it(number)) return "a system call that starts a process or a thread";
  for (const unsigned number : kOnlyOwn)
    if (is_it(number)) return "a system call that reaches another process";
  for (const unsigned number : {SYS_ptrace, SYS_pidfd_send_signal, SYS_prlimit64, SYS_tkill})
    if (is_it(unsigned(number))) return "a system call that reaches another process";
  return "a system call by the numbers of another interface";
}

}  // namespace inspect::runtime
