#include "symbolic_engine/inputs.hpp"

#include <gtest/gtest.h>

namespace inspect::symbolic_engine {
namespace {

SymbolicInput input(const char* type, unsigned bits, std::uint64_t value) {
  return {.function = std::string("__VERIFIER_nondet_") + type, .bits = bits, .value = value};
}
SymbolicInput choice(std::uint64_t count, std::uint64_t value) {
  return {.function = "inspect_nondet", .bits = 32, .value = value, .count = count};
}

TEST(Inputs, AreWhatTheTypeMakesOfThem) {
  EXPECT_EQ(text_of(input("int", 32, 0xffffffff)), "-1");
  EXPECT_EQ(text_of(input("uint", 32, 0xffffffff)), "4294967295");
  EXPECT_EQ(text_of(input("long", 64, std::uint64_t{1} << 63)), "-9223372036854775808");
  EXPECT_EQ(text_of(input("ulong", 64, ~std::uint64_t{0})), "18446744073709551615");
  EXPECT_EQ(text_of(input("char", 8, 0x80)), "-128");
  EXPECT_EQ(text_of(input("bool", 1, 1)), "1");
}

TEST(Inputs, AlternativesCountTheValuesThatFit) {
  // The runtime leaves out what does not fit: -5 is no unsigned, 300 no char.
  const std::vector<SymbolicInput> all{input("int", 32, 0xfffffffb), input("uint", 32, 300), input("char", 8, 7)};
  const auto list = InputList::of(all);
  ASSERT_TRUE(list);
  EXPECT_EQ(format_inputs(list->ranges()), "-5,7,300");
  EXPECT_EQ(list->alternative(all[0]), 0);
  EXPECT_EQ(list->alternative(all[1]), 1);
  EXPECT_EQ(list->alternative(all[2]), 1);
  EXPECT_EQ(list->alternative(input("int", 32, 300)), 2);
}

TEST(Inputs, OneValueIsNoStep) {
  const std::vector<SymbolicInput> all{input("int", 32, 4)};
  const auto list = InputList::of(all);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->alternative(all[0]), std::nullopt);
  EXPECT_EQ(list->alternative(choice(1, 0)), std::nullopt);
}

TEST(Inputs, ChoicesAreNotListed) {
  const std::vector<SymbolicInput> all{choice(10, 7), input("bool", 1, 1)};
  const auto list = InputList::of(all);
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->ranges().empty());
  EXPECT_EQ(list->alternative(all[0]), 7);
  EXPECT_EQ(list->alternative(all[1]), 1);
}

TEST(Inputs, ChoicesOfMoreThanAlternativesAre) {
  const std::vector<SymbolicInput> all{choice(100'000, 70'000), input("int", 32, 0xffffffff), input("int", 32, 200'000)};
  const auto list = InputList::of(all);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->alternative(all[0]), std::nullopt) << "the only one that is no more than 99999";
  EXPECT_EQ(list->alternative(all[2]), 2);
}

}  // namespace
}  // namespace inspect::symbolic_engine
