#include "process/launch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace inspect::process {
namespace {

bool finds(const std::string& variable) {
  const auto all = program_environment();
  return std::ranges::find(all, variable) != all.end();
}

TEST(Launch, WhatSpeaksToInspectOrDiffersBetweenRunsIsNotInTheEnvironment) {
  for (const char* const name : {"INSPECT_SEED", "OMPI_COMM_WORLD_RANK", "SLURM_JOB_ID", "SHLVL", "OLDPWD"}) {
    setenv(name, "1", 1);
    EXPECT_FALSE(finds(std::string(name) + "=1")) << name;
  }
  setenv("OF_THE_PROGRAM", "1", 1);
  EXPECT_TRUE(finds("OF_THE_PROGRAM=1"));
  const auto all = program_environment();
  EXPECT_TRUE(std::ranges::is_sorted(all));
}

// What a child prints that becomes the program, and its exit status.
class Launched : public testing::Test {
 protected:
  Launched() {
    if (write(launch.input, "input", 5) != 5) std::abort();
    lseek(launch.input, 0, SEEK_SET);
  }
  ~Launched() override {
    for (const int fd : {launch.channel, launch.input, launch.output}) close(fd);
  }

  template <class F>
  int run(F&& become) {
    const pid_t child = fork();
    if (child == 0) {
      become();
      _exit(126);
    }
    int status = 0;
    waitpid(child, &status, 0);
    char text[256];
    const ssize_t n = pread(launch.output, text, sizeof text, 0);
    printed.assign(text, n > 0 ? static_cast<std::size_t>(n) : 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  Launch launch{
      .program = "/bin/sh",
      .arguments = {"-c", "read -r a; echo \"$a|$1|$OF_THE_PROGRAM|$INSPECT_SEED\"; echo error >&2; exit 7", "sh", "x y"},
      .channel = memfd_create("channel", MFD_CLOEXEC),
      .input = memfd_create("input", MFD_CLOEXEC),
      .output = memfd_create("output", MFD_CLOEXEC)};
  std::string printed;
};

TEST_F(Launched, TheProgramGetsArgumentsInputAndEnvironment) {
  setenv("OF_THE_PROGRAM", "mine", 1);
  setenv("INSPECT_SEED", "1", 1);
  EXPECT_EQ(run([&] { execute(launch); }), 7);
  EXPECT_EQ(printed, "input|x y|mine|\nerror\n");
}

TEST_F(Launched, ASavedLaunchIsTheSame) {
  setenv("OF_THE_PROGRAM", "saved", 1);
  const auto saved = save_launch(launch);
  ASSERT_TRUE(saved) << saved.error();
  setenv("OF_THE_PROGRAM", "of somebody between", 1);
  EXPECT_EQ(run([&] { execute_saved(*saved); }), 7);
  EXPECT_EQ(printed, "input|x y|saved|\nerror\n");
  close(*saved);
}

TEST_F(Launched, WhatCannotBeExecutedSaysWhy) {
  launch.program = "/nowhere/program";
  EXPECT_EQ(run([&] { _exit(execute(launch)); }), ENOENT);
}

TEST_F(Launched, ASavedLaunchThatIsNoneIsRefused) {
  EXPECT_EQ(run([&] { _exit(execute_saved(launch.input)); }), EINVAL);
}

}  // namespace
}  // namespace inspect::process
