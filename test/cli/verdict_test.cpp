#include "model/verdict.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json.hpp"
#include "report/text.hpp"

namespace inspect {
namespace {

TEST(Verdict, WhatWasLeftOutIsNeverVerified) {
  EXPECT_EQ(judge({}).kind, VerdictKind::verified);
  EXPECT_EQ(judge({.left_out = {"a limit"}}).kind, VerdictKind::inconclusive);
  EXPECT_EQ(judge({.unsupported = {"fork"}}).kind, VerdictKind::unsupported);
}

TEST(Verdict, OrderIsBugUnsupportedInconclusiveVerified) {
  EXPECT_EQ(judge({.bug = true, .unsupported = {"x"}, .left_out = {"y"}}).kind, VerdictKind::bug);
  EXPECT_EQ(judge({.unsupported = {"x"}, .left_out = {"y"}}).kind, VerdictKind::unsupported);
  EXPECT_EQ(judge({.left_out = {"y", "z"}}).reason, "y; z");
}

TEST(Verdict, ExitStatusesAreTheContract) {
  EXPECT_EQ(static_cast<int>(exit_status_of(VerdictKind::verified)), 0);
  EXPECT_EQ(static_cast<int>(exit_status_of(VerdictKind::bug)), 1);
  EXPECT_EQ(static_cast<int>(exit_status_of(VerdictKind::inconclusive)), 3);
  EXPECT_EQ(static_cast<int>(exit_status_of(VerdictKind::unsupported)), 4);
  EXPECT_EQ(static_cast<int>(ExitStatus::usage), 2);
  EXPECT_EQ(static_cast<int>(ExitStatus::internal_error), 70);
}

TEST(Verdict, JsonHasEveryKeyAlways) {
  const auto json = nlohmann::json::parse(report::verdict_json({}));
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
                          "assumptions"})
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
  const auto json = nlohmann::json::parse(report::verdict_json(verdict));
  const auto& bug = json["bugs"][0];
  EXPECT_EQ(json["verdict"], "bug");
  EXPECT_EQ(bug["kind"], "data-race");
  EXPECT_EQ(bug["thread"], "0.1");
  EXPECT_EQ(bug["location"], "a.c:1:2");
  EXPECT_EQ(bug["other_location"], "a.c:3:4");
  EXPECT_TRUE(bug["schedule"].is_null());
  EXPECT_EQ(bug["executions_before"], 5);
}

TEST(Verdict, TextEndsWithTheVerdictAndTheCounts) {
  Verdict verdict;
  verdict.kind = VerdictKind::verified;
  verdict.algorithm = "dpor";
  verdict.executions = 6;
  EXPECT_EQ(report::verdict_text(verdict, "x.c", true),
            "VERIFIED: x.c: every schedule for this input was covered, no bug (engine native, algorithm dpor)\n"
            "Number of complete executions explored: 6\n");
  verdict.kind = VerdictKind::inconclusive;
  verdict.reason = "stopped after 6 executions (--max-executions)";
  verdict.redundant_executions = 2;
  EXPECT_EQ(report::verdict_text(verdict, "x.c", true),
            "INCONCLUSIVE: x.c: stopped after 6 executions (--max-executions)\n"
            "Number of complete executions explored: 6\n"
            "Number of redundant executions: 2\n");
  verdict.weak_atomics = 1;
  verdict.assumptions = {"freed addresses are not reused"};
  const auto text = report::verdict_text(verdict, "x.c", false);
  EXPECT_NE(text.find("assumption: freed addresses are not reused\n"), std::string::npos);
  EXPECT_NE(text.find("(1 atomic operation weaker than seq_cst treated as seq_cst)"), std::string::npos);
}

}  // namespace
}  // namespace inspect
