// A target under a live executor, with its names: what check and replay work on.
//
// Deliberately unknown here: searches and verdicts.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compile/target.hpp"
#include "native/summary.hpp"
#include "process/names.hpp"
#include "process/native_program.hpp"
#include "report/names.hpp"

namespace inspect::native {

// report's names, from those of the process.
class ProcessNames final : public report::Names {
 public:
  ProcessNames(process::Executor& executor, const std::string& program) : names_(executor, program) {}
  [[nodiscard]] report::Site site(std::uint32_t number) const override;
  [[nodiscard]] std::string thread(ThreadId number) const override { return names_.thread(number); }
  [[nodiscard]] std::string object(std::uint64_t address) const override { return names_.object(address); }
  process::Names& process() { return names_; }

 private:
  process::Names names_;
};

struct Session {
  compile::Target target;
  std::vector<std::string> arguments;
  inspect_configuration configuration{};
  std::unique_ptr<process::NativeProgram> program;
  std::unique_ptr<ProcessNames> names;

  // Names of the threads that have a number, by number.
  [[nodiscard]] std::vector<std::string> thread_names() const;
  // What the program's behaviour depends on besides itself: standard input, then each shared library with its build id.
  [[nodiscard]] std::vector<std::string> around() const;
  [[nodiscard]] const inspect_channel& channel() const { return program->executor().channel(); }
};

// Of a replay the schedule says which locations are scheduling points, where its search went on behind data races.
enum class Opening : std::uint8_t { check, team, replay };

RuntimeNotes notes_of(const Session& session);

// Error: the program cannot be started under the runtime.
// `crowded`: more processes than cores.
Result<Session> open_session(compile::Target target, std::vector<std::string> arguments,
                             const inspect_configuration& configuration, bool crowded = false, Opening opening = Opening::check,
                             process::StopHook stop = {});

}  // namespace inspect::native
