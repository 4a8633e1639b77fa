#include "process/variables.hpp"

#include <gtest/gtest.h>

#include "subject.hpp"

namespace inspect::process {
namespace {

using Kind = ValueForm::Kind;

class OfTheSubject : public testing::Test {
 protected:
  std::string name_of(std::uint64_t offset, std::uint64_t size) {
    const auto part = variables.global(offset, size);
    return part ? part->name : "";
  }
  Variables variables{test::kSubject};
  const std::uint64_t accounts = test::offset_of("_ZN7subject8accountsE"), counter = test::offset_of("_ZN7subject7counterE");
};

TEST_F(OfTheSubject, AMemberOfAnElementIsNamedByItsPath) {
  EXPECT_EQ(name_of(accounts, 8), "subject::accounts[0].balance");
  EXPECT_EQ(name_of(accounts + 16 + 8, 4), "subject::accounts[1].lock.owner");
  EXPECT_EQ(name_of(accounts + 32 + 12, 1), "subject::accounts[2].lock.taken");
}

TEST_F(OfTheSubject, WhatIsBehindAVariableIsNoPartOfIt) {
  EXPECT_FALSE(name_of(accounts + 48, 8).starts_with("subject::accounts"));
}

TEST_F(OfTheSubject, AValueIsReadAsItsTypeSays) {
  EXPECT_EQ(variables.global(counter, 4)->form.kind, Kind::integer);
  EXPECT_EQ(variables.global(accounts + 12, 1)->form.kind, Kind::boolean);
}

TEST_F(OfTheSubject, NumbersAreFoundByName) {
  const auto found = variables.numbers_named("subject::counter");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].offset, counter);
  EXPECT_EQ(found[0].bytes, 4u);
  EXPECT_TRUE(found[0].is_signed);
  EXPECT_TRUE(variables.numbers_named("subject::accounts").empty());
  EXPECT_TRUE(variables.numbers_named("subject::nothing").empty());
}

TEST(Variables, WithoutDebugInformationNothingIsKnown) {
  Variables variables("/dev/null");
  EXPECT_EQ(variables.global(0, 4), std::nullopt);
  EXPECT_TRUE(variables.numbers_named("subject::counter").empty());
}

TEST(Variables, ADamagedFileIsNoError) {
  const std::uint64_t counter = test::offset_of("_ZN7subject7counterE");
  test::for_each_damaged([&](const std::string& path) { (void)Variables(path).global(counter, 4); });
}

}  // namespace
}  // namespace inspect::process
