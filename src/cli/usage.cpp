#include "cli/usage.hpp"

#include <fmt/format.h>

#include "cli/algorithms.hpp"

namespace inspect::cli {
namespace {

constexpr CommandText kCommands[] = {
    {Check, "check", "inspect check [options] TARGET... [-- ARGS...]", "explore all schedules of a program"},
    {Replay, "replay", "inspect replay [options] BUG.schedule", "run one recorded schedule again"},
    {Report, "report", "inspect report [options] BUG.schedule", "show a recorded bug"},
};

constexpr std::string_view kTargets =
    "TARGET is an executable built with inspect-cc or inspect-c++, or one or more .c, .cc, .cpp, .cxx files,\n"
    "which are compiled first. ARGS are the program's arguments.\n";

constexpr std::string_view kExitStatuses =
    "0 verified, 1 bug, 2 bad usage or a target that does not compile or is not instrumented,\n"
    "3 inconclusive, 4 the program cannot be checked, 70 internal error.\n";
constexpr std::string_view kReplayStatuses =
    "1 the recorded bug happened again, 2 bad usage, a bad file or one of another program, 3 a limit came first,\n"
    "4 the run diverged from the schedule or ended without the bug, 70 internal error.\n";
constexpr std::string_view kReportStatuses = "0 written, 2 bad usage or a bad file, 70 internal error.\n";

std::string option_lines(const OptionRow& row) {
  const std::string left = "  " + spelling(row) + argument_text(row), help = help_text(row);
  return left.size() < 30 ? fmt::format("{:<30}{}\n", left, help) : fmt::format("{}\n{:30}{}\n", left, "", help);
}

}  // namespace

std::span<const CommandText> command_table() { return kCommands; }

std::string_view targets_text() { return kTargets; }

std::string_view exit_status_text(Command command) {
  return command == Replay ? kReplayStatuses : command == Report ? kReportStatuses : kExitStatuses;
}

std::string argument_text(const OptionRow& row) {
  return row.kind == OptionKind::Flag ? "" : (row.name.size() == 1 ? " " : "=") + std::string(row.argument);
}

std::string help_text(const OptionRow& row) { return filled(row.help); }

std::string usage() {
  std::string out = "Inspect checks multithreaded C and C++ programs under every relevant thread schedule.\n\nusage:\n";
  for (const auto& command : kCommands) out += fmt::format("  {:<50}{}\n", command.synopsis, command.purpose);
  out += "  inspect COMMAND --help                            the options of a command\n  inspect --version\n\n";
  return out + std::string(kTargets) + "Exit status: " + std::string(kExitStatuses);
}

std::string usage(Command command) {
  std::string out;
  for (const auto& text : kCommands)
    if (text.command == command) out += fmt::format("usage: {}\n\n{}\n\n", text.synopsis, text.purpose);
  if (command == Check) out += std::string(kTargets) + '\n';
  out +=
      "options (each also as environment variable INSPECT_<OPTION>; the command line wins; --no-NAME switches one without\n"
      "an argument off again):\n";
  for (const OptionRow& row : option_table())
    if (row.commands & command) out += option_lines(row);
  return out + "\nExit status: " + std::string(exit_status_text(command));
}

}  // namespace inspect::cli
