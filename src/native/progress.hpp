// Progress of a search on standard error: a line that is rewritten on a terminal, else a line every ten seconds.
//
// Shows executions, rate, depth and an estimate of all executions with its spread. Guarantees: writes nothing to standard
// output; on a terminal the line is gone when the search ends.
#pragma once
#include <chrono>
#include <string>

#include "search/search.hpp"

namespace inspect::native {

// One line, without its end.
std::string progress_text(const search::Outcome& outcome);

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  [[nodiscard]] bool due() const { return enabled_ && Clock::now() >= next_; }
  void show(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_, terminal_;
  bool shown_ = false;
  Clock::time_point next_;
};

class Progress final : public search::Observer {
 public:
  explicit Progress(bool enabled) : line_(enabled) {}
  void on_progress(const search::Outcome& outcome) override;
  [[nodiscard]] bool wants_estimate() const override { return line_.due(); }

 private:
  ProgressLine line_;
};

}  // namespace inspect::native
