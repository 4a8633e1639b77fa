// Commands and options in words: what usage texts, manual pages and completions say alike.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace inspect::cli {

struct CommandText {
  Command command;
  std::string_view name, synopsis, purpose;
};

std::span<const CommandText> command_table();

std::string_view targets_text();
std::string_view exit_status_text(Command command);

// What an option takes, as usage texts have it: "=FILE", " N", or nothing.
std::string argument_text(const OptionRow& row);
std::string help_text(const OptionRow& row);

}  // namespace inspect::cli
