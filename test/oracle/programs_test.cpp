// The programs of programs.hpp under every algorithm and batch size.
#include "programs.hpp"

#include <gtest/gtest.h>

#include "model/verdict.hpp"
#include "oracle/compare.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::oracle {
namespace {

std::string kinds_of(const Behaviours& all) {
  std::string text;
  std::uint32_t last = 0;
  for (const BugKey& b : all.bugs) {
    if (b.kind == last) continue;
    text += (text.empty() ? "" : " ") + std::string(bug_kind_name(static_cast<inspect_bug>(b.kind)));
    last = b.kind;
  }
  return text;
}

class Programs : public testing::TestWithParam<NamedProgram> {};

TEST_P(Programs, EveryAlgorithmCoversThem) {
  const ModelProgram p = parse_model(GetParam().text);
  const auto all = enumerate(p, 1 << 20);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->unsound, "");
  EXPECT_EQ(kinds_of(*all), GetParam().bugs);
  EXPECT_EQ(all->classes.size(), GetParam().classes);
  for (const search::ReductionInfo& r : search::reductions()) {
    if (!r.property.empty() || (enumerates(r) && !enumerate(p, 120))) continue;  // few enough schedules to run them all
    for (const unsigned batch : {1u, 2u, 7u, 16u}) {
      const Comparison c =
          compare(p, *all, std::string(r.name), batch, batch == 1 ? !enumerates(r) : is_optimal(r) && all->bugs.empty());
      EXPECT_EQ(c.wrong, "") << r.name << ", batch " << batch;
    }
  }
}

// A program in its text form is the same program.
TEST_P(Programs, TextRoundTrip) {
  const ModelProgram p = parse_model(GetParam().text);
  EXPECT_EQ(to_text(parse_model(to_text(p))), to_text(p));
}

TEST(Ordered, NothingIsTriedInVain) {
  for (const NamedProgram& named : kOrdered) {
    const ModelProgram p = parse_model(named.text);
    const auto all = enumerate(p, 1 << 20);
    ASSERT_TRUE(all);
    for (const search::ReductionInfo& r : search::reductions()) {
      if (!r.property.empty() || enumerates(r)) continue;
      const Comparison c = compare(p, *all, std::string(r.name), 1, true);
      EXPECT_EQ(c.wrong, "") << named.name << ", " << r.name;
      EXPECT_EQ(c.executions + c.redundant, 1u) << named.name << ", " << r.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Semantics, Programs, testing::ValuesIn(kPrograms),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace inspect::oracle
