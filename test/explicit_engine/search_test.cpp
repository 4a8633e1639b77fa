// Random programs in memory: the search meets all bugs and all states at ends that brute force meets, and nothing else.
//
// INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose other seeds than those of CI.
#include "explicit_engine/search.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <set>

#include "oracle/enumerate.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"

namespace inspect::explicit_engine {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Ends executions in states that were met, as the runtime does, and notes the ends of the others.
class CuttingProgram final : public search::Program {
 public:
  explicit CuttingProgram(const oracle::ModelProgram& program) : whole_(program) {}

  std::vector<Execution> run(std::span<const search::Request> requests) override {
    std::vector<Execution> all = whole_.run(requests);
    for (std::size_t i = 0; i < all.size(); ++i) cut(requests[i], all[i]);
    return all;
  }

  std::set<oracle::BugKey> bugs;
  std::set<std::uint64_t> ends;

 private:
  void cut(const search::Request& request, Execution& e) {
    for (std::size_t i = 0; request.visited && i < e.states.size(); ++i) {
      const bool met = !e.states[i].unique() && !met_.emplace(e.states[i].low, e.states[i].high).second;
      if (!met || e.known + i + 1 < request.prefix.size()) continue;
      e.events.resize(i + 1);
      e.states.resize(i + 1);
      e.end = EndKind::redundant;
    }
    if (e.end == EndKind::bug) bugs.insert(oracle::key_of(e));
    const bool ends_here = e.end == EndKind::complete || (e.end == EndKind::bug && !oracle::is_cut_short(e.detail));
    if (ends_here && !e.states.empty()) ends.insert(e.states.back().low);
  }

  oracle::InterpretedProgram whole_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> met_;
};

// Empty if the search is right.
std::string judge(const oracle::ModelProgram& program) {
  constexpr std::size_t kPrefixLimit = 4000;
  const auto all = oracle::enumerate(program, kPrefixLimit);
  if (!all || !all->unsound.empty()) return {};
  CuttingProgram cutting(program);
  const Explored explored = explore(cutting, {.keep_going = true, .must_end = {}, .on_progress = {}});
  if (!explored.outcome.exhausted) return "it did not end: " + explored.outcome.why_not;
  if (cutting.bugs != all->bugs) return "other bugs";
  if (cutting.ends != std::set<std::uint64_t>(all->ends.begin(), all->ends.end())) return "other ends";
  for (std::size_t i = 0; i < explored.outcome.bugs.size(); ++i) {
    search::Request request;
    request.prefix = explored.outcome.bugs[i].schedule;
    oracle::InterpretedProgram again(program);
    const Execution e = again.run({&request, 1}).front();
    if (e.end != EndKind::bug || e.detail != explored.outcome.bugs[i].detail) return "a bug does not happen again";
    if (request.prefix.size() > explored.as_found[i].size()) return "a schedule is longer than the one that was found";
  }
  return {};
}

void expect_all_met(oracle::ModelProgram (*make)(std::uint64_t)) {
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1), count = number_from("INSPECT_FUZZ_COUNT", 300);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    if (judge(make(seed)).empty()) continue;
    const auto small = oracle::shrink(make(seed), [](const oracle::ModelProgram& p) { return !judge(p).empty(); });
    FAIL() << "seed " << seed << ": " << judge(small) << '\n' << oracle::to_text(small);
  }
}

TEST(Search, RandomPrograms) { expect_all_met(oracle::random_program); }
TEST(Search, SymmetricPrograms) { expect_all_met(oracle::symmetric_program); }

// How many states there are behind the initial one, by brute force; nothing if some cannot be told.
std::optional<std::uint64_t> count_states(const oracle::ModelProgram& program) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> met;
  std::vector<oracle::Interpreter> left{oracle::Interpreter(program)};
  while (!left.empty()) {
    const oracle::Interpreter m = left.back();
    left.pop_back();
    if (m.ended()) continue;
    m.enabled().for_each([&](unsigned t) {
      m.pending(static_cast<ThreadId>(t)).alternatives.for_each([&](unsigned a) {
        oracle::Interpreter next = m;
        next.step({static_cast<ThreadId>(t), static_cast<std::uint16_t>(a)});
        const StateId id = next.state();
        const bool fresh = id.unique() || met.emplace(id.low, id.high).second;
        if (fresh) left.push_back(next);
      });
    });
    if (met.size() > 20'000) return std::nullopt;
  }
  return met.contains({0, 0}) ? std::nullopt : std::optional<std::uint64_t>(met.size());
}

TEST(Search, CountsStates) {
  constexpr std::uint64_t kPrograms = 200;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const auto program = oracle::random_program(seed);
    CuttingProgram cutting(program);
    const Explored explored = explore(cutting, {.max_states = 10'000, .keep_going = true, .must_end = {}, .on_progress = {}});
    if (!explored.outcome.exhausted || !explored.outcome.bugs.empty() || explored.without_identity) continue;
    const auto states = count_states(program);
    if (!states) continue;
    ++compared;
    EXPECT_EQ(explored.outcome.states, *states) << "seed " << seed;
    EXPECT_EQ(explored.graph.size(), *states + 1);
  }
  EXPECT_GT(compared, kPrograms / 4);
}

TEST(Search, LimitsAreNamed) {
  const oracle::ModelProgram program = oracle::random_program(3);
  CuttingProgram cutting(program);
  const Explored explored = explore(cutting, {.max_states = 1, .must_end = {}, .on_progress = {}});
  EXPECT_FALSE(explored.outcome.exhausted);
  EXPECT_EQ(explored.outcome.why_not, "more than 1 states");
}

}  // namespace
}  // namespace inspect::explicit_engine
