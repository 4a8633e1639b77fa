// What it costs to share a tree without an owner for each of its states: the source paper's Figures 6.4, 6.5 and 6.9, on model
// programs, with any number of searches taking turns in one process; an execution takes a turn.
//
//   paper       DPOR as in the paper, without sleep sets. Whoever gets a part of the tree gets a copy of the states on the way
//               there and inserts at the copy; only the latest race of a transition that is taken is reversed (Fig. 2.1, 6.6)
//   aggressive  the same, but all earlier dependent transitions are reversed at once (Fig. 6.9)
//   owners      ours: `dpor` and `source` with sleep sets; races go back to the one owner of a state
//
// For each: executions (complete and redundant) of all searches together, and turns of one search divided by turns of them all.
#include <cstdio>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "oracle/interpreted_program.hpp"
#include "search/core/exploration.hpp"
#include "search/mutation.hpp"
#include "search/reduction/dpor.hpp"

namespace inspect::bench {
namespace {

class PaperDpor final : public search::Dpor {
 public:
  explicit PaperDpor(bool aggressive) : aggressive_(aggressive) {}
  [[nodiscard]] search::ReductionTraits traits() const override { return {.sleep_sets = false}; }
  void races_of(const search::Path& path, ThreadId t, const Label& next, std::span<const std::uint32_t>,
                search::Races& out) const override {
    if (!path.enabled(path.depth()).contains(t)) return;
    for (std::uint32_t d = path.depth(); d > 0; --d) {
      if (path.happens_before(d, t) || !path.depends(next, d) || !path.may_be_reversed(d, next.operation, t)) continue;
      reverse(path, d, t, out);
      if (!aggressive_) return;
    }
  }

 private:
  bool aggressive_;
};

template <bool aggressive>
std::unique_ptr<search::Reduction> make_paper() {
  return std::make_unique<PaperDpor>(aggressive);
}

// Threads are there when they are created, as in the paper: that one starts is nothing to be tried in another order.
class Started final : public search::Program {
 public:
  explicit Started(const oracle::ModelProgram& program) : machine_(program, 1) {}
  std::vector<Execution> run(std::span<const search::Request> requests) override {
    std::vector<search::Request> started(requests.begin(), requests.end());
    for (search::Request& r : started) r.starts_first = true;
    return machine_.run(started);
  }

 private:
  oracle::InterpretedProgram machine_;
};

// Searches in one process. What they tell each other waits until the turn is over.
class Team {
 public:
  struct Sum {
    std::uint64_t executions = 0, turns = 0;
    bool exhausted = false;
  };

  Team(const oracle::ModelProgram& program, const search::ReductionInfo& reduction, unsigned size) {
    options_.batch = 1;
    for (unsigned i = 0; i < size; ++i) members_.push_back(std::make_unique<Member>(*this, program, reduction, i));
  }

  Sum run() {
    Sum sum;
    while (!members_.front()->search.done()) {
      for (auto& m : members_)
        if (!m->search.has_work()) ask(*m);
      for (auto& m : members_)
        if (m->search.has_work()) m->search.step();
      ++sum.turns;
      for (; !messages_.empty(); messages_.pop_front()) messages_.front()();
    }
    for (auto& m : members_) sum.executions += m->search.outcome().executions + m->search.outcome().redundant;
    sum.exhausted = members_.front()->search.is_closed();
    return sum;
  }

 private:
  struct Member final : search::Peers {
    Member(Team& t, const oracle::ModelProgram& p, const search::ReductionInfo& reduction, unsigned i)
        : team(t), number(i), program(p), search(program, t.options_, reduction, nullptr, this, i == 0) {}
    search::UnitName new_name() override { return (search::UnitName{number} << 40) | ++names; }
    void send_race(search::UnitName unit, const search::RemoteRace& race) override {
      team.messages_.emplace_back([&owner = team.owner_of(unit), unit, race] { owner.search.units().take_race(unit, race); });
    }
    void send_finished(search::UnitName unit, const search::UnitResult& result) override {
      team.messages_.emplace_back(
          [&owner = team.owner_of(unit), unit, result] { owner.search.units().take_finished(unit, result); });
    }
    void send_cancel(search::UnitName) override {}  // only after a death
    Team& team;
    unsigned number;
    std::uint64_t names = 0;
    Started program;
    search::Exploration search;
  };

  Member& owner_of(search::UnitName unit) { return *members_[unit >> 40]; }
  void ask(Member& thief) {
    Member& victim = *members_[random_.below(static_cast<std::uint32_t>(members_.size()))];
    if (auto unit = victim.search.units().give()) (void)thief.search.units().adopt(unit->first, unit->second);
  }

  search::Options options_;
  Random random_{1};
  std::vector<std::unique_ptr<Member>> members_;
  std::deque<std::function<void()>> messages_;
};

std::string create(int threads) {
  std::string text = "thread 0:";
  for (int t = 1; t <= threads; ++t) text += " create t" + std::to_string(t) + ';';
  return text;
}

std::string repeat(int n, const std::string& text) {
  std::string all;
  for (int i = 0; i < n; ++i) all += text;
  return all;
}

// n threads, one lock: Fig. 6.5.
std::string one_lock(int n) { return create(n) + repeat(n, "thread: lock m0; unlock m0;"); }

// n producers and n consumers of an item each, through a buffer for all; who gets an item that another one was woken for makes
// that one wait again, n times at most.
std::string bounded_buffer(int n) {
  const int take = 3 * (n + 1);
  std::string consumer = "thread: lock m0;";
  for (int i = 0; i < n + 1; ++i) {
    consumer += "r0 = load x0; if r0 != 0 goto " + std::to_string(take) + ';';
    if (i < n) consumer += "wait c0 m0;";
  }
  consumer += "add x0 -1; unlock m0;";
  return create(2 * n) + repeat(n, "thread: lock m0; add x0 1; signal c0; unlock m0;") + repeat(n, consumer);
}

struct Way {
  const char* name;
  bool copies;
  search::ReductionInfo reduction;
};

void print(const char* name, const std::string& text, const std::vector<unsigned>& sizes) {
  const Way ways[] = {{"paper", true, {.name = "paper", .make = make_paper<false>}},
                      {"aggressive", true, {.name = "aggressive", .make = make_paper<true>}},
                      {"owners, dpor", false, *search::find_reduction("dpor")},
                      {"owners, source", false, *search::find_reduction("source")}};
  const oracle::ModelProgram program = oracle::parse_model(text);
  for (const Way& way : ways) {
    search::active_mutation = way.copies ? search::Mutation::states_have_many_owners : search::Mutation::none;
    std::uint64_t alone = 0;
    std::printf("%-16s %-16s", name, way.name);
    for (const unsigned size : sizes) {
      const Team::Sum sum = Team(program, way.reduction, size).run();
      if (size == 1) alone = sum.turns;
      std::printf(" %9llu%s %6.1f", static_cast<unsigned long long>(sum.executions), sum.exhausted ? "" : "!",
                  static_cast<double>(alone) / static_cast<double>(sum.turns));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace inspect::bench

int main() {
  const std::vector<unsigned> sizes = {1, 2, 4, 8, 16, 32, 64};
  std::printf("%-16s %-16s", "program", "searches:");
  for (const unsigned size : sizes) std::printf(" %16u", size);
  std::printf("\n%-33s", "");
  for (std::size_t i = 0; i < sizes.size(); ++i) std::printf(" %9s %6s", "runs", "faster");
  std::printf("\n");
  inspect::bench::print("one lock, 3", inspect::bench::one_lock(3), sizes);
  inspect::bench::print("one lock, 5", inspect::bench::one_lock(5), sizes);
  inspect::bench::print("buffer, 2 + 2", inspect::bench::bounded_buffer(2), sizes);
  inspect::bench::print("buffer, 3 + 3", inspect::bench::bounded_buffer(3), sizes);
}
