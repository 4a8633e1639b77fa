#include "process/launch.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "hooks/channel.h"

namespace inspect::process {
namespace {

constexpr int kFirstChannelDescriptor = 64;
constexpr std::string_view kMutant = "INSPECT_MUTANT=";  // which mistake a runtime made for tests shall make

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

void inherit(int descriptor, bool yes) { fcntl(descriptor, F_SETFD, yes ? 0 : FD_CLOEXEC); }

std::string read_whole(int descriptor) {
  std::string text;
  char block[65536];
  for (ssize_t n; (n = pread(descriptor, block, sizeof block, static_cast<off_t>(text.size()))) > 0;)
    text.append(block, static_cast<std::size_t>(n));
  return text;
}

}  // namespace

std::vector<std::string> program_environment() {
  constexpr const char* kNotForIt[] = {
      "INSPECT_",
      "_=",
      "OMPI_",
      "PMIX_",
      "PMI_",
      "PRTE_",
      "HFI_NO_BACKTRACE=",
      "IPATH_NO_BACKTRACE=",
      "PSM2_DEVICES=",  // mpirun, and MPI itself
      "SLURM_",
      "SLURMD_",
      "SRUN_",
      "SHLVL=",
      "OLDPWD=",
      "WINDOWID=",
      "SSH_",
      "TMUX",
      "STY=",
      "XDG_SESSION_ID=",  // of the shell and its terminal
  };
  std::vector<std::string> out;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    const auto begins = [&](const char* prefix) { return text.starts_with(prefix); };
    if (std::ranges::none_of(kNotForIt, begins) || text.starts_with(kMutant)) out.emplace_back(text);
  }
  std::ranges::sort(out);
  return out;
}

int execute(const Launch& launch) {
  personality(ADDR_NO_RANDOMIZE);  // else the runtime does it, and has to begin again
  dup2(launch.input, 0);
  dup2(launch.output, 1);
  dup2(launch.output, 2);
  const int inherited = fcntl(launch.channel, F_DUPFD, kFirstChannelDescriptor);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int ours : {SIGPIPE, SIGXFSZ, SIGXCPU}) signal(ours, SIG_DFL);
  std::vector<std::string> words{launch.program};
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  std::vector<std::string> variables = program_environment();
  variables.push_back(std::string(INSPECT_CHANNEL_ENVIRONMENT) + '=' + std::to_string(inherited));
  execve(launch.program.c_str(), pointers(words).data(), pointers(variables).data());
  return errno;
}

// Words that end in a zero byte: the descriptors, how many arguments, program and arguments, environment.
Result<int> save_launch(const Launch& launch) {
  const int descriptor = memfd_create("inspect-launch", 0);
  std::vector<std::string> words;
  for (const int fd : {launch.channel, launch.input, launch.output}) {
    words.push_back(std::to_string(fd));
    inherit(fd, true);
  }
  words.push_back(std::to_string(launch.arguments.size()));
  words.push_back(launch.program);
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  for (char** variable = environ; *variable; ++variable) words.emplace_back(*variable);
  std::string text;
  for (const std::string& word : words) text += word + '\0';
  if (descriptor < 0 || write(descriptor, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
    return Error{std::string("cannot keep the program's environment: ") + std::strerror(errno)};
  return descriptor;
}

int execute_saved(int descriptor) {
  const std::string text = read_whole(descriptor);
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size(); at += words.back().size() + 1) words.emplace_back(text.c_str() + at);
  const auto number = [&](std::size_t i) { return words.size() > i ? std::atoi(words[i].c_str()) : -1; };
  const std::size_t arguments = 5, environment = arguments + static_cast<std::size_t>(number(3));
  if (number(3) < 0 || words.size() < environment) return EINVAL;
  const auto word = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
  std::vector<std::string> variables(word(environment), words.end());
  std::vector<char*> list = pointers(variables);
  environ = list.data();
  for (const int fd : {number(0), number(1), number(2), descriptor}) inherit(fd, false);
  lseek(number(1), 0, SEEK_SET);  // an earlier run may have read it
  return execute({words[4], {word(arguments), word(environment)}, number(0), number(1), number(2)});
}

}  // namespace inspect::process
