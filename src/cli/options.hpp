// The command line and the environment, checked against the table options.def.
//
// Guarantees: every value that comes out of parse_command_line is well-formed and within its range; a refusal is one line that
// says what was expected, with what was perhaps meant.
// Deliberately unknown here: what options mean to the parts they configure.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace inspect::cli {

enum Command : unsigned { Check = 1, Replay = 2, Report = 4 };

enum class OptionKind { Flag, Word, Count, Seconds, Bytes, ExitStatus, File, Text, Words, Inputs };

struct OptionRow {
  std::string_view name;
  OptionKind kind;
  std::string_view argument;  // metavariable, or the words separated by |
  std::uint64_t minimum, maximum;
  unsigned commands;
  std::string_view engines;  // that read it, separated by |; "*": all
  std::string_view help;
};

std::span<const OptionRow> option_table();
std::string spelling(const OptionRow& row);              // "--json", "-j"
std::string environment_variable(const OptionRow& row);  // "INSPECT_MAX_EXECUTIONS"

using Environment = std::function<const char*(const std::string&)>;

// A parsed command line: options by name as text (the last one wins; Words are all of them), and what is not an option.
class CommandLine {
 public:
  Command command = Check;
  bool help = false;
  std::vector<std::string> targets;
  std::vector<std::string> arguments;  // what follows --

  [[nodiscard]] bool given(std::string_view name) const { return values_.contains(name); }
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> count(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> bytes(std::string_view name) const;
  [[nodiscard]] std::optional<double> seconds(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> words(std::string_view name) const;  // split

  void set(const OptionRow& row, std::string value);
  void forget(const OptionRow& row);

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// `words` are what follows the subcommand's name.
Result<CommandLine> parse_command_line(Command command, const std::vector<std::string>& words, const Environment& environment);

std::string usage();                 // of `inspect`
std::string usage(Command command);  // of one subcommand, from the table

// Insertions, deletions, substitutions and swaps of neighbours that make one word of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);
// The candidate with the smallest edit distance to `word`.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// Splits as a POSIX shell would (quotes and backslashes, no expansions).
Result<std::vector<std::string>> shell_split(std::string_view text);

// What stands between the bars.
std::vector<std::string> split_bar(std::string_view text);

}  // namespace inspect::cli
