#include "cli/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "compile/build.hpp"

namespace inspect::cli {
namespace {

struct Meaning {
  std::string_view word, meant;
};

// What other tools call it. A meaning that is not an option of the command at hand is that of another command.
constexpr Meaning kOptions[] = {
    {"--timeout", "--time-limit"},
    {"--time-out", "--time-limit"},
    {"--time", "--time-limit"},
    {"--max-time", "--time-limit"},
    {"--seconds", "--time-limit"},
    {"--threads", "-j"},
    {"--jobs", "-j"},
    {"--workers", "-j"},
    {"--processes", "-j"},
    {"--parallel", "-j"},
    {"--np", "-j"},
    {"--algo", "--algorithm"},
    {"--method", "--algorithm"},
    {"--strategy", "--algorithm"},
    {"--mode", "--algorithm"},
    {"--search", "--algorithm"},
    {"--bound", "--preemptions"},
    {"--context-bound", "--preemptions"},
    {"--context-switches", "--preemptions"},
    {"--preemption-bound", "--preemptions"},
    {"--verbose", "--progress=on"},
    {"-v", "--progress=on"},
    {"--silent", "--quiet"},
    {"-q", "--quiet"},
    {"-s", "--quiet"},
    {"--iterations", "--max-executions"},
    {"--executions", "--max-executions"},
    {"--runs", "--max-executions"},
    {"--schedules", "--max-executions"},
    {"-n", "--max-executions"},
    {"--steps", "--max-steps"},
    {"--depth", "--max-steps"},
    {"--max-depth", "--max-steps"},
    {"--unwind", "--max-steps"},
    {"--continue", "--keep-going"},
    {"--all-bugs", "--keep-going"},
    {"--all", "--visible=all"},
    {"-k", "--keep-going"},
    {"--output", "--json"},
    {"-o", "--json"},
    {"--trace", "--schedule"},
    {"--witness", "--schedule"},
    {"--exit-code", "--expect-exit"},
    {"--exit-status", "--expect-exit"},
    {"--save", "--checkpoint"},
    {"--restart", "--resume"},
    {"--restore", "--resume"},
    {"--flags", "--cflags"},
    {"--cxxflags", "--cflags"},
    {"--compile-flags", "--cflags"},
    {"--args", "-- ARGS"},
    {"--arguments", "-- ARGS"},
    {"--inputs", "--nondet"},
    {"--values", "--nondet"},
    {"--debug", "inspect replay --gdb"},
    {"--debugger", "inspect replay --gdb"},
    {"--replay", "inspect replay"},
    {"--rerun", "inspect replay"},
    {"--report", "inspect report"},
    {"--check", "inspect check"},
    {"--version", "inspect --version"},
    {"-V", "inspect --version"},
    {"-help", "--help"},
    {"-?", "--help"},
    {"--usage", "--help"},
};

constexpr Meaning kCommands[] = {
    {"verify", "check"},   {"test", "check"},       {"run", "check"},          {"explore", "check"},
    {"analyse", "check"},  {"analyze", "check"},    {"rerun", "replay"},       {"repeat", "replay"},
    {"debug", "replay"},   {"reproduce", "replay"}, {"show", "report"},        {"render", "report"},
    {"explain", "report"}, {"html", "report"},      {"help", "--help"},        {"version", "--version"},
    {"-v", "--version"},   {"-V", "--version"},     {"-help", "--help"},       {"-?", "--help"},
    {"cc", "inspect-cc"},  {"build", "inspect-cc"}, {"compile", "inspect-cc"}, {"c++", "inspect-c++"},
};

template <std::size_t N>
std::optional<std::string> meant(const Meaning (&table)[N], std::string_view word) {
  for (const Meaning& m : table)
    if (m.word == word) return std::string(m.meant);
  return std::nullopt;
}

bool is_compiler_flag(std::string_view word) {
  constexpr const char* kBegin[] = {"-I", "-D", "-U", "-L", "-O", "-std=", "-isystem", "-include", "-iquote", "-pthread", "-x"};
  constexpr const char* kBeginMore[] = {"-l", "-W", "-f", "-m", "-g"};  // and a value
  const auto begins = [&](const char* flag) { return word.starts_with(flag); };
  return std::ranges::any_of(kBegin, begins) || word == "-g" || (word.size() > 2 && std::ranges::any_of(kBeginMore, begins));
}

// Does the flag's value stand in the next word, when nothing is attached to the flag?
bool takes_next(std::string_view flag) {
  constexpr std::array<std::string_view, 8> kFlags = {"-I", "-D", "-U", "-L", "-x", "-isystem", "-include", "-iquote"};
  return std::ranges::find(kFlags, flag) != kFlags.end();
}

// "--dpor": a value of an option that was taken for an option.
std::optional<std::string> value_of_option(Command command, std::string_view word) {
  if (!word.starts_with("--")) return std::nullopt;
  for (const OptionRow& row : option_table()) {
    if (!(row.commands & command) || row.kind != OptionKind::Word || row.name == "progress") continue;
    if (const auto words = split_bar(row.argument); std::ranges::find(words, word.substr(2)) != words.end())
      return fmt::format("--{}={}", row.name, word.substr(2));
  }
  return std::nullopt;
}

std::vector<std::string> spellings(Command command) {
  std::vector<std::string> names{"--help"};
  for (const OptionRow& row : option_table()) {
    if (!(row.commands & command)) continue;
    names.push_back(spelling(row));
    if (row.kind == OptionKind::Flag) names.push_back(fmt::format("--no-{}", row.name));
  }
  return names;
}

// The only name that begins so; "--max" begins several.
std::optional<std::string> only_longer(std::string_view word, const std::vector<std::string>& names) {
  const auto begins = [&](const std::string& name) { return word.size() > 3 && name.starts_with(word); };
  if (std::ranges::count_if(names, begins) != 1) return std::nullopt;
  return *std::ranges::find_if(names, begins);
}

std::optional<std::string> close(std::string_view word, const std::vector<std::string>& names, std::size_t most) {
  const std::string name = nearest(word, names);
  return edit_distance(word, name) <= most ? std::optional(name) : std::nullopt;
}

std::optional<std::string> option_meant(Command command, std::string_view word, std::string_view next) {
  if (command == Check && is_compiler_flag(word))
    return takes_next(word) && !next.empty() ? fmt::format("--cflags=\"{} {}\"", word, next) : fmt::format("--cflags={}", word);
  if (auto known = meant(kOptions, word)) {
    const auto names = spellings(command);
    const std::string name = known->substr(0, known->find('='));
    if (!name.starts_with('-') || name.starts_with("-- ") || std::ranges::find(names, name) != names.end()) return known;
  }
  if (auto value = value_of_option(command, word)) return value;
  const auto names = spellings(command);
  if (auto longer = only_longer(word, names)) return longer;
  return word.size() < 4 ? std::nullopt : close(word, names, std::max<std::size_t>(1, word.size() / 3));
}

}  // namespace

std::string option_suggestion(Command command, std::string_view word, std::string_view next) {
  if (const auto name = option_meant(command, word, next)) return fmt::format("did you mean '{}'?", *name);
  return fmt::format("'inspect {} --help' lists the options", command == Check    ? "check"
                                                              : command == Replay ? "replay"
                                                                                  : "report");
}

std::string value_suggestion(std::string_view value, const std::vector<std::string>& values) {
  const auto name = close(value, values, value.size() / 2);
  return name ? fmt::format("; did you mean '{}'?", *name) : "";
}

std::string command_suggestion(std::string_view word) {
  if (compile::source_language(std::string(word))) return fmt::format("did you mean 'inspect check {}'?", word);
  if (word.ends_with(".schedule")) return fmt::format("did you mean 'inspect replay {}'?", word);
  if (const auto command = meant(kCommands, word))
    return fmt::format("did you mean '{}{}'?", command->starts_with("inspect-") ? "" : "inspect ", *command);
  if (word.starts_with('-') && word != "-" && !word.starts_with("--v") && !word.starts_with("--h"))
    return "options follow the command: inspect check, inspect replay, inspect report";
  const std::vector<std::string> names{"check", "replay", "report", "--help", "--version"};
  if (const auto name = close(word, names, std::max<std::size_t>(2, word.size() / 3)))
    return fmt::format("did you mean 'inspect {}'?", *name);
  return fmt::format("a program is checked by 'inspect check {}'; 'inspect --help' lists the commands", word);
}

}  // namespace inspect::cli
