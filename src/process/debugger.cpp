#include "process/debugger.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/shown.hpp"
namespace inspect::process {

extern const char* const kGdbCommands;  // gdb/commands.py

namespace {

constexpr useconds_t kPollMicroseconds = 20'000;

// For the shell that gdb starts the launcher with.
std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string number(std::size_t n) { return std::to_string(n); }

// Bytes of Python, whatever the text holds; a terminal can show them.
std::string python_text(const std::string& raw) {
  const std::string text = shown_line(raw);
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out = "b'";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c >= ' ' && c <= '~' && c != '\'' && c != '\\')
      out += c;
    else
      out += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
  }
  return out + "'";
}

// The steps, and where gdb says before which one to stop: in the channel, which it reaches as a file of this process.
std::string known_steps(const DebuggerOptions& options, const Launch& launch) {
  std::string out = "python\nINSPECT_LINES = [";
  for (const DebuggerLine& line : options.lines)
    out += "\n(" + number(line.step) + ", " + python_text(line.thread) + ", " + python_text(line.action) + ", " +
           python_text(line.place) + ", " + (line.decisive ? "True" : "False") + "),";
  return out + "]\nINSPECT_CHANNEL = ('/proc/" + number(static_cast<std::size_t>(getpid())) + "/fd/" +
         number(static_cast<std::size_t>(launch.channel)) + "', " + number(offsetof(inspect_channel, stop_before)) + ", " +
         number(offsetof(inspect_channel, present_step)) + ")\nend\n";
}

std::string script(const DebuggerOptions& options, const Launch& launch, int saved, bool to_switch) {
  return "set startup-with-shell on\n"
         "set disable-randomization off\n"  // the launcher does it
         "set print thread-events off\n"
         "set exec-wrapper " +
         quoted(options.launcher) + " --launch " + std::to_string(saved) + "\n" + known_steps(options, launch) + "python\n" +
         kGdbCommands + "end\n" + (to_switch ? "inspect-switch\n" : "run\n");
}

Result<int> save_script(const std::string& text) {
  const int descriptor = memfd_create("inspect-gdb", 0);
  if (descriptor < 0 || write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return Error{std::string("cannot write gdb's commands: ") + std::strerror(errno)};
  return descriptor;
}

// Where gdb takes commands from: the terminal, although the program's input may be redirected; -1 if there is none.
int command_input() {
  if (!isatty(1)) return -1;
  return isatty(0) ? fcntl(0, F_DUPFD_CLOEXEC, 3) : open("/dev/tty", O_RDWR | O_CLOEXEC);
}

[[noreturn]] void become_gdb(const std::string& gdb, const std::vector<std::string>& words, int input, bool on_stderr) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP}) signal(number, SIG_DFL);
  dup2(input, 0);
  if (on_stderr) dup2(2, 1);
  setenv("SHELL", "/bin/sh", 1);  // it starts the launcher, which restores the environment
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(gdb.c_str(), arguments.data());
  _exit(127);
}

void pass_on(const std::string& text, int to) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t n = write(to, text.data() + at, text.size() - at);
    if (n <= 0) return;
    at += static_cast<std::size_t>(n);
  }
}

// ^C is gdb's business. What the program prints is a file's content, as in every replay: copied while it grows.
void accompany(Executor& executor, pid_t gdb, int output) {
  struct sigaction ignore{}, interrupt{}, quit{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  for (bool over = false; !over;) {
    over = waitpid(gdb, nullptr, WNOHANG) != 0;
    pass_on(shown(executor.take_output()), output);
    if (!over) usleep(kPollMicroseconds);
  }
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGQUIT, &quit, nullptr);
}

}  // namespace

std::optional<std::string> find_gdb() {
  const char* const path = std::getenv("PATH");
  const std::string folders = path ? path : "/usr/bin:/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string file = (end == at ? "." : folders.substr(at, end - at)) + "/gdb";
    if (access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return std::nullopt;
}

std::optional<Error> run_debugger(Executor& executor, const DebuggerOptions& options) {
  const auto gdb = find_gdb();
  if (!gdb) return Error{"gdb is not installed"};
  const Launch launch = executor.launch_description();
  const auto saved = save_launch(launch);
  if (!saved) return Error{saved.error()};
  const int terminal = command_input();
  const bool to_switch = terminal >= 0 && options.arguments.empty() &&
                         std::ranges::any_of(options.lines, [](const DebuggerLine& line) { return line.decisive; });
  const auto commands = save_script(script(options, launch, *saved, to_switch));
  if (!commands) return Error{commands.error()};
  executor.channel().stop_before = 0;
  std::vector<std::string> words{*gdb, "-q", "-x", "/dev/fd/" + std::to_string(*commands)};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  if (terminal < 0 && options.arguments.empty())
    for (const char* const word : {"-batch", "-ex", "info threads", "-ex", "thread apply all backtrace"})
      words.emplace_back(word);
  words.push_back(launch.program);
  const int input = terminal < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : terminal;
  const pid_t pid = fork();
  if (pid == 0) become_gdb(*gdb, words, input, options.results_on_stderr);
  if (pid > 0) accompany(executor, pid, options.results_on_stderr ? 2 : 1);
  for (const int descriptor : {*saved, *commands, input}) close(descriptor);
  return pid > 0 ? std::nullopt : std::optional(Error{std::string("cannot start gdb: ") + std::strerror(errno)});
}

}  // namespace inspect::process
