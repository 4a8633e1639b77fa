#include "base/files.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

namespace inspect {
namespace {

namespace fs = std::filesystem;

TEST(Files, WritesReplaceAtOnceAndLeaveNothingElse) {
  const fs::path folder = fs::path(testing::TempDir()) / "files_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const std::string file = folder / "x";
  EXPECT_FALSE(write_file(file, "first"));
  EXPECT_FALSE(write_file(file, "second"));
  EXPECT_EQ(*read_file(file), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST(Files, AFullDeviceIsAnError) {
  const auto error = write_file("/dev/full", "text");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->message, "cannot write /dev/full: No space left on device");
}

TEST(Files, ProbingLeavesNoTrace) {
  const std::string file = testing::TempDir() + "/probed";
  fs::remove(file);
  EXPECT_FALSE(probe_writable(file));
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(probe_writable("/nonexistent/folder/file"));
  EXPECT_TRUE(probe_writable(testing::TempDir()));
}

TEST(Files, TheTemporaryFolderFollowsTmpdirAndGoes) {
  const fs::path base = fs::path(testing::TempDir()) / "tmpdir_test";
  fs::create_directories(base);
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before ? before : "";
  setenv("TMPDIR", base.c_str(), 1);
  {
    auto folder = TemporaryFolder::create();
    ASSERT_TRUE(folder) << folder.error();
    EXPECT_TRUE((*folder)->path().starts_with(base.string()));
    EXPECT_FALSE(write_file((*folder)->path() + "/x", "y"));
  }
  EXPECT_TRUE(fs::is_empty(base));
  setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_FALSE(TemporaryFolder::create());
  before ? setenv("TMPDIR", saved.c_str(), 1) : unsetenv("TMPDIR");
}

}  // namespace
}  // namespace inspect
