#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cli/suggestions.hpp"
#include "engine/engines.hpp"
#include "model/inputs.hpp"
#include "search/reduction/reduction.hpp"
#include "search/sample/sample.hpp"

namespace inspect::cli {
namespace {

using Words = std::vector<std::string>;

Environment environment(std::map<std::string, std::string> values = {}) {
  return [values = std::move(values)](const std::string& name) -> const char* {
    const auto at = values.find(name);
    return at == values.end() ? nullptr : at->second.c_str();
  };
}

Result<CommandLine> parse(const Words& words, std::map<std::string, std::string> env = {}, Command command = Check) {
  return parse_command_line(command, words, environment(std::move(env)));
}

std::string error_of(const Words& words, std::map<std::string, std::string> env = {}, Command command = Check) {
  const auto line = parse(words, std::move(env), command);
  return line ? "" : line.error();
}

// The words that an option may be.
Words words_of(std::string_view name) {
  for (const OptionRow& row : option_table())
    if (row.name == name) return split_bar(row.argument);
  return {};
}

TEST(Options, TableIsSortedByName) {
  const auto table = option_table();
  EXPECT_TRUE(std::is_sorted(table.begin(), table.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST(Options, EveryRowIsInTheUsageTextOfItsCommands) {
  for (const OptionRow& row : option_table())
    for (const Command command : {Check, Replay, Report})
      EXPECT_EQ((row.commands & command) != 0, usage(command).find("  " + spelling(row) +
                                                                   (row.kind == OptionKind::Flag ? " "
                                                                    : row.name.size() == 1       ? " "
                                                                                                 : "=")) != std::string::npos)
          << row.name;
}

TEST(Options, ValuesMayBeAttachedOrFollow) {
  const auto line = parse({"--json=a.json", "--max-executions", "7", "-j", "1", "x.c"});
  ASSERT_TRUE(line) << line.error();
  EXPECT_EQ(line->text("json"), "a.json");
  EXPECT_EQ(line->count("max-executions"), 7u);
  EXPECT_EQ(line->count("j"), 1u);
  EXPECT_EQ(line->targets, Words{"x.c"});
  EXPECT_EQ(parse({"-j1"})->count("j"), 1u);
}

TEST(Options, WhatFollowsTwoDashesIsTheProgramsOwn) {
  const auto line = parse({"a.out", "--", "--json", "--", "-x"});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->targets, Words{"a.out"});
  EXPECT_EQ(line->arguments, (Words{"--json", "--", "-x"}));
  EXPECT_FALSE(line->given("json"));
}

TEST(Options, CompilerFlagsAreSplitAndAddUp) {
  const auto line = parse({"--cflags", "-DA='x y' -DB", "--cflags=-lm", "x.c"});
  ASSERT_TRUE(line) << line.error();
  EXPECT_EQ(line->words("cflags"), (Words{"-DA=x y", "-DB", "-lm"}));
  EXPECT_EQ(error_of({"--cflags", "-D'A"}), "--cflags: a quote is not closed, got '-D'A'");
}

TEST(Options, TheCommandLineWinsOverTheEnvironment) {
  const auto line =
      parse({"--max-executions=3", "--cflags=-DC", "--no-quiet"},
            {{"INSPECT_MAX_EXECUTIONS", "9"}, {"INSPECT_CFLAGS", "-DE"}, {"INSPECT_SEED", "4"}, {"INSPECT_QUIET", "1"}});
  ASSERT_TRUE(line) << line.error();
  EXPECT_EQ(line->count("max-executions"), 3u);
  EXPECT_EQ(line->words("cflags"), Words{"-DC"});
  EXPECT_EQ(line->count("seed"), 4u);
  EXPECT_FALSE(line->flag("quiet"));
}

TEST(Options, EnvironmentIsCheckedToo) {
  EXPECT_EQ(error_of({}, {{"INSPECT_J", "0"}}), "INSPECT_J: expected a whole number from 1 to 4096, got '0'");
  EXPECT_EQ(error_of({}, {{"INSPECT_KEEP_GOING", "maybe"}}), "INSPECT_KEEP_GOING takes no value, but was given 'maybe'");
  EXPECT_TRUE(parse({}, {{"INSPECT_KEEP_GOING", "yes"}})->flag("keep-going"));
}

TEST(Options, UnknownOptionsNameTheNearest) {
  EXPECT_EQ(error_of({"--max-execution=3"}), "unknown option '--max-execution'; did you mean '--max-executions'?");
  EXPECT_EQ(error_of({"--jsno", "x"}), "unknown option '--jsno'; did you mean '--json'?");
  EXPECT_EQ(error_of({"--no-symetry"}), "unknown option '--no-symetry'; did you mean '--no-symmetry'?");
  EXPECT_EQ(error_of({"--json-"}), "unknown option '--json-'; did you mean '--json'?");
  EXPECT_EQ(error_of({"--max-exec=3"}), "unknown option '--max-exec'; did you mean '--max-executions'?");
  EXPECT_EQ(error_of({"-y"}), "unknown option '-y'; 'inspect check --help' lists the options");
  EXPECT_EQ(error_of({"--max"}), "unknown option '--max'; 'inspect check --help' lists the options");
  EXPECT_EQ(error_of({"--frobnicate"}), "unknown option '--frobnicate'; 'inspect check --help' lists the options");
  EXPECT_NE(error_of({"--j=1"}), "");
  EXPECT_EQ(error_of({"--gdb"}), "--gdb is an option of 'inspect replay', not of 'inspect check'");
}

TEST(Options, WordsOfOtherToolsAreUnderstood) {
  const std::vector<std::pair<Words, std::string>> meant = {
      {{"--timeout", "9"}, "--time-limit"},
      {{"--timeout=9"}, "--time-limit"},
      {{"--threads=2"}, "-j"},
      {{"--jobs", "2"}, "-j"},
      {{"--algo=dpor"}, "--algorithm"},
      {{"--dpor"}, "--algorithm=dpor"},
      {{"--all"}, "--visible=all"},
      {{"--verbose"}, "--progress=on"},
      {{"-v"}, "--progress=on"},
      {{"-q"}, "--quiet"},
      {{"--runs=3"}, "--max-executions"},
      {{"-o", "a"}, "--json"},
      {{"--replay", "f"}, "inspect replay"},
      {{"--debug"}, "inspect replay --gdb"},
      {{"--args", "x"}, "-- ARGS"},
      {{"-O2", "x.c"}, "--cflags=-O2"},
      {{"-DN=1", "x.c"}, "--cflags=-DN=1"},
      {{"-std=c11"}, "--cflags=-std=c11"},
      {{"-I", "include"}, "--cflags=\"-I include\""},
      {{"-lm"}, "--cflags=-lm"},
      {{"-pthread"}, "--cflags=-pthread"},
      {{"--version"}, "inspect --version"},
  };
  for (const auto& [words, option] : meant) {
    const std::string name = words[0].starts_with("--") ? words[0].substr(0, words[0].find('=')) : words[0];
    EXPECT_EQ(error_of(words), "unknown option '" + name + "'; did you mean '" + option + "'?");
  }
  EXPECT_EQ(error_of({"--timeout=9"}, {}, Replay), "unknown option '--timeout'; did you mean '--time-limit'?");
  EXPECT_EQ(error_of({"--symbolic"}), "unknown option '--symbolic'; did you mean '--engine=symbolic'?");
}

// Whatever is suggested is accepted: an option with a value, a flag, or words of another command.
TEST(Options, SuggestionsAreOptions) {
  for (const char* word : {"--timeout", "--time",      "--threads",    "--np",      "--algo",   "--mode",     "--context-bound",
                           "--verbose", "--silent",    "--iterations", "--depth",   "--unwind", "--continue", "--output",
                           "--trace",   "--exit-code", "--save",       "--restart", "--flags",  "--inputs",   "--usage",
                           "-n",        "-k",          "-s",           "-o"}) {
    const std::string text = option_suggestion(Check, word, "");
    ASSERT_TRUE(text.starts_with("did you mean '-")) << word << ": " << text;
    std::string option = text.substr(14, text.size() - 16);
    for (const OptionRow& row : option_table()) {
      const bool valued = row.kind != OptionKind::Flag && option == spelling(row);
      if (valued) option += std::string("=") + (row.name == "algorithm" ? "auto" : row.name == "expect-exit" ? "any" : "1");
    }
    EXPECT_EQ(error_of({option}), "") << word;
  }
}

TEST(Options, UnknownCommandsNameWhatWasMeant) {
  EXPECT_EQ(command_suggestion("chek"), "did you mean 'inspect check'?");
  EXPECT_EQ(command_suggestion("verify"), "did you mean 'inspect check'?");
  EXPECT_EQ(command_suggestion("debug"), "did you mean 'inspect replay'?");
  EXPECT_EQ(command_suggestion("help"), "did you mean 'inspect --help'?");
  EXPECT_EQ(command_suggestion("a.c"), "did you mean 'inspect check a.c'?");
  EXPECT_EQ(command_suggestion("inspect-bug.schedule"), "did you mean 'inspect replay inspect-bug.schedule'?");
  EXPECT_EQ(command_suggestion("--quiet"), "options follow the command: inspect check, inspect replay, inspect report");
  EXPECT_NE(command_suggestion("./queue_test").find("'inspect check ./queue_test'"), std::string::npos);
}

TEST(Options, InputsAreMergedAndBounded) {
  const auto text = [](const char* list) {
    const auto inputs = parse_inputs(list);
    return inputs ? format_inputs(*inputs) : inputs.error();
  };
  EXPECT_EQ(text("3"), "3");
  EXPECT_EQ(text("7,-2..-1,0,3..5,4..6,7"), "-2..0,3..7");
  EXPECT_EQ(text("18446744073709551615,-9223372036854775808"), "-9223372036854775808,18446744073709551615");
  EXPECT_EQ(text("0..65535"), "0..65535");
  EXPECT_EQ(text("0..65536"), "expected at most 65536 values");
  EXPECT_EQ(text("0..18446744073709551615"), "expected at most 65536 values");
  for (const char* bad :
       {"", ",", "1,", ",1", "1..", "..1", "2..1", "a", "1 ,2", "1...2", "0x10", "+1", "1.5", "18446744073709551616"})
    EXPECT_NE(error_of({std::string("--nondet=") + bad}), "") << bad;
  EXPECT_EQ(error_of({"--nondet", "-1,2"}), "");
  EXPECT_EQ(error_of({"--nondet=x"}), "--nondet: expected integers or ranges a..b with a <= b, separated by commas, got 'x'");
  EXPECT_EQ(error_of({}, {{"INSPECT_NONDET", "1..0"}}).find("INSPECT_NONDET: "), 0u);
}

TEST(Options, NumbersOutOfRangeAreRefused) {
  for (const char* bad : {"-1", "0", "", " 1", "1 ", "1e3", "0x10", "99999999999999999999", "+1", "1.5", "many"})
    EXPECT_NE(error_of({std::string("--max-executions=") + bad}), "") << bad;
  for (const char* bad : {"-1", "0", "nan", "inf", "", "1s", "1e10"})
    EXPECT_NE(error_of({std::string("--time-limit=") + bad}), "") << bad;
  for (const char* good : {"1", "0.5", "1e2"}) EXPECT_EQ(error_of({std::string("--time-limit=") + good}), "") << good;
  for (const char* bad : {"-1", "256", "all", ""}) EXPECT_NE(error_of({std::string("--expect-exit=") + bad}), "") << bad;
  for (const char* good : {"any", "0", "255"}) EXPECT_EQ(error_of({std::string("--expect-exit=") + good}), "") << good;
  EXPECT_EQ(error_of({"--max-executions", "-1"}),
            "--max-executions: expected a whole number from 1 to 18446744073709551615, got '-1'");
}

TEST(Options, WordsOutsideTheListNameTheNearest) {
  EXPECT_EQ(error_of({"--visible=sink"}), "--visible: expected one of sync, all; did you mean 'sync'?, got 'sink'");
  EXPECT_EQ(error_of({"--visible=everything"}), "--visible: expected one of sync, all, got 'everything'");
}

TEST(Options, MissingValuesAreNamed) {
  EXPECT_EQ(error_of({"--json"}), "--json needs a value: FILE");
  EXPECT_EQ(error_of({"--json", "--quiet"}), "--json needs a value: FILE");
  EXPECT_EQ(error_of({"-j"}), "-j needs a value: N");
  EXPECT_EQ(error_of({"--quiet=1"}), "--quiet takes no value, but was given '1'");
  EXPECT_EQ(parse({"--json", "-"})->text("json"), "-");
}

TEST(Options, WhatGoesTogetherIsAccepted) {
  EXPECT_EQ(error_of({"--engine=explicit"}), "");
  EXPECT_EQ(error_of({"--engine=explicit", "--max-states=10"}), "");
  EXPECT_EQ(error_of({"--engine=explicit", "--independence=none", "--thread-symmetry=exact"}), "");
  EXPECT_EQ(error_of({"--no-symmetry"}), "");
  EXPECT_EQ(error_of({"-j", "2"}), "");
  EXPECT_EQ(error_of({"--gdb", "f"}, {}, Replay), "");
}

TEST(Options, ContradictionsAreRefused) {
  EXPECT_EQ(error_of({"--algorithm=pct", "--pct-depth=4"}), "");
  EXPECT_EQ(error_of({"--pct-depth=4"}), "--pct-depth needs --algorithm=pct, got --algorithm=auto");
  EXPECT_EQ(error_of({"--algorithm=random"}, {{"INSPECT_PCT_DEPTH", "2"}}),
            "--pct-depth needs --algorithm=pct, got --algorithm=random");
  EXPECT_NE(error_of({"--algorithm=pct", "--pct-depth=0"}), "");
  EXPECT_EQ(error_of({"--preemptions=0"}), "");
  EXPECT_EQ(error_of({"--preemptions=2", "--algorithm=naive"}), "");
  EXPECT_EQ(error_of({"--preemptions=2", "--algorithm=source"}),
            "--preemptions needs --algorithm=auto, naive or dpor, got --algorithm=source");
  EXPECT_NE(error_of({"--preemptions=2", "--algorithm=random"}), "");
}

// Whoever adds an option says which engines read it; to the others it is an error.
TEST(Options, EnginesRefuseWhatTheyDoNotRead) {
  const Words engines = words_of("engine");
  ASSERT_GE(engines.size(), 3u);
  for (const OptionRow& row : option_table()) {
    EXPECT_EQ(row.engines.empty(), !(row.commands & Check)) << row.name;
    if (!(row.commands & Check) || row.engines == "*") continue;
    for (const std::string& reader : split_bar(row.engines))
      EXPECT_TRUE(std::ranges::count(engines, reader)) << row.name << ": " << reader;
  }
  EXPECT_EQ(error_of({"--engine=explicit", "--checkpoint-memory=1G"}),
            "--engine=explicit does not go with --checkpoint-memory");
  EXPECT_EQ(error_of({"--engine=symbolic", "--minimise=1"}), "--engine=symbolic does not go with --minimise");
  EXPECT_EQ(error_of({"--engine=symbolic", "--keep-going"}), "--engine=symbolic does not go with --keep-going");
  EXPECT_EQ(error_of({"--engine=symbolic", "--no-keep-going"}), "");
  EXPECT_EQ(error_of({"--bound=3"}), "--bound is for --engine=symbolic");
}

TEST(Options, AlgorithmsAndEnginesAreThoseOfTheirTables) {
  for (const auto& row : search::reductions()) EXPECT_EQ(error_of({"--algorithm=" + std::string(row.name)}), "");
  for (const auto& row : search::samplers()) EXPECT_EQ(error_of({"--algorithm=" + std::string(row.name)}), "");
  for (const auto& row : engine::kEngines) EXPECT_EQ(error_of({"--engine=" + std::string(row.name)}), "");
  EXPECT_EQ(words_of("algorithm").size(), 1 + search::reductions().size() + search::samplers().size());
  EXPECT_EQ(words_of("engine").size(), std::size(engine::kEngines));
}

TEST(Options, EverySpellingAndEnvironmentNameIsDerivedFromTheTable) {
  for (const OptionRow& row : option_table()) {
    const std::string variable = environment_variable(row);
    EXPECT_TRUE(variable.starts_with("INSPECT_"));
    EXPECT_EQ(variable.find('-'), std::string::npos);
    // A value no kind accepts must be refused under both names, by that name.
    const Command command = row.commands & Check ? Check : row.commands & Replay ? Replay : Report;
    if (row.kind == OptionKind::File || row.kind == OptionKind::Text) continue;
    const auto from_environment = error_of({}, {{variable, "'"}}, command);
    EXPECT_TRUE(from_environment.starts_with(variable)) << from_environment;
    const auto from_line = error_of({spelling(row) + "='"}, {}, command);
    EXPECT_TRUE(from_line.starts_with(spelling(row))) << from_line;
  }
}

TEST(Options, ShellSplitQuotes) {
  EXPECT_EQ(*shell_split("a  b\tc"), (Words{"a", "b", "c"}));
  EXPECT_EQ(*shell_split("'a b' \"c \\\" d\" e\\ f ''"), (Words{"a b", "c \" d", "e f", ""}));
  EXPECT_EQ(*shell_split("\"\\n\" '\\n'"), (Words{"\\n", "\\n"}));
  EXPECT_EQ(*shell_split(""), Words{});
  EXPECT_FALSE(shell_split("\"a"));
}

}  // namespace
}  // namespace inspect::cli
