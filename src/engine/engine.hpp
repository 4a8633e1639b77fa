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

// Receives what an engine finds while it works.
class Listener {
 public:
  virtual ~Listener() = default;
  // Writes a bug's schedule to a file and returns its path; nothing if it could not be written.
  virtual std::optional<std::string> record(const ScheduleFile& schedule) = 0;
  // Shows a new bug (one that is not known); `text`: the interleaving that leads to it.
  virtual void show(const BugReport& bug, const std::string& text) = 0;
  // The same as a page for a browser; called only if Options::wants_pages.
  virtual void show_page(const BugReport& bug, const std::string& page) = 0;
  // Prints what the user asked to see of the program.
  virtual void print(const std::string& text) = 0;
  // Reports a failure of the engine itself that does not end the check.
  virtual void complain(const std::string& message) = 0;
};

struct Checked {
  Verdict verdict;
  std::optional<ExitStatus> worker;  // set in a worker of another process's check: there is no verdict here
};

// One check.
class Engine {
 public:
  virtual ~Engine() = default;
  // Checks the options, and reads the files that they name, before anything is compiled. Error: a combination that is not
  // supported, or a file that cannot be used.
  virtual std::optional<Error> prepare() = 0;
  // What the compiler wrappers need beside the user's flags, for a target of source files.
  [[nodiscard]] virtual std::vector<std::string> compiler_flags() const = 0;
  // A verdict filled with what is known before anything ran: algorithm, limits, seed.
  [[nodiscard]] virtual Verdict frame() const = 0;
  // Error: the target or a file of the options is not usable, or the system refuses what is needed.
  virtual Result<Checked> check(compile::Target target) = 0;
};

// Options and listener outlive the engine.
#define ENGINE(name, factory, by_states) std::unique_ptr<Engine> factory(const Options& options, Listener& listener);
#include "engine/engines.def"

}  // namespace inspect::engine
