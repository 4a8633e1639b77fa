#include "cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/files.hpp"
#include "base/shown.hpp"

namespace inspect::cli {

void Console::print(std::string_view text) {
  if (lost_) return;
  if (const auto failed = write_all(descriptor_, shown(text))) lose(*failed);
}

unsigned Console::width() {
  constexpr unsigned kNarrowest = 40, kWidest = 400, kUsual = 150;
  winsize size{};
  unsigned columns = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  const char* const told = std::getenv("COLUMNS");
  if (!columns && told) columns = static_cast<unsigned>(std::strtoul(told, nullptr, 10));
  return columns ? std::clamp(columns, kNarrowest, kWidest) : kUsual;
}

void Console::lose(const Error& why) {
  if (errno == EPIPE) return;  // whoever reads has closed the pipe
  lost_ = incomplete_ = true;
  error("cannot write the result: " + why.message);
}

void Console::error(std::string_view message) {
  // If standard error is gone too, the exit status is all that is left.
  (void)write_all(STDERR_FILENO, "inspect: error: " + shown_line(message) + '\n');
}

void Console::write_result(const std::string& path, std::string_view text) {
  if (path == "-") {
    if (const auto reason = write_all(STDOUT_FILENO, text)) lose(*reason);
    return;
  }
  const auto failed = write_file(path, text);
  if (!failed) return;
  incomplete_ = true;
  error(failed->message);
}

int Console::exit_status(ExitStatus status) const { return static_cast<int>(incomplete_ ? ExitStatus::usage : status); }

}  // namespace inspect::cli
