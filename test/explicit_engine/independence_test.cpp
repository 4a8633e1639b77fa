// Random automata in memory, some of whose steps are private: a search that takes those alone meets all ends and takes all
// steps that brute force takes, and formulas hold of its graph that hold of the whole one. Each deliberate error of the search
// (mutations.def) must show.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "explicit_engine/mutation.hpp"
#include "explicit_engine/search.hpp"
#include "explicit_engine/violation.hpp"
#include "reference.hpp"

namespace inspect::explicit_engine {
namespace {

constexpr unsigned kThreads = 3, kShared = 2;

// What a thread does at a place: it flips its own bit, chooses, reads a shared bit, or writes one; then where it goes.
struct Place {
  enum Kind { flip, choose, read, write } kind = flip;
  unsigned object = 0, value = 0;
  std::array<unsigned, 2> next{};
};
using Automata = std::array<std::vector<Place>, kThreads>;

struct State {
  bool begun = false, ended = false;
  std::array<unsigned, kThreads> at{}, own{};
  std::array<unsigned, kShared> shared{};
  auto operator<=>(const State&) const = default;
};
using Step = std::array<unsigned, 3>;  // thread, place, which way it went

Automata random_automata(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Automata all;
  for (auto& places : all) {
    const unsigned count = 1 + below(3);
    for (unsigned i = 0; i < count; ++i) {
      Place p{.kind = static_cast<Place::Kind>(below(4)), .object = below(kShared), .value = below(2), .next = {}};
      for (unsigned& next : p.next) next = below(3) ? i + 1 : below(count + 1);
      places.push_back(p);
    }
  }
  return all;
}

// What formulas speak of: the bits of two threads, and one that is shared.
constexpr unsigned kSpoken = 2;
ltl::Valuation valuation_of(const State& s) { return s.own[0] | s.own[1] << 1 | s.shared[0] << kSpoken; }

enum class Steps { all, private_alone };

class AutomataProgram final : public search::Program {
 public:
  AutomataProgram(const Automata& automata, Steps which) : automata_(automata), which_(which) {}

  std::vector<Execution> run(std::span<const search::Request> requests) override {
    std::vector<Execution> all;
    for (const search::Request& request : requests) all.push_back(run(request));
    return all;
  }

  [[nodiscard]] ThreadSet enabled(const State& s) const {
    ThreadSet threads;
    if (!s.begun) threads.insert(0);
    for (unsigned t = 0; s.begun && t < kThreads; ++t)
      if (s.at[t] < automata_[t].size()) threads.insert(t);
    if (s.begun && !s.ended && threads.empty()) threads.insert(0);  // main ends the process
    return threads;
  }
  [[nodiscard]] unsigned alternatives(const State& s, unsigned t) const {
    return s.begun && s.at[t] < automata_[t].size() && automata_[t][s.at[t]].kind == Place::choose ? 2 : 1;
  }
  void step(State& s, Choice c) {
    if (!s.begun) {
      s.begun = true;
      return;
    }
    const unsigned t = c.thread;
    if (s.at[t] == automata_[t].size()) {
      s.ended = true;
      ends.insert(s);
      return;
    }
    const Place& p = automata_[t][s.at[t]];
    unsigned way = 0;
    if (p.kind == Place::choose) way = c.alternative;
    if (p.kind == Place::read) way = s.shared[p.object];
    if (p.kind == Place::write) s.shared[p.object] = p.value;
    if (p.kind == Place::flip) s.own[t] ^= 1;
    steps.insert({t, s.at[t], way});
    s.at[t] = std::min<unsigned>(p.next[way], static_cast<unsigned>(automata_[t].size()));
  }

  std::set<State> ends;
  std::set<Step> steps;
  std::uint64_t states = 0;

  void take_all_steps() {
    std::set<State> met;
    std::vector<State> left{State()};
    while (!left.empty()) {
      const State s = left.back();
      left.pop_back();
      enabled(s).for_each([&](unsigned t) {
        for (unsigned a = 0; a < alternatives(s, t); ++a) {
          State next = s;
          step(next, {static_cast<ThreadId>(t), static_cast<std::uint16_t>(a)});
          if (met.insert(next).second) left.push_back(next);
        }
      });
    }
    states = met.size();
  }

 private:
  [[nodiscard]] bool is_private(const State& s, unsigned t) const {
    if (which_ == Steps::all || s.at[t] == automata_[t].size()) return false;
    const Place::Kind kind = automata_[t][s.at[t]].kind;
    return kind == Place::flip || kind == Place::choose;
  }
  [[nodiscard]] ThreadSet safe(const State& s) const {
    ThreadSet threads;
    enabled(s).for_each([&](unsigned t) {
      if (is_private(s, t)) threads.insert(t);
    });
    return threads;
  }
  [[nodiscard]] Pending pending(const State& s, unsigned t) const {
    Pending p;
    if (s.at[t] == automata_[t].size()) {
      if (!enabled(s).contains(t)) return p;
      p.operation.kind = INSPECT_OP_ProcessEnd;
      p.choices = 1;
      p.alternatives.insert(0);
      return p;
    }
    const Place& place = automata_[t][s.at[t]];
    p.operation.kind = place.kind == Place::choose ? INSPECT_OP_Choice
                       : place.kind == Place::read ? INSPECT_OP_AtomicLoad
                                                   : INSPECT_OP_AtomicStore;
    p.choices = alternatives(s, t);
    p.alternatives.insert(0);
    return p;
  }

  Execution run(const search::Request& request) {
    Execution e;
    e.known = request.known;
    State s;
    for (std::size_t i = 0; !enabled(s).empty(); ++i) {
      const ThreadSet first = safe(s);
      const Choice choice = i < request.prefix.size()
                                ? request.prefix[i]
                                : Choice{static_cast<ThreadId>((s.begun && !first.empty() ? first : enabled(s)).first()), 0};
      const State before = s;
      step(s, choice);
      if (i < request.known) continue;
      Event event;
      event.choice = choice;
      if (s.ended) event.operation.kind = INSPECT_OP_ProcessEnd;
      event.enabled = enabled(s);
      event.next = pending(s, choice.thread);
      const bool last = !s.ended && choice.thread != 0 && s.at[0] == automata_[0].size();  // main's turn, if nobody is left
      for (unsigned t = 0; (last || !before.begun) && t < kThreads; ++t)
        if (t != choice.thread && (t == 0 || !before.begun)) event.changes.push_back({static_cast<ThreadId>(t), pending(s, t)});
      e.events.push_back(event);
      if (s.ended) break;
      const auto number = numbers_.try_emplace(s, numbers_.size() + 1).first->second;
      e.states.push_back({number, 1});
      e.safe.push_back(safe(s));
      e.allocations.push_back(0);
      e.valuations.push_back(valuation_of(s));
      e.touched_conditions.push_back(sets(before, choice.thread));
      if (i + 1 >= request.prefix.size() && !met_.insert(number).second) {
        e.end = EndKind::redundant;
        return e;
      }
      met_.insert(number);
    }
    e.end = EndKind::complete;
    return e;
  }

  // A step that sets what a formula speaks of, to whatever value.
  [[nodiscard]] bool sets(const State& before, unsigned t) const {
    if (!before.begun) return false;
    const Place& p = automata_[t][before.at[t]];
    return (p.kind == Place::flip && t < kSpoken) || (p.kind == Place::write && p.object == 0);
  }

  const Automata& automata_;
  Steps which_;
  std::map<State, std::uint64_t> numbers_;
  std::set<std::uint64_t> met_;
};

struct Judged {
  std::string wrong;
  std::uint64_t states = 0, all = 0;
};

Judged judge(std::uint64_t seed) {
  const Automata automata = random_automata(seed);
  AutomataProgram whole(automata, Steps::all), reduced(automata, Steps::private_alone);
  whole.take_all_steps();
  const Explored explored = explore(reduced, {.keep_going = true, .must_end = {}, .on_progress = {}});
  Judged out{.wrong = {}, .states = explored.outcome.states.value_or(0), .all = whole.states};
  if (!explored.outcome.divergence && !explored.outcome.exhausted) out.wrong = "it did not end: " + explored.outcome.why_not;
  if (explored.outcome.divergence) out.wrong = explored.outcome.divergence->message;
  if (reduced.ends != whole.ends) out.wrong = "other ends";
  if (reduced.steps != whole.steps) out.wrong = "other steps";
  return out;
}

// Formulas at random: violated by a run of the whole graph exactly where by one of the reduced one.
std::string judge_formulas(std::uint64_t seed) {
  constexpr unsigned kFormulas = 3, kOperators = 4;
  const Automata automata = random_automata(seed);
  AutomataProgram whole(automata, Steps::all), reduced(automata, Steps::private_alone);
  const SearchOptions options{.labels = true, .keep_going = true, .must_end = {}, .on_progress = {}};
  const Explored all = explore(whole, options), few = explore(reduced, options);
  if (!all.outcome.exhausted || !few.outcome.exhausted) return "it did not end: " + all.outcome.why_not + few.outcome.why_not;
  Random random(seed);
  for (unsigned i = 0; i < kFormulas; ++i) {
    const ltl::Formula formula = ltl::random_formula(random, kSpoken + 1, 1 + random.below(kOperators));
    const auto violations = ltl::violations(formula);
    if (!violations) continue;
    const auto in_all = find_violation(all, 0, formula, *violations, ltl::Fairness::none);
    const auto in_few = find_violation(few, 0, formula, *violations, ltl::Fairness::none);
    if (!in_all || !in_few) return "too large";
    if (in_all->has_value() != in_few->has_value()) return ltl::to_text(formula, formula.root);
  }
  return {};
}

constexpr std::uint64_t kPrograms = 2000;

TEST(Independence, KeepsFormulas) {
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) ASSERT_EQ(judge_formulas(seed), "") << "seed " << seed;
}

TEST(Independence, TakesAllStepsAndMeetsAllEnds) {
  std::uint64_t states = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) {
    const Judged judged = judge(seed);
    ASSERT_EQ(judged.wrong, "") << "seed " << seed;
    EXPECT_LE(judged.states, judged.all);
    states += judged.states;
    all += judged.all;
  }
  EXPECT_LT(2 * states, all * 3 / 2);
}

#ifdef INSPECT_MUTANTS
TEST(Independence, ErrorsShow) {
  const std::pair<const char*, Mutation> errors[] = {
#define MUTATION(name, help) {#name, Mutation::name},
#include "explicit_engine/mutations.def"
  };
  for (const auto& [name, mutation] : errors) {
    active_mutation = mutation;
    bool shown = false;
    for (std::uint64_t seed = 1; seed <= kPrograms && !shown; ++seed)
      shown = !judge(seed).wrong.empty() || !judge_formulas(seed).empty();
    active_mutation = Mutation::none;
    EXPECT_TRUE(shown) << name;
  }
}
#endif

}  // namespace
}  // namespace inspect::explicit_engine
