#include "compile/elf.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files.hpp"

namespace inspect::compile {
namespace {

std::string written(const std::string& name, const std::string& bytes) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

TEST(Elf, ThisTestIsAnExecutableButNotInstrumented) {
  const auto facts = read_elf("/proc/self/exe");
  ASSERT_TRUE(facts) << facts.error();
  EXPECT_FALSE(facts->instrumented);
  EXPECT_FALSE(facts->build_id.empty());
}

TEST(Elf, OtherFilesAreRefused) {
  EXPECT_EQ(read_elf(written("script", "#!/bin/sh\n")).error(), "not an ELF executable");
  EXPECT_EQ(read_elf(written("empty", "")).error(), "not an ELF executable");
  EXPECT_FALSE(read_elf(testing::TempDir() + "/missing"));
}

TEST(Elf, NoPrefixOfAnExecutableCrashesTheReader) {
  const auto whole = read_file("/proc/self/exe");
  ASSERT_TRUE(whole);
  for (std::size_t n = 0; n < 200; n += 3) (void)read_elf(written("cut", whole->substr(0, n)));
  for (std::size_t n = 200; n < whole->size(); n += whole->size() / 10) {
    std::string damaged = whole->substr(0, n);
    for (std::size_t i = 32; i < 64; ++i) damaged[i] = static_cast<char>(0xff);  // offsets and counts of the header
    (void)read_elf(written("damaged", damaged));
  }
}

}  // namespace
}  // namespace inspect::compile
