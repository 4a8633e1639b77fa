#include "cli/session.hpp"

#include <fmt/format.h>

namespace inspect::cli {
namespace {

constexpr std::uint64_t kDefaultMaxSteps = 1'000'000;
// Back-edges without a visible operation after which a thread counts as spinning on a plain variable (SEMANTICS F.3).
constexpr std::uint64_t kLoopBudget = 1'000'000;
constexpr std::uint32_t kHangSeconds = 10;

}  // namespace

report::Site ProcessNames::site(std::uint32_t number) const {
  const process::Place place = names_.place(number);
  return {place.file, place.function, place.expression, place.line, place.column};
}

inspect_configuration configuration_of(const CommandLine& line) {
  inspect_configuration configuration{};
  configuration.visible_all = line.text("visible") == "all";
  configuration.spurious_wakeups = line.flag("spurious-wakeups");
  configuration.expect_any_exit = line.text("expect-exit") == "any";
  configuration.expected_exit = static_cast<std::int32_t>(line.count("expect-exit").value_or(0));
  configuration.max_steps = line.count("max-steps").value_or(kDefaultMaxSteps);
  configuration.loop_budget = kLoopBudget;
  configuration.hang_seconds = kHangSeconds;
  configuration.seed = line.count("seed").value_or(0);
  return configuration;
}

std::vector<std::string> recorded_options(const inspect_configuration& configuration) {
  std::vector<std::string> options{fmt::format("--visible={}", configuration.visible_all ? "all" : "sync")};
  if (configuration.spurious_wakeups) options.emplace_back("--spurious-wakeups");
  options.push_back(configuration.expect_any_exit ? "--expect-exit=any"
                                                  : fmt::format("--expect-exit={}", configuration.expected_exit));
  options.push_back(fmt::format("--max-steps={}", configuration.max_steps));
  options.push_back(fmt::format("--seed={}", configuration.seed));
  return options;
}

Result<Session> open_session(Target target, std::vector<std::string> arguments, const inspect_configuration& configuration) {
  Session session;
  auto executor = process::Executor::launch({.program = target.executable, .arguments = arguments, .configuration = configuration});
  if (!executor) return Error{executor.error()};
  session.names = std::make_unique<ProcessNames>(**executor, target.executable);
  session.program = std::make_unique<process::NativeProgram>(std::move(*executor));
  session.target = std::move(target);
  session.arguments = std::move(arguments);
  session.configuration = configuration;
  return session;
}

}  // namespace inspect::cli
