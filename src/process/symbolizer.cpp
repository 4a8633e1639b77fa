#include "process/symbolizer.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace inspect::process {
namespace {

// "path/file.c:12:3" → a place; false when the line says that nothing is known ("??:0:0").
bool parse_location(const std::string& line, Place& place) {
  const auto column = line.rfind(':');
  const auto number = column == std::string::npos ? column : line.rfind(':', column - 1);
  if (number == std::string::npos || line.starts_with("??")) return false;
  place.file = line.substr(0, number);
  place.line = static_cast<unsigned>(std::strtoul(line.c_str() + number + 1, nullptr, 10));
  place.column = static_cast<unsigned>(std::strtoul(line.c_str() + column + 1, nullptr, 10));
  return true;
}

std::string read_line(FILE* file) {
  std::string line;
  for (int c; (c = std::fgetc(file)) != EOF && c != '\n';) line += static_cast<char>(c);
  return line;
}

}  // namespace

Symbolizer::~Symbolizer() {
  if (questions_) std::fclose(questions_);
  if (answers_) std::fclose(answers_);
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

bool Symbolizer::start() {
  if (started_) return questions_ != nullptr;
  started_ = true;
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC)) return false;
  if (pipe2(from, O_CLOEXEC)) {
    close(to[0]);
    close(to[1]);
    return false;
  }
  std::string object = "--obj=" + program_;
  // Names as in the site table, to be compared with them.
  char name[] = "llvm-symbolizer-19", inlines[] = "--inlines", demangle[] = "--no-demangle";
  char* const arguments[] = {name, inlines, demangle, object.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], 0);
  posix_spawn_file_actions_adddup2(&actions, from[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const int failed = posix_spawnp(&pid_, name, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  if (failed) {
    pid_ = -1;
    close(to[1]);
    close(from[0]);
    return false;
  }
  questions_ = fdopen(to[1], "w");
  answers_ = fdopen(from[0], "r");
  return questions_ && answers_;
}

std::vector<Place> Symbolizer::places(std::uint64_t offset) {
  std::vector<Place> places;
  if (!start()) return places;
  // It may have died: that must not kill us.
  void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
  const bool asked =
      std::fprintf(questions_, "0x%llx\n", static_cast<unsigned long long>(offset)) > 0 && !std::fflush(questions_);
  signal(SIGPIPE, before);
  if (!asked) return places;
  // Pairs of lines, function and location, up to an empty line.
  bool known = true;
  for (;;) {
    Place place;
    place.function = read_line(answers_);
    if (place.function.empty()) return places;
    known = parse_location(read_line(answers_), place) && known;
    if (known) places.push_back(std::move(place));
  }
}

}  // namespace inspect::process
