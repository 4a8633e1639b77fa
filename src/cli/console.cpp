#include "cli/console.hpp"

#include <unistd.h>

#include "base/shown.hpp"
#include "cli/files.hpp"

namespace inspect::cli {

void Console::print(std::string_view text) {
  if (lost_) return;
  const auto failed = write_all(descriptor_, shown(text));
  if (!failed) return;
  lost_ = true;
  error("cannot write the result: " + failed->message);
}

void Console::error(std::string_view message) {
  // If standard error is gone too, the exit status is all that is left.
  (void)write_all(STDERR_FILENO, "inspect: error: " + shown_line(message) + '\n');
}

void Console::write_result(const std::string& path, std::string_view text) {
  std::optional<Error> failed;
  if (path == "-") {
    if (const auto reason = write_all(STDOUT_FILENO, text)) failed = Error{"cannot write the result: " + reason->message};
  } else {
    failed = write_file(path, text);
  }
  if (!failed) return;
  lost_ = true;
  error(failed->message);
}

int Console::exit_status(ExitStatus status) const { return static_cast<int>(lost_ ? ExitStatus::internal_error : status); }

}  // namespace inspect::cli
