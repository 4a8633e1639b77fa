#include "compile/build.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "base/shown.hpp"

extern char** environ;

namespace inspect::compile {
namespace {

namespace fs = std::filesystem;

// Waits for the compiler; an interruption ends it, and whatever it started, first.
int wait_for(pid_t child) {
  int status = 0;
  bool killed = false;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    if (interrupted() && !killed) {
      kill(-child, SIGTERM);
      killed = true;
    }
  return status;
}

// Runs a command with its output in `log`. Returns the wait status, or an error when it could not be started.
Result<int> run(const std::vector<std::string>& command, const std::string& folder, const std::string& log) {
  std::vector<char*> argv;
  for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;  // we ignore SIGPIPE; the compiler must not inherit that
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error) {
    errno = error;
    return Error{fmt::format("cannot run {}: {}", command[0], system_reason())};
  }
  return wait_for(child);
}

// Names in debug information and __FILE__ are relative to the base folder, so that the build id does not depend on it.
std::vector<std::string> folder_flags(const std::string& base) {
  std::error_code ignored;
  const fs::path folder = fs::absolute(base.empty() ? fs::current_path(ignored) : fs::path(base), ignored).lexically_normal();
  std::string prefix = folder.string();
  if (!prefix.ends_with('/')) prefix += '/';
  return {"-ffile-compilation-dir=.", "-ffile-prefix-map=" + prefix + "="};
}

// What the system refused to the compiler, by the compiler's words: then it is no fault of the program's.
std::string refused_by_system(const std::string& messages, const std::string& folder) {
  struct statvfs disk{};
  constexpr std::uint64_t kLittle = 1 << 20;  // then there may be no room for words about it either
  const bool full = !statvfs(folder.c_str(), &disk) && disk.f_bavail * disk.f_frsize < (messages.empty() ? kLittle : 1);
  if (full) return std::strerror(ENOSPC);
  for (const int reason : {EAGAIN, ENOMEM, ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE, EROFS})
    if (messages.find(std::strerror(reason)) != std::string::npos) return std::strerror(reason);
  return {};
}

class Builder {
 public:
  explicit Builder(const BuildRequest& request) : request_(request), log_(request.folder + "/messages") {}

  Result<std::string> build() {
    std::vector<std::string> objects;
    bool cxx = false;
    for (const auto& source : request_.sources) {
      objects.push_back(fmt::format("{}/{}.o", request_.folder, objects.size()));
      cxx = cxx || source_language(source) == '+';
      if (auto error = step(compile_command(source, objects.back()), source, "compile")) return *error;
    }
    const std::string program = request_.folder + '/' + fs::path(request_.sources[0]).stem().string();
    const std::string all = fmt::format("{}", fmt::join(request_.sources, " "));
    if (auto error = step(link_command(objects, cxx, program), all, "link")) return *error;
    return program;
  }

 private:
  [[nodiscard]] std::vector<std::string> compile_command(const std::string& source, const std::string& object) const {
    const bool cxx = source_language(source) == '+';
    std::vector<std::string> command{beside_executable(cxx ? "inspect-c++" : "inspect-cc"), cxx ? "-std=gnu++20" : "-std=gnu17",
                                     "-O1", "-g", "-pthread"};
    for (const auto& flag : folder_flags(request_.base)) command.push_back(flag);
    command.insert(command.end(), request_.cflags.begin(), request_.cflags.end());
    // Flags for the linker are given to both steps.
    command.insert(command.end(), {"-Wno-unused-command-line-argument", "-c", source, "-o", object});
    return command;
  }

  [[nodiscard]] std::vector<std::string> link_command(const std::vector<std::string>& objects, bool cxx,
                                                      const std::string& program) const {
    std::vector<std::string> command{beside_executable(cxx ? "inspect-c++" : "inspect-cc"), "-O1", "-g", "-pthread",
                                     "-Wl,--build-id=sha1"};
    command.insert(command.end(), objects.begin(), objects.end());
    // After the objects, so that libraries among the flags resolve them.
    command.insert(command.end(), request_.cflags.begin(), request_.cflags.end());
    command.insert(command.end(), {"-Wno-unused-command-line-argument", "-o", program});
    return command;
  }

  std::optional<Error> step(const std::vector<std::string>& command, const std::string& what, const char* verb) const {
    const auto status = run(command, request_.base, log_);
    if (interrupted()) return Error{"interrupted"};
    if (!status) return Error{status.error()};
    const bool failed = !WIFEXITED(*status) || WEXITSTATUS(*status) != 0;
    const auto messages = read_file(log_);
    if (failed)
      if (const auto lacks = refused_by_system(messages ? *messages : std::string(), request_.folder); !lacks.empty())
        return Error{fmt::format("{} cannot be compiled here: {}", what, lacks), true};
    if (messages && (failed || !request_.quiet)) write_all(STDERR_FILENO, shown(*messages));
    unlink(log_.c_str());
    if (failed) return Error{fmt::format("{} does not {} ({} failed)", what, verb, fs::path(command[0]).filename().string())};
    return std::nullopt;
  }

  const BuildRequest& request_;
  std::string log_;
};

}  // namespace

char source_language(const std::string& path) {
  const std::string extension = fs::path(path).extension().string();
  if (extension == ".c") return 'c';
  return extension == ".cc" || extension == ".cpp" || extension == ".cxx" ? '+' : '\0';
}

Result<std::string> build_program(const BuildRequest& request) { return Builder(request).build(); }

std::string beside_executable(const std::string& name) {
  std::error_code ignored;
  return (fs::read_symlink("/proc/self/exe", ignored).parent_path() / name).string();
}

}  // namespace inspect::compile
