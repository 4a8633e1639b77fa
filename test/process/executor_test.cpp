#include "process/executor.hpp"

#include <gtest/gtest.h>

#include "process/memory.hpp"

namespace inspect::process {
namespace {

std::string refusal(LaunchOptions options) {
  auto executor = Executor::launch(std::move(options));
  return executor ? "it was launched" : executor.error();
}

LaunchOptions shell(const std::string& script) {
  LaunchOptions options;
  options.program = "/bin/sh";
  options.arguments = {"-c", script};
  return options;
}

TEST(Executor, WhatCannotBeExecutedIsSaidInOneLine) {
  LaunchOptions options;
  options.program = "/nowhere/program";
  EXPECT_EQ(refusal(options), "/nowhere/program: cannot be executed: No such file or directory");
}

TEST(Executor, AProgramThatEndsBeforeMainIsNoticed) {
  EXPECT_EQ(refusal(shell("echo something; exit 3")), "ended with status 3 before main was reached: something");
  EXPECT_EQ(refusal(shell("kill -9 $$")), "killed by signal 9 before main was reached");
  EXPECT_EQ(refusal(shell("kill -STOP $$")), "stopped by signal 19 before main was reached");
}

TEST(Executor, AReasonToStopEndsAProgramThatNeverGetsThere) {
  LaunchOptions options = shell("exec sleep 1000");
  options.stop = [](const Executor&) { return std::optional<std::string>("enough"); };
  EXPECT_EQ(refusal(options), "enough");
}

TEST(Executor, NothingThatTheProgramStartedIsLeft) {
  (void)refusal(shell("sleep 1000 & exit 0"));
  EXPECT_EQ(child_of(getpid()), 0);
}

}  // namespace
}  // namespace inspect::process
