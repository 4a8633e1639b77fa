#include "cli/interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace inspect::cli {
namespace {

// A signal handler has no other place to leave its mark.
volatile std::sig_atomic_t stop_requested = 0;

// The first signal asks the search to stop after the executions under way; the second does not wait for them.
void request_stop(int) {
  if (stop_requested) _exit(3);
  stop_requested = 1;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = request_stop;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    // A shell that started us in the background ignores SIGINT for us; nohup ignores SIGHUP.
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    sigaction(signal, &action, nullptr);
  }
  signal(SIGPIPE, SIG_IGN);
}

bool interrupted() { return stop_requested != 0; }

}  // namespace inspect::cli
