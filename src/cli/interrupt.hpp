// SIGINT, SIGTERM and SIGHUP as a request to stop: work ends early with what was covered so far, and nothing is left behind.
//
// Guarantees: the handler only sets a flag; blocking system calls return EINTR.
#pragma once

namespace inspect::cli {

// Installs the handlers (once, by main).
void catch_interrupts();

[[nodiscard]] bool interrupted();

}  // namespace inspect::cli
