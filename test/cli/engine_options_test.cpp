#include "cli/engine_options.hpp"

#include <gtest/gtest.h>

#include "native/configuration.hpp"

namespace inspect::cli {
namespace {

engine::Options options_of(const std::vector<std::string>& words) {
  const auto none = [](const std::string&) -> const char* { return nullptr; };
  const auto line = parse_command_line(Check, words, none);
  EXPECT_TRUE(line) << line.error();
  return engine_options(*line);
}

TEST(EngineOptions, ASampleIsLimited) {
  const auto frame = [&](const std::vector<std::string>& words) { return native::verdict_frame(options_of(words)); };
  EXPECT_EQ(frame({"--algorithm=pct"}).algorithm, "pct");
  EXPECT_EQ(frame({"--algorithm=pct"}).limits.max_executions, 10000u);
  EXPECT_EQ(frame({"--algorithm=random", "--time-limit=5"}).limits.max_executions, std::nullopt);
  EXPECT_EQ(frame({"--algorithm=source"}).limits.max_executions, std::nullopt);
}

TEST(EngineOptions, RecordedOptionsGiveTheConfigurationBack) {
  const std::vector<std::vector<std::string>> lines{
      {}, {"--visible=all", "--spurious-wakeups", "--expect-exit=any", "--max-steps=7", "--seed=9"}, {"--expect-exit=3"}};
  for (const auto& words : lines) {
    const auto first = native::configuration_of(options_of(words));
    const auto second = native::configuration_of(options_of(native::recorded_options(first)));
    EXPECT_EQ(first.visible_all, second.visible_all);
    EXPECT_EQ(first.spurious_wakeups, second.spurious_wakeups);
    EXPECT_EQ(first.expect_any_exit, second.expect_any_exit);
    EXPECT_EQ(first.expected_exit, second.expected_exit);
    EXPECT_EQ(first.max_steps, second.max_steps);
    EXPECT_EQ(first.seed, second.seed);
  }
}

}  // namespace
}  // namespace inspect::cli
