// A target under a live executor, with its names: what check and replay work on.
//
// Deliberately unknown here: searches and verdicts.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compile/target.hpp"
#include "native/summary.hpp"
#include "process/names.hpp"
#include "process/native_program.hpp"
#include "report/names.hpp"

namespace inspect::native {

class Labels;

// The names that src/report asks for, from the process. Labels, values and frames only after show().
class ProcessNames final : public report::Names {
 public:
  ProcessNames(process::Executor& executor, const std::string& program);
  ~ProcessNames() override;
  [[nodiscard]] report::Site site(std::uint32_t number) const override;
  [[nodiscard]] std::string thread(ThreadId number) const override { return names_.thread(number); }
  [[nodiscard]] std::string object(std::uint64_t address) const override { return names_.object(address); }
  [[nodiscard]] std::string label(std::uint64_t address, std::uint32_t size, std::size_t event) const override;
  [[nodiscard]] std::optional<std::string> value(std::uint64_t address, std::uint32_t size, std::uint64_t value,
                                                 std::size_t event) const override;
  [[nodiscard]] std::string called(std::uint32_t site) const override;
  [[nodiscard]] report::Frames frames(ThreadId thread, std::uint32_t at, std::size_t event) const override;
  process::Names& process() { return names_; }
  // Sets the run that labels, values and frames are of; it must outlive them.
  Labels& show(const process::VerboseRun& run);

 private:
  process::Names names_;
  std::unique_ptr<Labels> labels_;
};

// Only the names that schedule files use, without labels and values.
class SymbolicNames final : public report::Names {
 public:
  explicit SymbolicNames(const report::Names& names) : names_(names) {}
  [[nodiscard]] report::Site site(std::uint32_t number) const override { return names_.site(number); }
  [[nodiscard]] std::string thread(ThreadId number) const override { return names_.thread(number); }
  [[nodiscard]] std::string object(std::uint64_t address) const override { return names_.object(address); }

 private:
  const report::Names& names_;
};

struct Session {
  compile::Target target;
  std::vector<std::string> arguments;
  inspect_configuration configuration{};
  std::unique_ptr<process::NativeProgram> program;
  std::unique_ptr<ProcessNames> names;

  // Names of the known threads, by number.
  [[nodiscard]] std::vector<std::string> thread_names() const;
  // What the program's behaviour depends on besides itself: standard input, the working directory, each environment variable
  // with a digest, each shared library with its build id.
  [[nodiscard]] std::vector<std::string> around() const;
  [[nodiscard]] const inspect_channel& channel() const { return program->executor().channel(); }
};

// What the session is for. It decides whether the locations that become scheduling points are looked for at the start. A replay
// knows them from its schedule, if the search went on after data races. An exploration of states finds them as it goes:
// executions without end would take long here.
enum class Opening : std::uint8_t { check, team, replay, states };

RuntimeNotes notes_of(const Session& session);

// `crowded`: there are more processes than cores.
Result<Session> open_session(compile::Target target, std::vector<std::string> arguments,
                             const inspect_configuration& configuration, bool crowded = false, Opening opening = Opening::check,
                             process::StopHook stop = {});

}  // namespace inspect::native
