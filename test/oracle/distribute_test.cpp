// Searches that share a tree, on random model programs: ranks in one process, in a random order of turns, against brute force
// and against one search alone. With ranks that die, and with a checkpoint in the middle.
//
// INSPECT_FUZZ_SEED and INSPECT_FUZZ_COUNT choose other seeds than those of CI.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <sstream>

#include "algorithms.hpp"
#include "distribute/rank.hpp"
#include "oracle/enumerate.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"
#include "search/mutation.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::oracle {
namespace {

using distribute::Envelope;

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// Queues between ranks of one process.
struct Network {
  explicit Network(unsigned n) : queues(n), dead(n, false), told(n) {}
  std::vector<std::deque<Envelope>> queues;
  std::vector<bool> dead;
  std::vector<std::vector<unsigned>> told;  // deaths rank 0 has to be told of
  std::uint64_t messages = 0;
};

class Port final : public distribute::Transport {
 public:
  Port(Network& network, unsigned rank) : network_(network), rank_(rank) {}
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned size() const override { return static_cast<unsigned>(network_.queues.size()); }
  void send(unsigned to, const std::string& message) override {
    ++network_.messages;
    if (!network_.dead[to]) network_.queues[to].push_back({rank_, message});
  }
  std::optional<Envelope> receive(int) override {
    auto& queue = network_.queues[rank_];
    if (queue.empty()) return std::nullopt;
    Envelope first = std::move(queue.front());
    queue.pop_front();
    return first;
  }
  std::optional<unsigned> lost() override {
    if (network_.told[rank_].empty()) return std::nullopt;
    const unsigned r = network_.told[rank_].back();
    network_.told[rank_].pop_back();
    return r;
  }

 private:
  Network& network_;
  unsigned rank_;
};

// What executions showed, and how often each class was complete.
class Collector final : public search::Observer {
 public:
  explicit Collector(const ModelProgram& program) : program_(program) {}
  [[nodiscard]] bool wants_executions() const override { return true; }
  void on_execution(const Execution& e, std::span<const Event* const> events) override {
    spinning += e.end == EndKind::spinning;
    if (e.end == EndKind::redundant || e.end == EndKind::spinning) return;
    if (e.end == EndKind::bug) bugs.insert(key_of(e));
    if (e.end == EndKind::bug && is_cut_short(e.detail)) return;
    classes.insert(contribution_of(program_, events).form);
  }
  std::unordered_set<std::uint64_t> classes;
  std::set<BugKey> bugs;
  std::uint64_t spinning = 0;  // executions cut at a loop that waits

 private:
  const ModelProgram& program_;
};

struct Plan {
  std::string algorithm;
  unsigned ranks = 2;
  bool keep_going = false;
  unsigned deaths = 0;
  std::uint64_t save_at_turn = 0;  // 0: never; then the search goes on from the checkpoint, in new ranks
  std::uint64_t seed = 0;
  std::optional<unsigned> preemptions;  // more are left out
};

struct Team {
  Team(const ModelProgram& program, const Plan& plan, const search::Options& options, Collector& collector,
       distribute::RankOptions rank_options)
      : network(plan.ranks) {
    for (unsigned r = 0; r < plan.ranks; ++r) {
      programs.push_back(std::make_unique<InterpretedProgram>(program, 1 + r % 3));
      ports.push_back(std::make_unique<Port>(network, r));
      distribute::RankOptions own = rank_options;
      own.seed = plan.seed;
      if (r) own.save = nullptr;
      ranks.push_back(std::make_unique<distribute::Rank>(*programs[r], options, *ports[r], own, &collector));
      if (const auto begun = ranks[r]->begin(); !begun) refused = begun.error();
    }
    running.assign(plan.ranks, true);
  }
  Network network;
  std::vector<std::unique_ptr<InterpretedProgram>> programs;
  std::vector<std::unique_ptr<Port>> ports;
  std::vector<std::unique_ptr<distribute::Rank>> ranks;
  std::vector<bool> running;
  std::string refused;  // why a checkpoint was
};

void kill(Team& team, Random& random) {
  const auto r = 1 + random.below(static_cast<std::uint32_t>(team.ranks.size()) - 1);
  if (!team.running[r]) return;
  team.running[r] = false;
  team.network.dead[r] = true;
  team.network.queues[r].clear();
  team.network.told[0].push_back(r);
}

// Runs turns until rank 0 has ended; false if it does not.
bool work(Team& team, Random& random, unsigned deaths, const std::function<bool()>& cut) {
  for (std::uint64_t turn = 0; team.running[0]; ++turn) {
    if (turn > 1'000'000) return false;
    if (cut()) return true;
    const auto r = random.below(static_cast<std::uint32_t>(team.ranks.size()));
    if (team.running[r] && !team.ranks[r]->turn(0)) team.running[r] = false;
    if (deaths && random.chance(4)) {
      kill(team, random);
      --deaths;
    }
  }
  return true;
}

struct Result {
  distribute::Ended ended;
  std::uint64_t messages = 0;
  bool saved = false;
};

// Their labels in the search are coarser than those of the classes.
bool has_sections(const ModelProgram& program) {
  return std::ranges::any_of(program.threads, [](const auto& list) {
    return std::ranges::any_of(list, [](const Instruction& i) { return i.code == Code::section; });
  });
}

// Empty text if all is right about `all`: with a bound, what is within it.
std::string run(const ModelProgram& program, const Behaviours& all, const Plan& plan, Result& result) {
  search::Options options;
  options.algorithm = plan.algorithm;
  options.keep_going = plan.keep_going;
  options.preemptions = plan.preemptions;
  Random random(plan.seed);
  Collector collector(program);
  std::optional<distribute::Checkpoint> saved;
  distribute::RankOptions rank_options;
  std::uint64_t turns_until = 0;
  if (plan.save_at_turn) {
    rank_options.save_due = [&] { return ++turns_until % (2 + plan.seed % 5) == 0; };
    rank_options.save = [&](const distribute::Checkpoint& c) { saved = c; };
  }
  std::uint64_t turns = 0;
  {
    Team team(program, plan, options, collector, rank_options);
    if (!team.refused.empty()) return "a rank does not begin: " + team.refused;
    const auto cut = [&] { return plan.save_at_turn && saved && ++turns > plan.save_at_turn; };
    if (!work(team, random, plan.deaths, cut)) return "the ranks do not end";
    result.messages = team.network.messages;
    if (!team.running[0]) {
      result.ended = team.ranks[0]->take_result();
      saved.reset();
    }
  }
  if (saved) {  // the first team is gone; what it did since the checkpoint is done again
    result.saved = true;
    distribute::RankOptions again;
    again.resume = &*saved;
    Team team(program, plan, options, collector, again);
    if (!team.refused.empty()) return "a rank does not begin after the checkpoint: " + team.refused;
    if (!work(team, random, 0, [] { return false; })) return "the ranks do not end after the checkpoint";
    result.ended = team.ranks[0]->take_result();
  }
  if (result.ended.is_void) return {};
  const search::Outcome& o = result.ended.record.outcome;
  std::string wrong;
  if (o.exhausted != o.left_out.empty()) wrong += "not exhausted: " + o.why_not + "; ";
  std::size_t missing = 0, extra = 0;
  for (const auto c : all.classes) missing += !collector.classes.contains(c);
  for (const auto c : collector.classes) extra += !all.classes.contains(c);
  if (missing || extra) wrong += std::to_string(missing) + " classes missed, " + std::to_string(extra) + " that do not exist; ";
  if (collector.bugs != all.bugs) wrong += "other bugs; ";
  if (plan.keep_going && o.bugs.size() != all.bugs.size())  // whoever found them, and whatever became of that rank
    wrong += std::to_string(o.bugs.size()) + " bugs told of " + std::to_string(all.bugs.size()) + "; ";
  const bool cut_short = std::ranges::any_of(all.bugs, [](const BugKey& b) { return is_cut_short(b.kind); });
  if (!cut_short && !plan.keep_going && !plan.preemptions && !has_sections(program) && o.executions != all.classes.size())
    wrong += std::to_string(o.executions) + " executions for " + std::to_string(all.classes.size()) + " classes; ";
  if (is_optimal(plan.algorithm) && !o.fell_back && all.bugs.empty() && o.redundant > collector.spinning)
    wrong += std::to_string(o.redundant) + " redundant executions; ";
  return wrong;
}

struct Totals {
  std::uint64_t runs = 0, voids = 0, messages = 0, saved = 0, lost = 0, fewer = 0;
  std::vector<std::string> wrong;
};

using PlanOf = Plan (*)(Random&);

// Stops after `most` programs that went wrong. programs: how many, if nobody asks for another number.
Totals fuzz(PlanOf plan_of, std::size_t most, std::uint64_t programs = 1500) {
  const std::uint64_t first = number_from("INSPECT_FUZZ_SEED", 1), count = number_from("INSPECT_FUZZ_COUNT", programs);
  Totals totals;
  for (std::uint64_t seed = first; seed < first + count && totals.wrong.size() < most; ++seed) {
    const ModelProgram p = random_program(seed);
    const auto all = enumerate(p, 4000);
    if (!all || !all->unsound.empty()) continue;
    Random random(seed);
    Plan plan = plan_of(random);
    plan.seed = seed;
    const auto within = plan.preemptions ? enumerate(p, 16000, plan.preemptions) : all;
    if (!within) continue;
    plan.keep_going = !within->bugs.empty();
    Result result;
    std::string wrong = run(p, *within, plan, result);
    const bool fewer = within->classes != all->classes || within->bugs != all->bugs;
    totals.fewer += fewer;
    if (fewer && !result.ended.is_void && result.ended.record.outcome.left_out.empty())
      wrong += "something was left out silently";
    ++totals.runs;
    totals.voids += result.ended.is_void;
    totals.messages += result.messages;
    totals.saved += result.saved;
    totals.lost += result.ended.lost.size();
    if (wrong.empty()) continue;
    std::ostringstream text;
    text << "seed " << seed << ", " << plan.algorithm << ", " << plan.ranks << " ranks: " << wrong << '\n' << to_text(p);
    totals.wrong.push_back(text.str());
  }
  return totals;
}

// Any that goes with several ranks.
std::string some_algorithm(Random& r) {
  static const std::vector<std::string> all =
      algorithms([](const search::ReductionInfo& row) { return reduces(row) && may_be_shared(row); });
  return all[r.below(static_cast<std::uint32_t>(all.size()))];
}

Plan some_ranks(Random& r) { return Plan{.algorithm = some_algorithm(r), .ranks = 1 + r.below(8)}; }
Plan with_deaths(Random& r) { return Plan{.algorithm = some_algorithm(r), .ranks = 2 + r.below(4), .deaths = 1 + r.below(3)}; }
Plan with_a_checkpoint(Random& r) {
  return Plan{.algorithm = some_algorithm(r), .ranks = 1 + r.below(4), .save_at_turn = 1 + r.below(20)};
}

Plan with_deaths_and_a_checkpoint(Random& r) {
  Plan plan = with_deaths(r);
  plan.save_at_turn = 1 + r.below(20);
  return plan;
}

[[maybe_unused]] const search::ReductionInfo* bounded() { return search::find_reduction("auto", {.bound = true}); }

[[maybe_unused]] Plan with_a_bound(Random& r) {
  Plan plan{.algorithm = std::string(bounded()->name), .ranks = 2 + r.below(4), .preemptions = r.below(3)};
  if (r.chance(4)) plan.save_at_turn = 1 + r.below(20);
  return plan;
}

#ifdef INSPECT_MUTANTS

struct Mutant {
  search::Mutation mutation;
  const char* name;
};
constexpr Mutant kMutants[] = {
#define MUTATION(name, help) {search::Mutation::name, #name},
#include "search/unit_mutations.def"
};

constexpr std::uint64_t kForErrors[] = {1000, 8000};  // programs; most errors show in the first hundred

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreNoticed) {
  search::active_mutation = GetParam().mutation;
  bool noticed = false;
  for (const std::uint64_t programs : kForErrors)
    for (const PlanOf plan : {some_ranks, with_deaths, with_a_checkpoint, with_deaths_and_a_checkpoint})
      noticed = noticed || !fuzz(plan, 1, programs).wrong.empty();
  search::active_mutation = search::Mutation::none;
  EXPECT_TRUE(noticed) << "no test notices this error";
}

INSTANTIATE_TEST_SUITE_P(Distribute, Mutants, testing::ValuesIn(kMutants),
                         [](const auto& info) { return std::string(info.param.name); });

#else

Totals all_right(PlanOf plan) {
  Totals totals = fuzz(plan, 3);
  for (const std::string& wrong : totals.wrong) ADD_FAILURE() << wrong;
  std::cout << totals.runs << " programs, " << totals.voids << " void, " << totals.messages << " messages, " << totals.saved
            << " went on from a checkpoint, " << totals.lost << " ranks died\n";
  EXPECT_LT(totals.voids * 5, totals.runs);
  return totals;
}

TEST(Distribute, RanksExploreWhatOneSearchExplores) { all_right(some_ranks); }

TEST(Distribute, WhatADeadRankHadIsExploredAgain) {
  const Totals totals = all_right(with_deaths);
  EXPECT_GT(totals.lost * 4, totals.runs);
}

TEST(Distribute, ABoundLeavesNothingOutSilently) {
  if (!search::find_cut("preemption_bound") || !bounded()) GTEST_SKIP() << "this build has no such bound";
  const Totals totals = all_right(with_a_bound);
  EXPECT_GT(totals.fewer * 6, totals.runs);
}

TEST(Distribute, ACheckpointAfterDeathsLosesNothing) {
  const Totals totals = all_right(with_deaths_and_a_checkpoint);
  EXPECT_GT(totals.saved * 5, totals.runs);
}

TEST(Distribute, ACheckpointLosesNothing) {
  const Totals totals = all_right(with_a_checkpoint);
  EXPECT_GT(totals.saved * 4, totals.runs);
}

#endif

}  // namespace
}  // namespace inspect::oracle
