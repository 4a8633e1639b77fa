// A target under a live executor, with its names: what check and replay work on.
//
// Guarantees: configuration and recorded options are functions of each other, so that a replay runs what the check ran.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/options.hpp"
#include "cli/target.hpp"
#include "process/names.hpp"
#include "process/native_program.hpp"
#include "report/names.hpp"

namespace inspect::cli {

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
  Target target;
  std::vector<std::string> arguments;
  inspect_configuration configuration{};
  std::unique_ptr<process::NativeProgram> program;
  std::unique_ptr<ProcessNames> names;

  [[nodiscard]] const inspect_channel& channel() const { return program->executor().channel(); }
};

// What `inspect check` options mean to the runtime.
inspect_configuration configuration_of(const CommandLine& line);

// The options of a schedule file, from which parse_command_line and configuration_of give the configuration again.
std::vector<std::string> recorded_options(const inspect_configuration& configuration);

// Error: the program cannot be started under the runtime.
Result<Session> open_session(Target target, std::vector<std::string> arguments, const inspect_configuration& configuration);

}  // namespace inspect::cli
