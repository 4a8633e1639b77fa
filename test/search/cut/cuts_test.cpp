#include <gtest/gtest.h>

#include "search/cut/cut.hpp"

namespace inspect::search {
namespace {

TEST(Cuts, AreAskedForByAlgorithmsThatNameThem) {
  for (const CutInfo& cut : cuts()) EXPECT_EQ(asked_by(cut, {}), "") << cut.name;
  for (const ReductionInfo& reduction : reductions()) {
    Options options;
    options.algorithm = reduction.name;
    for (const CutInfo& cut : cuts()) {
      EXPECT_EQ(asked_by(cut, options), cut.name == reduction.cut ? "--algorithm=" + options.algorithm : "") << cut.name;
      EXPECT_EQ(cut.option(options), "") << cut.name;
    }
  }
}

// What a checkpoint was made with stands there, so that nothing else goes on with it.
TEST(Cuts, AreAskedForByOptionsWithTheirValues) {
  Options options;
  options.symmetry = true;
  options.preemptions = 2;
  for (const auto& [name, given] : {std::pair("symmetry", "--symmetry"), std::pair("preemption_bound", "--preemptions=2")})
    if (const CutInfo* const cut = find_cut(name)) {
      EXPECT_EQ(asked_by(*cut, options), given);
      EXPECT_EQ(cut->option(options), given);
    }
}

}  // namespace
}  // namespace inspect::search
