#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "cli/algorithms.hpp"
#include "cli/suggestions.hpp"
#include "engine/engines.hpp"
#include "model/inputs.hpp"
#include "search/cut/cut.hpp"
#include "search/sample/sample.hpp"

namespace inspect::cli {
namespace {

constexpr std::string_view kAlgorithms = "auto"
#define REDUCTION(name, factory, bounded, cut, symmetry, automatic, runs, property, help) "|" name
#include "search/reduction/reductions.def"
#define SAMPLER(name, policy, help) "|" name
#include "search/sample/samplers.def"
    ;
constexpr std::string_view kEngines = std::string_view(
#define ENGINE(name, factory, by_states) "|" name
#include "engine/engines.def"
                                          )
                                          .substr(1);

constexpr OptionRow kTable[] = {
#define OPTION(name, kind, argument, minimum, maximum, commands, engines, help) \
  {name, OptionKind::kind, argument, minimum, maximum, commands, engines, help},
#include "cli/options.def"
};

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const OptionRow* find_option(std::string_view name) {
  const auto at = std::find_if(std::begin(kTable), std::end(kTable), [&](const OptionRow& row) { return row.name == name; });
  return at == std::end(kTable) ? nullptr : at;
}

std::string_view command_name(unsigned command) { return command & Check ? "check" : command & Replay ? "replay" : "report"; }

template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A whole number above 0, with K, M, G or T for 2 to the power of 10, 20, 30 or 40.
std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view units = "KMGT";
  const auto unit = text.empty() ? std::string_view::npos : units.find(text.back());
  const unsigned shift = unit == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(unit) + 1);
  if (shift) text.remove_suffix(1);
  const auto number = parse_number<std::uint64_t>(text);
  if (!number || !*number || *number > std::numeric_limits<std::uint64_t>::max() >> shift) return std::nullopt;
  return *number << shift;
}

// What a value of this row must be; empty when `value` is.
std::string complaint(const OptionRow& row, const std::string& value) {
  switch (row.kind) {
    case OptionKind::Count: {
      const auto number = parse_number<std::uint64_t>(value);
      if (number && *number >= row.minimum && *number <= row.maximum) return {};
      return fmt::format("expected a whole number from {} to {}", row.minimum, row.maximum);
    }
    case OptionKind::Seconds: {
      const auto number = parse_number<double>(value);
      if (number && std::isfinite(*number) && *number > 0 && *number <= 1e9) return {};
      return "expected a number of seconds above 0, at most 1000000000";
    }
    case OptionKind::Bytes:
      return parse_bytes(value) ? "" : "expected a number of bytes above 0, such as 500000000, 512M or 2G";
    case OptionKind::ExitStatus: {
      const auto number = parse_number<std::uint64_t>(value);
      if (value == "any" || (number && *number <= row.maximum)) return {};
      return fmt::format("expected 'any' or a whole number from 0 to {}", row.maximum);
    }
    case OptionKind::Word: {
      const auto words = split_bar(row.argument);
      if (contains(words, value)) return {};
      return fmt::format("expected one of {}{}", fmt::join(words, ", "), value_suggestion(value, words));
    }
    case OptionKind::Words: {
      const auto words = shell_split(value);
      return words ? std::string() : words.error();
    }
    case OptionKind::Inputs: {
      const auto inputs = parse_inputs(value);
      return inputs ? std::string() : inputs.error();
    }
    case OptionKind::File:
    case OptionKind::Text:
      return value.empty() ? "expected a value" : "";
    case OptionKind::Flag:
      return value == "true" || value == "false" ? "" : "takes no value";
  }
  return {};
}

// Checks `value` of `row`, as the user wrote it at `source` ("--json", "INSPECT_JSON"), and stores it.
std::optional<Error> store(CommandLine& line, const OptionRow& row, const std::string& value, const std::string& source) {
  if (const std::string what = complaint(row, value); !what.empty())
    return Error{row.kind == OptionKind::Flag ? fmt::format("{} {}, but was given '{}'", source, what, value)
                                              : fmt::format("{}: {}, got '{}'", source, what, value)};
  line.set(row, value);
  return std::nullopt;
}

// Environment spelling of flags.
std::string flag_value(const std::string& value) {
  if (value == "1" || value == "on" || value == "yes") return "true";
  if (value == "0" || value == "off" || value == "no" || value.empty()) return "false";
  return value;
}

// An option that the engine does not read is refused, not ignored.
std::optional<Error> unread_option(const CommandLine& line) {
  if (line.command != Check) return std::nullopt;
  const std::string engine = line.text("engine").value_or(std::string(engine::kDefault.name));
  for (const OptionRow& row : kTable) {
    const bool given = row.kind == OptionKind::Flag ? line.flag(row.name) : line.given(row.name);
    if (!given || row.engines == "*") continue;
    const std::vector<std::string> engines = split_bar(row.engines);
    if (contains(engines, engine)) continue;
    if (!contains(engines, engine::kDefault.name))
      return Error{fmt::format("{} is for --engine={}", spelling(row), engines.front())};
    return Error{fmt::format("--engine={} does not go with {}", engine, spelling(row))};
  }
  return std::nullopt;
}

// Options that have no meaning together are refused, not ignored.
std::optional<Error> contradiction(const CommandLine& line) {
  if (auto error = unread_option(line)) return error;
  const std::string algorithm = line.text("algorithm").value_or("auto");
  const search::SamplerInfo* const sampler = search::find_sampler(algorithm);
  const search::ReductionInfo* const reduction = search::find_reduction(algorithm);
  const auto needs = [&](const char* option, const Names& names) {
    return Error{fmt::format("--{} needs --algorithm={}, got --algorithm={}", option, listed(names, "or"), algorithm)};
  };
  if (line.given("pct-depth") && !(sampler && sampler->policy == INSPECT_POLICY_PCT))
    return needs("pct-depth", samplers_with(INSPECT_POLICY_PCT));
  if (line.flag("symmetry") && !search::find_reduction(algorithm, {.symmetry = true}))
    return needs("symmetry", search::reductions_for({.symmetry = true}));
  if (line.flag("symmetry") && line.given("preemptions")) return Error{"--symmetry and --preemptions exclude each other"};
  if (reduction && search::needs_of(*reduction) == search::CutNeeds::code && line.text("visible") == "all")
    return Error{fmt::format(
        "--algorithm={} looks for data races by what synchronises with what: it goes with --visible=sync only", algorithm)};
  if (line.given("max-states") && !engine::engine_of(line.text("engine").value_or("")).by_states &&
      !(reduction && search::needs_of(*reduction) == search::CutNeeds::states))
    return needs("max-states", algorithms_that_need(search::CutNeeds::states));
  if (line.given("preemptions") && !search::find_reduction(algorithm, {.bound = true})) {
    Names names = search::reductions_for({.bound = true});
    names.insert(names.begin(), "auto");
    return needs("preemptions", names);
  }
  return std::nullopt;
}

class Parser {
 public:
  Parser(Command command, const std::vector<std::string>& words) : words_(words) { line_.command = command; }

  std::optional<Error> environment(const Environment& environment) {
    for (const OptionRow& row : kTable) {
      if (!(row.commands & line_.command)) continue;
      const std::string variable = environment_variable(row);
      const char* value = environment(variable);
      if (!value || !*value) continue;
      const bool flag = row.kind == OptionKind::Flag;
      if (auto error = store(line_, row, flag ? flag_value(value) : value, variable)) return error;
      if (row.kind == OptionKind::Words) from_environment_.insert(row.name);
    }
    return std::nullopt;
  }

  std::optional<Error> command_line() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (word == "--") {
        line_.arguments.assign(words_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, words_.end());
        break;
      }
      if (word == "-h" || word == "--help") {
        line_.help = true;
      } else if (word.size() < 2 || word[0] != '-') {
        line_.targets.push_back(word);
      } else if (auto error = option(word)) {
        return error;
      }
    }
    return std::nullopt;
  }

  CommandLine take() { return std::move(line_); }

 private:
  std::optional<Error> option(const std::string& word) {
    std::string name = word;
    std::optional<std::string> value;  // what is attached to it
    if (word.starts_with("--")) {
      const auto equals = word.find('=');
      name = word.substr(2, equals == std::string::npos ? equals : equals - 2);
      if (equals != std::string::npos) value = word.substr(equals + 1);
    } else {
      name = word.substr(1, 1);
      if (word.size() > 2) value = word.substr(word[2] == '=' ? 3 : 2);
    }
    const bool negated =
        name.starts_with("no-") && find_option(name.substr(3)) && find_option(name.substr(3))->kind == OptionKind::Flag;
    const OptionRow* row = find_option(negated ? name.substr(3) : name);
    const bool single = row && row->name.size() == 1;
    if (!row || single == word.starts_with("--")) return unknown(word);
    if (!(row->commands & line_.command))
      return Error{fmt::format("{} is an option of 'inspect {}', not of 'inspect {}'", spelling(*row),
                               command_name(row->commands), command_name(line_.command))};
    return with_value(*row, negated, std::move(value));
  }

  std::optional<Error> with_value(const OptionRow& row, bool negated, std::optional<std::string> value) {
    if (row.kind == OptionKind::Flag) {
      if (value) return Error{fmt::format("{} takes no value, but was given '{}'", spelling(row), *value)};
      return store(line_, row, negated ? "false" : "true", spelling(row));
    }
    if (!value) {
      // What looks like an option is a forgotten value, but compiler flags do begin with a dash.
      const bool missing = at_ + 1 >= words_.size() || (row.kind != OptionKind::Words && words_[at_ + 1].starts_with("--"));
      if (missing) return Error{fmt::format("{} needs a value: {}", spelling(row), row.argument)};
      value = words_[++at_];
    }
    // Words of the command line add up among themselves, but replace those of the environment.
    if (from_environment_.erase(row.name)) line_.forget(row);
    return store(line_, row, *value, spelling(row));
  }

  [[nodiscard]] Error unknown(const std::string& word) const {
    // A flag of the compiler is one word with its value.
    const std::string name = word.starts_with("--") ? word.substr(0, word.find('=')) : word;
    const std::string next = at_ + 1 < words_.size() ? words_[at_ + 1] : std::string();
    return {fmt::format("unknown option '{}'; {}", name, option_suggestion(line_.command, name, next))};
  }

  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::set<std::string_view> from_environment_;
  CommandLine line_;
};

}  // namespace

std::span<const OptionRow> option_table() { return kTable; }

std::string spelling(const OptionRow& row) { return (row.name.size() == 1 ? "-" : "--") + std::string(row.name); }

std::string environment_variable(const OptionRow& row) {
  std::string out = "INSPECT_";
  for (const char c : row.name) out += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return out;
}

bool CommandLine::flag(std::string_view name) const { return text(name) == "true"; }

std::optional<std::string> CommandLine::text(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? std::nullopt : std::optional(at->second.back());
}

std::optional<std::uint64_t> CommandLine::count(std::string_view name) const {
  const auto value = text(name);
  return value ? parse_number<std::uint64_t>(*value) : std::nullopt;
}

std::optional<std::uint64_t> CommandLine::bytes(std::string_view name) const {
  const auto value = text(name);
  return value ? parse_bytes(*value) : std::nullopt;
}

std::optional<double> CommandLine::seconds(std::string_view name) const {
  const auto value = text(name);
  return value ? parse_number<double>(*value) : std::nullopt;
}

std::vector<std::string> CommandLine::words(std::string_view name) const {
  std::vector<std::string> out;
  const auto at = values_.find(name);
  if (at == values_.end()) return out;
  for (const auto& text : at->second) {
    const auto words = shell_split(text);
    if (words) out.insert(out.end(), words->begin(), words->end());
  }
  return out;
}

void CommandLine::forget(const OptionRow& row) { values_.erase(std::string(row.name)); }

void CommandLine::set(const OptionRow& row, std::string value) {
  auto& values = values_[std::string(row.name)];
  if (row.kind != OptionKind::Words) values.clear();
  values.push_back(std::move(value));
}

Result<CommandLine> parse_command_line(Command command, const std::vector<std::string>& words, const Environment& environment) {
  Parser parser(command, words);
  if (auto error = parser.environment(environment)) return *error;
  if (auto error = parser.command_line()) return *error;
  CommandLine line = parser.take();
  if (auto error = contradiction(line)) return *error;
  return line;
}

}  // namespace inspect::cli
