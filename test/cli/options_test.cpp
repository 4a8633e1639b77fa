#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

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
  EXPECT_EQ(error_of({}, {{"INSPECT_LTL", "G p"}}), "INSPECT_LTL is not available in this build");
  EXPECT_TRUE(parse({}, {{"INSPECT_KEEP_GOING", "yes"}})->flag("keep-going"));
}

TEST(Options, UnknownOptionsNameTheNearest) {
  EXPECT_EQ(error_of({"--max-execution=3"}), "unknown option '--max-execution'; did you mean '--max-executions'?");
  EXPECT_EQ(error_of({"--jsno", "x"}), "unknown option '--jsno'; did you mean '--json'?");
  EXPECT_EQ(error_of({"--no-symetry"}), "unknown option '--no-symetry'; did you mean '--no-symmetry'?");
  EXPECT_EQ(error_of({"--json-"}), "unknown option '--json-'; did you mean '--json'?");
  EXPECT_NE(error_of({"-x"}), "");
  EXPECT_NE(error_of({"--j=1"}), "");
  EXPECT_EQ(error_of({"--gdb"}), "--gdb is an option of 'inspect replay', not of 'inspect check'");
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
}

TEST(Options, MissingValuesAreNamed) {
  EXPECT_EQ(error_of({"--json"}), "--json needs a value: FILE");
  EXPECT_EQ(error_of({"--json", "--quiet"}), "--json needs a value: FILE");
  EXPECT_EQ(error_of({"-j"}), "-j needs a value: N");
  EXPECT_EQ(error_of({"--quiet=1"}), "--quiet takes no value, but was given '1'");
  EXPECT_EQ(parse({"--json", "-"})->text("json"), "-");
}

TEST(Options, WhatIsNotBuiltIsRefusedByName) {
  EXPECT_EQ(error_of({"--engine=symbolic"}), "--engine=symbolic is not available in this build");
  EXPECT_EQ(error_of({"--ltl=G p"}), "--ltl is not available in this build");
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

TEST(Options, AlgorithmsFollowTheTableOfReductions) {
  const auto& built = built_algorithms();
  EXPECT_NE(std::find(built.begin(), built.end(), "auto"), built.end());
  for (const OptionRow& row : option_table()) {
    if (row.name != "algorithm") continue;
    for (const char* name : {"auto", "naive", "dpor", "source", "optimal", "sdpor", "pdp", "random", "pct"}) {
      const bool available = std::find(built.begin(), built.end(), name) != built.end();
      EXPECT_EQ(error_of({std::string("--algorithm=") + name}),
                available ? "" : std::string("--algorithm=") + name + " is not available in this build");
    }
  }
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
