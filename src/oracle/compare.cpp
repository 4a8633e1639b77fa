#include "oracle/compare.hpp"

#include <algorithm>

#include "oracle/interpreted_program.hpp"
#include "oracle/interpreter_code.hpp"
#include "oracle/races.hpp"
#include "search/cut/cut.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::oracle {

namespace {

class Collector final : public search::Observer {
 public:
  explicit Collector(const ModelProgram& program) : program_(program) {}

  [[nodiscard]] bool wants_executions() const override { return true; }
  void on_start() override {
    classes.clear();
    histories.clear();
    ends.clear();
    nameless_ends.clear();
    bugs.clear();
    spinning = 0;
  }
  void on_execution(const Execution& e, std::span<const Event* const> events) override {
    spinning += e.end == EndKind::spinning;
    if (e.end == EndKind::redundant || e.end == EndKind::spinning) return;
    if (e.end == EndKind::bug) bugs.insert(key_of(e));
    if (e.end == EndKind::bug && is_cut_short(e.detail)) return;
    const Contribution c = contribution_of(program_, events);
    classes.insert(c.form);
    histories.insert(c.history);
    ends.insert(c.end);
    nameless_ends.insert(c.nameless_end);
  }

  std::unordered_set<std::uint64_t> classes, histories, ends, nameless_ends;
  std::set<BugKey> bugs;
  std::uint64_t spinning = 0;  // executions cut in a waiting loop

 private:
  const ModelProgram& program_;
};

class RaceWatch final : public search::Observer {
 public:
  [[nodiscard]] bool wants_executions() const override { return true; }
  void on_start() override { found = false; }
  void on_execution(const Execution&, std::span<const Event* const> events) override { found |= has_data_race(events); }
  bool found = false;
};

// The program, in which plain accesses are no transitions, for any algorithm.
class Synchronised final : public search::Program {
 public:
  explicit Synchronised(const ModelProgram& program) : program_(program) {}
  std::vector<Execution> run(std::span<const search::Request> requests) override {
    std::vector<search::Request> all(requests.begin(), requests.end());
    for (search::Request& request : all) request.accesses = true;
    return program_.run(all);
  }

 private:
  InterpretedProgram program_;
};

template <class Set>
std::string difference(const char* what, const Set& expected, const Set& found) {
  std::size_t missing = 0, extra = 0;
  for (const auto& x : expected) missing += !found.count(x);
  for (const auto& x : found) extra += !expected.count(x);
  if (!missing && !extra) return {};
  return std::to_string(missing) + " of " + std::to_string(expected.size()) + ' ' + what + " missed, " + std::to_string(extra) +
         " that do not exist; ";
}

// Has it atomic sections? Their labels in the search are coarser than those of the classes.
bool has_sections(const ModelProgram& program) {
  return std::ranges::any_of(program.threads, [](const auto& list) {
    return std::ranges::any_of(list, [](const Instruction& i) { return i.code == Code::section; });
  });
}

bool same_operation(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.flags == b.flags && a.site == b.site && a.object == b.object && a.size == b.size &&
         a.object2 == b.object2 && a.size2 == b.size2;
}

}  // namespace

std::string verify_replay(const ModelProgram& program, const std::vector<Choice>& schedule, std::span<const Event> events) {
  Interpreter m(program);
  if (schedule.size() != events.size()) return "schedule and events differ in length";
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const std::string where = " at step " + std::to_string(i + 1) + "; ";
    if (!m.can_take(schedule[i])) return "the schedule cannot be taken" + where;
    const Event e = m.step(schedule[i]);
    if (e.choice != events[i].choice || !same_operation(e.operation, events[i].operation) || e.read != events[i].read)
      return "another event" + where;
    if (!(e.enabled == events[i].enabled) || !same_operation(e.next.operation, events[i].next.operation))
      return "another state" + where;
  }
  return m.ended() ? std::string() : "the schedule is not a whole execution; ";
}

Comparison compare(const ModelProgram& program, const Behaviours& all, const std::string& algorithm, unsigned batch,
                   bool at_most_once, std::optional<unsigned> preemptions) {
  InterpretedProgram target(program, batch);
  search::Options options;
  options.algorithm = algorithm;
  options.keep_going = !all.bugs.empty() || batch > 2;  // without a bug keep_going must make no difference
  options.preemptions = preemptions;
  Collector collector(program);
  const search::Outcome outcome = search::explore(target, options, &collector);
  Comparison c{.executions = outcome.executions, .redundant = outcome.redundant};
  c.fell_back = outcome.fell_back;
  c.left_out = !outcome.left_out.empty();
  if (outcome.exhausted != outcome.left_out.empty()) c.wrong += "not exhausted: " + outcome.why_not + "; ";
  const bool stateful = search::needs_of(*search::find_reduction(algorithm)) == search::CutNeeds::states;
  if (!stateful) {  // a stateful search sees what follows a known state with another history only
    c.wrong += difference("classes", all.classes, collector.classes);
    c.wrong += difference("histories", all.histories, collector.histories);
  }
  c.wrong += difference("states at the end", all.ends, collector.ends);
  c.wrong += difference("bugs", all.bugs, collector.bugs);
  const bool cut_short = std::ranges::any_of(all.bugs, [](const BugKey& b) { return is_cut_short(b.kind); });
  if ((outcome.fell_back && batch > 1) || stateful) at_most_once = false;
  if (at_most_once && !cut_short && !has_sections(program) && outcome.executions != all.classes.size())
    c.wrong += std::to_string(outcome.executions) + " executions for " + std::to_string(all.classes.size()) + " classes; ";
  if (is_optimal(*search::find_reduction(algorithm)) && !outcome.fell_back && all.bugs.empty() &&
      outcome.redundant > collector.spinning)
    c.wrong += std::to_string(outcome.redundant) + " redundant executions; ";
  for (const search::FoundBug& b : outcome.bugs) c.wrong += verify_replay(program, b.schedule, b.events);
  if (outcome.bugs.size() != all.bugs.size()) c.wrong += "not the distinct bugs; ";
  return c;
}

Comparison compare_symmetric(const ModelProgram& program, const Behaviours& all, const std::string& algorithm, unsigned batch) {
  InterpretedProgram target(program);
  search::Options options;
  options.algorithm = algorithm;
  options.symmetry = true;
  options.batch = batch;
  options.keep_going = !all.bugs.empty();
  Collector collector(program);
  const search::Outcome outcome = search::explore(target, options, &collector);
  Comparison c{.executions = outcome.executions, .redundant = outcome.redundant};
  c.successes = outcome.symmetries ? outcome.symmetries->successes : 0;
  if (!outcome.exhausted) c.wrong += "not exhausted: " + outcome.why_not + "; ";
  c.wrong += difference("states at the end but for names", all.nameless_ends, collector.nameless_ends);
  std::set<std::uint32_t> expected, found;
  for (const BugKey& b : all.bugs) expected.insert(b.kind);
  for (const BugKey& b : collector.bugs) found.insert(b.kind);
  if (expected != found) c.wrong += "not the kinds of bugs; ";
  for (const search::FoundBug& b : outcome.bugs) c.wrong += verify_replay(program, b.schedule, b.events);
  return c;
}

namespace {

// Algorithms without a cut that cover every property: first what runs every schedule, then what runs each class once, then the
// rest.
std::vector<std::string_view> trusted_algorithms() {
  std::vector<std::string_view> names;
  const auto add = [&](auto&& is_next) {
    for (const search::ReductionInfo& r : search::reductions())
      if (r.property.empty() && r.cut.empty() && is_next(r)) names.push_back(r.name);
  };
  add([](const auto& r) { return enumerates(r); });
  add([](const auto& r) { return is_optimal(r); });
  add([](const auto& r) { return !enumerates(r) && !is_optimal(r); });
  return names;
}

template <class Target>
std::optional<bool> shows_data_race(const ModelProgram& program, std::uint64_t limit) {
  for (const std::string_view algorithm : trusted_algorithms()) {
    Target target(program);
    search::Options options;
    options.algorithm = algorithm;
    options.keep_going = true;
    options.max_executions = limit;
    RaceWatch watch;
    const search::Outcome outcome = search::explore(target, options, &watch);
    if (watch.found) return true;
    if (outcome.exhausted) return false;
  }
  return std::nullopt;
}

}  // namespace

std::optional<bool> has_data_race(const ModelProgram& program, std::uint64_t limit) {
  return shows_data_race<InterpretedProgram>(program, limit);
}

RaceComparison compare_races(const ModelProgram& program, bool racy, unsigned batch, std::optional<std::uint64_t> seed) {
  InterpretedProgram target(program, batch);
  target.know(code_of(program, seed));
  search::Options options;
  for (const search::ReductionInfo& r : search::reductions())
    if (r.property == "data-race") options.algorithm = r.name;
  options.keep_going = true;
  RaceWatch watch;
  const search::Outcome outcome = search::explore(target, options, &watch);
  RaceComparison c{.executions = outcome.executions};
  c.checks = outcome.pruning->checks;
  c.successes = outcome.pruning->successes;
  for (const auto& [why, count] : outcome.pruning->limits) c.limits += std::to_string(count) + " times: " + why + "; ";
  if (!outcome.exhausted) c.wrong += "not exhausted: " + outcome.why_not + "; ";
  // A bug may hide the race in every schedule that switches threads only at synchronisation.
  const bool hidden = racy && !watch.found && !outcome.bugs.empty() && shows_data_race<Synchronised>(program, 4000) == false;
  if (watch.found != racy && !hidden) c.wrong += racy ? "a data race was missed; " : "a data race that does not exist; ";
  return c;
}

}  // namespace inspect::oracle
