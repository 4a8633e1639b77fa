#include "symbolic_engine/solver_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "base/shown.hpp"
#include "compile/build.hpp"

extern char** environ;

namespace inspect::symbolic_engine {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kGrace = 5;  // seconds: it ends by itself when its time is up, and is ended after so many more

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC)) return false;
    read = ends[0], write = ends[1];
    return true;
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
  ~Pipe() {
    close_write();
    if (read >= 0) close(read);
  }
};

class Process {
 public:
  explicit Process(const Question& question) : question_(question) {}
  ~Process() {
    if (pid_ > 0) end();
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  std::optional<Error> start() {
    if (!answers_.open() || !complaints_.open()) return Error{fmt::format("no pipe: {}", system_reason()), true};
    std::vector<std::string> words{question_.solver, "--answers"};
    if (question_.time_limit) words.push_back(fmt::format("--time-limit={}", *question_.time_limit));
    if (question_.memory_limit) words.push_back(fmt::format("--memory-limit={}", *question_.memory_limit));
    words.insert(words.end(), question_.options.begin(), question_.options.end());
    words.push_back(question_.executable.starts_with('-') ? "./" + question_.executable : question_.executable);
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, answers_.write, 1);
    posix_spawn_file_actions_adddup2(&actions, complaints_.write, 2);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setpgroup(&attributes, 0);  // ^C is ours, and we end it
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawn(&pid_, question_.solver.c_str(), &actions, &attributes, raw.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    answers_.close_write();
    complaints_.close_write();
    if (!error) return std::nullopt;
    pid_ = 0;
    return Error{fmt::format("cannot run {}: {}", question_.solver, std::strerror(error)), true};
  }

  Reply listen() {
    Reply reply;
    const auto began = Clock::now();
    pollfd ends[2] = {{answers_.read, POLLIN, 0}, {complaints_.read, POLLIN, 0}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
      if (interrupted()) return reply.why_none = why_interrupted(), reply;
      const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
      if (question_.time_limit && seconds > *question_.time_limit + kGrace) return reply.why_none = "time limit reached", reply;
      if (poll(ends, 2, 100) < 0 && errno != EINTR) break;
      for (pollfd& end : ends)
        if (end.fd >= 0 && end.revents && !take(end.fd)) end.fd = -1;
      if (!wrong_.empty()) return reply.is_internal = true, reply.why_none = "inspect-symbolic said " + wrong_, reply;
    }
    const int status = end_by_itself(reply);
    if (answer_.is_whole)
      reply.answer = std::move(answer_);
    else
      explain(status, reply);
    return reply;
  }

 private:
  // False: there is no more.
  bool take(int from) {
    char buffer[1 << 16];
    const ssize_t n = read(from, buffer, sizeof buffer);
    if (n < 0) return errno == EINTR || errno == EAGAIN;
    if (n == 0) return false;
    if (from == complaints_.read) {
      complaint_.append(buffer, static_cast<std::size_t>(n));
      if (complaint_.size() > kMostComplaint) complaint_.erase(0, complaint_.size() - kMostComplaint);
      return true;
    }
    rest_.append(buffer, static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
      std::optional<SymbolicFigures> progress;
      if (const auto error = take_line(std::string_view(rest_).substr(begin, end - begin), answer_, progress))
        wrong_ = error->message;
      if (progress && question_.on_progress) question_.on_progress(*progress);
    }
    rest_.erase(0, begin);
    return true;
  }

  void end() {
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
  }

  int end_by_itself(Reply& reply) {
    int status = 0;
    rusage usage{};
    while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR)
      if (interrupted()) kill(-pid_, SIGKILL);
    pid_ = 0;
    reply.peak_memory_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    return status;
  }

  void explain(int status, Reply& reply) const {
    const std::string said = complaint_.empty() ? "" : ": " + shown_line(complaint_);
    const bool no_memory =
        complaint_.find("out of memory") != std::string::npos || complaint_.find("bad_alloc") != std::string::npos;
    if (no_memory)
      reply.why_none = "inspect-symbolic has no memory left";
    else if (WIFSIGNALED(status))
      reply.why_none =
          fmt::format("inspect-symbolic was ended by signal {} ({}){}", WTERMSIG(status), strsignal(WTERMSIG(status)), said);
    else
      reply.why_none = fmt::format("inspect-symbolic ended with status {} and without an answer{}", WEXITSTATUS(status), said);
  }

  static constexpr std::size_t kMostComplaint = 2000;
  const Question& question_;
  pid_t pid_ = 0;
  Pipe answers_, complaints_;
  std::string rest_, complaint_, wrong_;
  SymbolicAnswer answer_;
};

}  // namespace

Result<std::string> find_solver() {
  const std::string beside = compile::beside_executable("inspect-symbolic");
  const std::string installed =
      (fs::path(beside).parent_path() / "../libexec/inspect/inspect-symbolic").lexically_normal().string();
  for (const std::string& path : {beside, installed})
    if (access(path.c_str(), X_OK) == 0) return path;
  return Error{
      fmt::format("--engine=symbolic needs the program inspect-symbolic, which is neither {} nor {}: build or install it "
                  "together with inspect",
                  beside, installed)};
}

Result<Reply> ask(const Question& question) {
  Process process(question);
  if (auto error = process.start()) return *error;
  return process.listen();
}

}  // namespace inspect::symbolic_engine
