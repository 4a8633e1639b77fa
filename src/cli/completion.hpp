// Completion for bash, zsh and fish, written from the tables of options.
//
// Guarantees: commands, the options of each, and the words of those that take one of several are completed, nothing that this
// build refuses; other values are files or nothing, as their kind in the table says.
#pragma once
#include <string>
#include <string_view>

namespace inspect::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();
std::string fish_completion(std::string_view wrapper);  // inspect-cc, inspect-c++

}  // namespace inspect::cli
