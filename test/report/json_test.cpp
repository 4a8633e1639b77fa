#include "report/json.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace inspect::report {
namespace {

TEST(Verdict, JsonHasEveryKeyAlways) {
  const auto json = nlohmann::json::parse(verdict_json({}));
  for (const char* key : {"schema",
                          "tool",
                          "verdict",
                          "reason",
                          "engine",
                          "algorithm",
                          "symmetry",
                          "visible",
                          "memory_model",
                          "executions",
                          "redundant_executions",
                          "transitions",
                          "states",
                          "races_checked",
                          "threads",
                          "max_depth",
                          "seconds",
                          "executions_per_second",
                          "peak_memory_bytes",
                          "bugs",
                          "known_bugs",
                          "races",
                          "limits",
                          "seed",
                          "workers",
                          "property",
                          "assumptions",
                          "bound",
                          "encoding",
                          "por",
                          "solver",
                          "inputs"})
    EXPECT_TRUE(json.contains(key)) << key;
  for (const char* key : {"max_executions", "time_limit", "max_steps", "preemptions"})
    EXPECT_TRUE(json["limits"].contains(key) && json["limits"][key].is_null()) << key;
  EXPECT_EQ(json["schema"], 1);
  EXPECT_EQ(json["memory_model"], "sc");
  EXPECT_TRUE(json["states"].is_null());
  EXPECT_TRUE(json["property"].is_null());
  EXPECT_TRUE(json["bugs"].is_array() && json["bugs"].empty());
  EXPECT_TRUE(json["races_checked"].is_boolean());
}

TEST(Verdict, JsonOfABug) {
  Verdict verdict;
  verdict.kind = VerdictKind::bug;
  verdict.bugs = {{INSPECT_BUG_DATA_RACE, "bad \xff byte", "0.1", "a.c:1:2", "a.c:3:4", std::nullopt, 5}};
  const auto json = nlohmann::json::parse(verdict_json(verdict));
  const auto& bug = json["bugs"][0];
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(bug["kind"], "data-race");
  EXPECT_EQ(bug["thread"], "0.1");
  EXPECT_EQ(bug["location"], "a.c:1:2");
  EXPECT_EQ(bug["other_location"], "a.c:3:4");
  EXPECT_TRUE(bug["schedule"].is_null());
  EXPECT_EQ(bug["executions_before"], 5);
}

}  // namespace
}  // namespace inspect::report
