// What was perhaps meant by a word that inspect does not know.
//
// Guarantees: what is suggested exists and would be accepted in place of the word; where nothing is close, the
// answer says where to look. Deliberately unknown here: how the command line is read.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.hpp"

namespace inspect::cli {

// `word`: an option as written, without what follows its =. `next`: the word behind it, or empty. "did you mean '--json'?"
std::string option_suggestion(Command command, std::string_view word, std::string_view next);

// For a value of an option with these values: "; did you mean 'sync'?", or nothing.
std::string value_suggestion(std::string_view value, const std::vector<std::string>& values);

// For the first word of a command line that is no subcommand.
std::string command_suggestion(std::string_view word);

}  // namespace inspect::cli
