#include "base/interrupt.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <initializer_list>

namespace inspect {
namespace {

// A signal handler has no other place to leave its mark.
volatile std::sig_atomic_t stop_requested = 0, out_of_time = 0;

char folder_to_remove[4096];

// Only what a signal handler may call.
void remove_folder() {
  if (!folder_to_remove[0]) return;
  const pid_t child = fork();
  if (child == 0) {
    execl("/bin/rm", "rm", "-rf", folder_to_remove, static_cast<char*>(nullptr));
    _exit(127);
  }
  if (child > 0) waitpid(child, nullptr, 0);
}

// At the limit of processor time the kernel kills the process: a second before, there is still time to say so.
void notice_end_of_time() {
  rlimit limit{};
  if (getrlimit(RLIMIT_CPU, &limit) || limit.rlim_cur == RLIM_INFINITY) return;
  if (limit.rlim_cur == limit.rlim_max) --limit.rlim_cur;
  signal(SIGXCPU, [](int) {
    out_of_time = 1;
    stop_requested = 1;
  });
  setrlimit(RLIMIT_CPU, &limit);
}

// The first signal asks the search to stop after the executions under way; the second does not wait for them.
void request_stop(int) {
  if (stop_requested) {
    remove_folder();
    _exit(3);
  }
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
  signal(SIGXFSZ, SIG_IGN);  // a file too large is an error like another
  notice_end_of_time();
  signal(SIGCHLD, SIG_DFL);  // ignored, children would end without a word to us
}

void follow_interrupts() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, SIG_IGN);
  signal(SIGXCPU, SIG_DFL);  // others do what it had to do
  struct sigaction action{};
  action.sa_handler = [](int) { stop_requested = 1; };
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, nullptr);
  sigset_t hurry;
  sigemptyset(&hurry);
  sigaddset(&hurry, SIGUSR1);
  sigprocmask(SIG_UNBLOCK, &hurry, nullptr);
}

void remove_at_exit(const std::string& folder) {
  folder_to_remove[0] = '\0';  // never half a path
  if (folder.size() >= sizeof folder_to_remove) return;
  std::memcpy(folder_to_remove + 1, folder.c_str() + std::min<std::size_t>(1, folder.size()), folder.size());
  folder_to_remove[0] = folder.empty() ? '\0' : folder[0];
}

bool interrupted() { return stop_requested != 0; }

std::string why_interrupted() { return out_of_time ? "the limit of processor time was reached (ulimit -t)" : "interrupted"; }

}  // namespace inspect
