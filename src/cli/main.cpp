// The entry point: finds the subcommand, reads its command line, maps failures to exit statuses.
#include <cstdlib>
#include <cstring>
#include <exception>

#include "base/interrupt.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/needs.hpp"
#include "cli/suggestions.hpp"
#include "process/launch.hpp"

namespace inspect::cli {
namespace {

int usage_error(const std::string& message) {
  Console::error(message);
  return static_cast<int>(ExitStatus::usage);
}

int print(const std::string& text) {
  Console console;
  console.print(text);
  return console.exit_status(ExitStatus::verified);
}

// What gdb starts in place of the program: see process/debugger.hpp.
int launch(const std::string& descriptor) {
  const int why = process::execute_saved(std::atoi(descriptor.c_str()));
  Console::error(std::string("cannot start the program under gdb: ") + std::strerror(why));
  return static_cast<int>(ExitStatus::usage);
}

int run(const std::vector<std::string>& words) {
  if (words.empty())
    return usage_error("no command: inspect check TARGET, inspect replay FILE, inspect report FILE, inspect --help");
  const std::string& name = words[0];
  if (name == "--help" || name == "-h") return print(usage());
  if (name == "--version") return print("inspect " INSPECT_VERSION "\n");
  if (name == "--launch" && words.size() > 1) return launch(words[1]);
  if (name != "check" && name != "replay" && name != "report")
    return usage_error("unknown command '" + name + "'; " + command_suggestion(name));
  const Command command = name == "check" ? Check : name == "replay" ? Replay : Report;
  const auto environment = [](const std::string& variable) -> const char* { return std::getenv(variable.c_str()); };
  const auto line = parse_command_line(command, {words.begin() + 1, words.end()}, environment);
  if (!line) return usage_error(line.error());
  if (line->help) return print(usage(command));
  if (const auto need = unmet_need()) return usage_error(need->message);
  catch_interrupts();
  return command == Check ? run_check(*line) : command == Replay ? run_replay(*line) : run_report(*line);
}

}  // namespace
}  // namespace inspect::cli

int main(int argc, char** argv) {
  inspect::cli::open_standard_descriptors();
  try {
    return inspect::cli::run({argv + 1, argv + argc});
  } catch (const std::exception& failure) {
    inspect::cli::Console::error(std::string("internal error: ") + failure.what());
    return static_cast<int>(inspect::ExitStatus::internal_error);
  }
}
