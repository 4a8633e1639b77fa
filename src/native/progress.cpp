#include "native/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/files.hpp"
#include "report/text.hpp"

namespace inspect::native {
namespace {

constexpr auto kTerminalInterval = std::chrono::milliseconds(200);
constexpr auto kLogInterval = std::chrono::seconds(10);

}  // namespace

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled), terminal_(isatty(STDERR_FILENO) != 0) {
  next_ = Clock::now();
  next_ += terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kLogInterval);
}

ProgressLine::~ProgressLine() {
  if (shown_) (void)write_all(STDERR_FILENO, "\r\x1b[K");
}

std::string progress_text(const search::Outcome& outcome) {
  const double rate = outcome.seconds > 0 ? static_cast<double>(outcome.executions) / outcome.seconds : 0;
  std::string text = fmt::format("{} executions", outcome.executions);
  if (const auto& e = outcome.estimate) text += " of " + report::estimate_text(*e);
  return text + fmt::format(", {} redundant, {:.0f}/s, depth {}, {:.0f} s", outcome.redundant, rate, outcome.max_depth,
                            outcome.seconds);
}

void Progress::on_progress(const search::Outcome& outcome) {
  if (line_.due()) line_.show(progress_text(outcome));
}

void ProgressLine::show(const std::string& text) {
  next_ = Clock::now() + (terminal_ ? Clock::duration(kTerminalInterval) : Clock::duration(kLogInterval));
  (void)write_all(STDERR_FILENO, terminal_ ? "\r\x1b[K" + text : "inspect: " + text + '\n');
  shown_ = terminal_;
}

}  // namespace inspect::native
