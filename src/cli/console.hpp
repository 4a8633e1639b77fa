// Where text goes: results to standard output, or to standard error when standard output belongs to the JSON; errors to
// standard error.
//
// Guarantees: what a program or a file says is shown, and does nothing to the terminal; a result that could not be written
// (full disk) turns the exit status into that of bad usage, with one line that says so. A reader that has read enough (closed
// pipe) loses nothing.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/verdict.hpp"

namespace inspect::cli {

class Console {
 public:
  explicit Console(bool results_on_stderr = false) : descriptor_(results_on_stderr ? 2 : 1) {}

  void print(std::string_view text);
  // Characters of a line: of the terminal, or what COLUMNS says; of a file 150.
  static unsigned width();
  static void error(std::string_view message);
  // The result file of --json: "-" is standard output.
  void write_result(const std::string& path, std::string_view text);
  // `status`, unless something was lost.
  [[nodiscard]] int exit_status(ExitStatus status) const;

 private:
  void lose(const Error& why);

  int descriptor_;
  bool lost_ = false;        // standard output takes no more
  bool incomplete_ = false;  // something was not written
};

}  // namespace inspect::cli
