// SIGINT, SIGTERM, SIGHUP, and the coming end of processor time, as a request to stop: work ends early with what was covered so
// far, and nothing is left behind.
//
// Guarantees: the first signal only sets a flag, and blocking system calls return EINTR; the second ends the process at once,
// but removes the folder it was told of.
#pragma once
#include <string>

namespace inspect {

// Installs the handlers (once, by main).
void catch_interrupts();

// In a worker: such signals are the first worker's business, which says by SIGUSR1 when the end has come.
void follow_interrupts();

[[nodiscard]] bool interrupted();
[[nodiscard]] std::string why_interrupted();

// The folder to remove at a second signal; empty: none.
void remove_at_exit(const std::string& folder);

}  // namespace inspect
