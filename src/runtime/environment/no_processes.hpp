// The program starts no process and reaches none but its own: what it started would outlive an execution, and the explorer if
// that is killed; what it signals, stops or limits may be the explorer.
//
// Guarantees: the kernel refuses every system call that starts a process or, where threads are fibers, a thread, and those that
// signal, trace, limit or write another process, whoever makes it; the call ends its execution as unsupported, so nothing is
// ever left over. Deliberately unknown here: the functions of the library that do so, which are refused by name before they get
// there; what is reached through files.
#pragma once
#include <signal.h>

namespace inspect::runtime {

// From now on, for the life of the process. A kernel that knows no such filters goes without.
void confine_to_process(bool threads_are_fibers);
// Did the filter stop the program?
inline bool stopped_by_filter(int number, const siginfo_t& info) {
  constexpr int kFilter = 1;  // SYS_SECCOMP of the kernel
  return number == SIGSYS && info.si_code == kFilter;
}
// Did it stop a call that reaches this process alone? It knows the number of the process that it was made for, and a copy has
// another.
bool reaches_itself(const siginfo_t& info, long first_argument);
// What it refused.
const char* refused_by_filter(const siginfo_t& info);

}  // namespace inspect::runtime
