// The program starts no process: what it started would outlive an execution, and the explorer if that is killed.
//
// Guarantees: the kernel refuses every system call that starts a process or, where threads are fibers, a thread, whoever makes
// it; the call ends its execution as unsupported, so nothing is ever left over. Deliberately unknown here: the functions of the
// library that do so, which are refused by name before they get there.
#pragma once
#include <signal.h>

namespace inspect::runtime {

// From now on, for the life of the process. A kernel that knows no such filters goes without.
void forbid_processes(bool threads_are_fibers);
// Did the filter stop the program?
inline bool stopped_by_filter(int number, const siginfo_t& info) {
  constexpr int kFilter = 1;  // SYS_SECCOMP of the kernel
  return number == SIGSYS && info.si_code == kFilter;
}

}  // namespace inspect::runtime
