// How executions are produced and judged: the one interface of all engines, of which engines.def has a row each.
//
// Guarantees: a verdict is never "verified" when anything was left out. Deliberately unknown here: the command line, the
// console, and what an engine does.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compile/target.hpp"
#include "engine/options.hpp"
#include "model/schedule.hpp"
#include "model/verdict.hpp"

namespace inspect::engine {

// Whom an engine tells what it finds, while it is at work.
class Listener {
 public:
  virtual ~Listener() = default;
  // Writes down how a bug came about, and says where; nothing: it could not be written.
  virtual std::optional<std::string> record(const ScheduleFile& schedule) = 0;
  // Shows a bug that counts; `text`: what leads to it.
  virtual void show(const BugReport& bug, const std::string& text) = 0;
  // The same as a page for a browser, if that is asked for.
  virtual void show_page(const BugReport& bug, const std::string& page) = 0;
  // What the user asked to see of the program.
  virtual void print(const std::string& text) = 0;
  // What goes wrong in the engine itself, and does not end the check.
  virtual void complain(const std::string& message) = 0;
};

struct Checked {
  Verdict verdict;
  std::optional<ExitStatus> worker;  // this process has done its part of another one's check: there is no verdict
};

// One check.
class Engine {
 public:
  virtual ~Engine() = default;
  // Before anything is compiled. Error: what is asked for cannot be had.
  virtual std::optional<Error> prepare() = 0;
  // What the compiler wrappers need beside the user's flags, for a target of source files.
  [[nodiscard]] virtual std::vector<std::string> compiler_flags() const = 0;
  // The verdict before anything ran.
  [[nodiscard]] virtual Verdict frame() const = 0;
  // Error: the target or a file of the options is not usable, or the system refuses what is needed.
  virtual Result<Checked> check(compile::Target target) = 0;
};

// Options and listener outlive the engine.
#define ENGINE(name, factory) std::unique_ptr<Engine> factory(const Options& options, Listener& listener);
#include "engine/engines.def"

}  // namespace inspect::engine
