// Every deliberate error of search/mutations.def must be noticed: by a program of programs.hpp, or by a random one.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string_view>

#include "algorithms.hpp"
#include "oracle/compare.hpp"
#include "oracle/generator.hpp"
#include "pdp_programs.hpp"
#include "programs.hpp"
#include "search/mutation.hpp"

namespace inspect::oracle {
namespace {

using search::Mutation;

struct Mutant {
  Mutation mutation;
  const char* name;
};
constexpr Mutant kMutants[] = {
#define MUTATION(name, help) {Mutation::name, #name},
#include "search/mutations.def"
};

Comparison run_mutant(const ModelProgram& p, const Behaviours& all, Mutation m, const std::string& algorithm, unsigned batch,
                      std::optional<unsigned> preemptions = std::nullopt) {
  search::active_mutation = m;
  const bool exact = is_optimal(algorithm) && !preemptions && (batch == 1 || all.bugs.empty());
  Comparison c = compare(p, all, algorithm, batch, exact, preemptions);
  search::active_mutation = Mutation::none;
  return c;
}

// Of the search under a bound on preemptions.
bool is_about_bounds(Mutation m) {
  return std::ranges::any_of(
      kMutants, [&](const Mutant& k) { return k.mutation == m && std::string_view(k.name).starts_with("bound_"); });
}

bool notices_within_bounds(const ModelProgram& p, Mutation m, std::size_t limit) {
  for (const unsigned bound : {1u, 2u}) {
    const auto within = enumerate(p, limit, bound);
    if (within && !run_mutant(p, *within, m, "dpor", 1, bound).wrong.empty()) return true;
  }
  return false;
}

bool is_about_symmetry(Mutation m) {
  return m == Mutation::mirrored_sections_touch_nothing || m == Mutation::skip_without_mirror ||
         m == Mutation::swap_of_threads_only || m == Mutation::joins_have_no_order;
}

bool notices_by_symmetry(const ModelProgram& p, Mutation m, std::size_t limit) {
  const auto all = enumerate(p, limit);
  if (!all) return false;
  search::active_mutation = m;
  const bool noticed = std::ranges::any_of(search::reductions_for({.symmetry = true}), [&](std::string_view algorithm) {
    return !compare_symmetric(p, *all, std::string(algorithm)).wrong.empty();
  });
  search::active_mutation = Mutation::none;
  return noticed;
}

bool is_about_pruning(Mutation m) {
  return std::ranges::any_of(kMutants,
                             [&](const Mutant& k) { return k.mutation == m && std::string_view(k.name).starts_with("pdp_"); });
}

bool notices_by_races(const ModelProgram& p, Mutation m) {
  const auto racy = has_data_race(p, 400);
  if (!racy) return false;
  search::active_mutation = m;
  bool noticed = !compare_races(p, *racy, 1).wrong.empty();
  for (std::uint64_t seed = 1; seed <= 4 && !noticed; ++seed) noticed = !compare_races(p, *racy, 1, seed).wrong.empty();
  search::active_mutation = Mutation::none;
  return noticed;
}

ModelProgram random_for(Mutation m, std::uint64_t seed) {
  if (m == Mutation::waits_have_no_races) return waiting_program(seed);
  if (m == Mutation::exchanges_stay || m == Mutation::adds_tell_what_was_there) return exchanging_program(seed);
  if (is_about_pruning(m)) return locking_program(seed);
  return is_about_symmetry(m) ? symmetric_program(seed) : random_program(seed);
}

bool notices(const ModelProgram& p, Mutation m, std::size_t limit) {
  if (is_about_symmetry(m)) return notices_by_symmetry(p, m, limit);
  if (is_about_pruning(m)) return notices_by_races(p, m);
  if (is_about_bounds(m)) return notices_within_bounds(p, m, limit);
  const auto all = enumerate(p, limit);
  if (!all) return false;
  static const std::vector<std::string> all_algorithms = algorithms(reduces);
  for (const std::string& algorithm : all_algorithms)
    for (const unsigned batch : {1u, 7u})
      if (!run_mutant(p, *all, m, algorithm, batch).wrong.empty()) return true;
  return false;
}

// Some errors lose nothing, but try in vain what is ordered already.
bool tries_in_vain(const ModelProgram& p, Mutation m) {
  const Comparison c = run_mutant(p, *enumerate(p, 1 << 20), m, "auto", 1);
  return c.executions + c.redundant > 1;
}

TEST(NoMutant, WithoutAnErrorNothingIsNoticed) {
  for (const NamedProgram& p : kPrograms) EXPECT_FALSE(notices(parse_model(p.text), Mutation::none, 1 << 20)) << p.name;
}

class Mutants : public testing::TestWithParam<Mutant> {};

// Is it an error of a part without which this was built?
bool is_of_missing_part(Mutation m) {
  const auto is_one_of = [&](std::initializer_list<Mutation> all) { return std::ranges::find(all, m) != all.end(); };
  if (is_about_symmetry(m)) return !search::find_cut("symmetry") || search::reductions_for({.symmetry = true}).empty();
  if (is_about_bounds(m)) return !search::find_cut("preemption_bound") || !search::find_reduction("auto", {.bound = true});
  if (is_about_pruning(m)) return !search::find_cut("race_free");
  if (is_one_of({Mutation::known_whatever_slept, Mutation::summary_keeps_locks, Mutation::summary_of_next_only,
                 Mutation::revisit_without_backtracking, Mutation::latest_of_summary_only,
                 Mutation::sleepers_lead_behind_cuts}))
    return algorithms([](const auto& r) { return r.cut == "known_states"; }).empty();
  if (is_one_of({Mutation::initials_are_not_weak, Mutation::insert_despite_sleepers, Mutation::sequences_stop_at_children,
                 Mutation::own_locks_block, Mutation::acquisitions_stay, Mutation::arrivals_hide_races}))
    return algorithms([](const auto& r) { return search::is_optimal(r); }).empty();
  return false;
}

TEST_P(Mutants, AreNoticed) {
  if (is_of_missing_part(GetParam().mutation)) GTEST_SKIP() << "its part is missing";
  for (const RaceProgram& p : kRacePrograms) {
    if (!is_about_pruning(GetParam().mutation) || !notices(parse_model(p.text), GetParam().mutation, 0)) continue;
    std::cout << "noticed by " << p.name << '\n';
    return;
  }
  for (const NamedProgram& p : kPrograms) {
    if (!notices(parse_model(p.text), GetParam().mutation, 1 << 20)) continue;
    std::cout << "noticed by " << p.name << '\n';
    return;
  }
  for (const NamedProgram& p : kOrdered) {
    if (!tries_in_vain(parse_model(p.text), GetParam().mutation)) continue;
    std::cout << "noticed by " << p.name << '\n';
    return;
  }
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    if (!notices(random_for(GetParam().mutation, seed), GetParam().mutation, 4000)) continue;
    std::cout << "noticed by the random program " << seed << '\n'
              << to_text(shrink(random_for(GetParam().mutation, seed),
                                [](const ModelProgram& p) { return notices(p, GetParam().mutation, 4000); }));
    return;
  }
  FAIL() << "no test notices this error";
}

INSTANTIATE_TEST_SUITE_P(Search, Mutants, testing::ValuesIn(kMutants),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace inspect::oracle
