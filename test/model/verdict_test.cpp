#include "model/verdict.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace inspect
