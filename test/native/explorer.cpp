// Explores programs of one executable by several algorithms and prints, one line each, what was found: counts, classes of
// equivalent executions, bugs, and the final states.
//
//   native_explorer [--visible-all] [--races-go-on] [--spurious-wakeups] [--symmetry] [--mutation=NAME] [--forgotten=OPERATION]
//                   [--max-executions=N] EXECUTABLE ALGORITHMS NUMBER...
//
// A program says its final state by the last atomic store of its main thread, of a value with the highest bit set; an execution
// that ended otherwise has none. ALGORITHMS are separated by commas; NUMBER is the argument that the executable is given.
// Deliberately unknown here: what the right answer is.
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include "process/native_program.hpp"
#include "search/causality/forgotten.hpp"
#include "search/mutation.hpp"
#include "search/sample/classes.hpp"
#include "search/search.hpp"

namespace {

using namespace inspect;

constexpr std::uint64_t kMaxSteps = 300, kLoopBudget = 50'000;
constexpr double kTimeLimit = 5;

class Watch final : public search::Observer {
 public:
  std::set<std::uint64_t> finals;
  search::Classes classes;
  std::set<std::string> operations;  // performed, or waited for
  bool cut = false;                  // by the limit on steps: nothing is complete from there on

  void on_start() override {
    finals.clear();
    classes.clear();
  }
  [[nodiscard]] bool wants_executions() const override { return true; }
  void on_execution(const Execution& execution, std::span<const Event* const> events) override {
    cut |= execution.end == EndKind::limit;
    for (const Event* event : events)
      for (const Operation& o : {event->operation, event->next.operation}) operations.insert(inspect_kind_name(o.kind));
    if (execution.end != EndKind::complete && execution.end != EndKind::bug) return;
    events_.clear();
    for (const Event* event : events) events_.push_back(*event);
    classes.add(events_);
    if (execution.end != EndKind::complete) return;
    for (auto event = events_.rbegin(); event != events_.rend(); ++event) {
      if (event->choice.thread != 0 || event->operation.kind != INSPECT_OP_AtomicStore) continue;
      if (event->written >> 63) finals.insert(event->written);
      return;
    }
  }

 private:
  std::vector<Event> events_;
};

struct Arguments {
  std::string executable, algorithms;
  std::vector<std::string> numbers;
  bool visible_all = false, spurious_wakeups = false, symmetry = false, races_go_on = false;
  std::uint64_t max_executions = 2'000;
};

bool set_mutation(std::string_view name) {
#ifdef INSPECT_MUTANTS
#define MUTATION(row, help) \
  if (name == #row) return search::active_mutation = search::Mutation::row, true;
#include "search/mutations.def"
#endif
  return name.empty();
}

// Transitions of this kind count as independent of all.
bool forget([[maybe_unused]] std::string_view kind) {
#ifdef INSPECT_MUTANTS
  for (unsigned k = 1; k < INSPECT_OP_COUNT; ++k)
    if (kind == inspect_kind_name(k)) return search::forgotten_kind = k, true;
#endif
  return false;
}

bool parse(int count, char** texts, Arguments& arguments) {
  std::vector<std::string_view> plain;
  for (int i = 1; i < count; ++i) {
    const std::string_view text = texts[i];
    if (text == "--visible-all") {
      arguments.visible_all = true;
    } else if (text == "--races-go-on") {
      arguments.races_go_on = true;
    } else if (text == "--spurious-wakeups") {
      arguments.spurious_wakeups = true;
    } else if (text == "--symmetry") {
      arguments.symmetry = true;
    } else if (text.starts_with("--forgotten=")) {
      if (!forget(text.substr(std::strlen("--forgotten=")))) return false;
    } else if (text.starts_with("--mutation=")) {
      if (!set_mutation(text.substr(std::strlen("--mutation=")))) return false;
    } else if (text.starts_with("--max-executions=")) {
      arguments.max_executions = std::strtoull(text.substr(std::strlen("--max-executions=")).data(), nullptr, 10);
    } else {
      plain.push_back(text);
    }
  }
  if (plain.size() < 3) return false;
  arguments.executable = plain[0];
  arguments.algorithms = plain[1];
  arguments.numbers.assign(plain.begin() + 2, plain.end());
  return true;
}

void print(const std::string& number, const std::string& algorithm, const search::Outcome& outcome, const Watch& watch) {
  const bool cut = outcome.limit || outcome.unsupported || outcome.divergence;
  std::printf("%s %s exhausted=%d fell_back=%d executions=%" PRIu64 " redundant=%" PRIu64 " classes=%" PRIu64 " finals=",
              number.c_str(), algorithm.c_str(), outcome.exhausted && !cut, outcome.fell_back, outcome.executions,
              outcome.redundant, watch.classes.count());
  for (const std::uint64_t state : watch.finals) std::printf("%" PRIx64 ",", state);
  std::printf(" operations=");
  for (const std::string& name : watch.operations)
    std::printf("%s%s", &name == &*watch.operations.begin() ? "" : ",", name.c_str());
  std::printf(" bugs=");
  for (const search::FoundBug& bug : outcome.bugs) std::printf("%u@%u/%u,", bug.detail, bug.site, bug.other_site);
  std::string why = outcome.divergence    ? "diverged: " + outcome.divergence->message
                    : outcome.unsupported ? "unsupported: " + outcome.unsupported->message
                    : outcome.limit       ? "limit: " + outcome.limit->message
                                          : outcome.why_not;
  for (const search::FoundBug& bug : outcome.bugs) why += (why.empty() ? "" : "; ") + bug.message;
  for (char& c : why)
    if (c == '\n') c = ' ';
  std::printf(" why=%s\n", why.c_str());
}

void explore(process::NativeProgram& program, const Arguments& arguments, const std::string& number,
             const std::string& algorithm) {
  search::Options options;
  options.algorithm = algorithm;
  options.keep_going = true;
  options.symmetry = arguments.symmetry;
  options.max_executions = arguments.max_executions;
  options.time_limit = kTimeLimit;
  Watch watch;
  options.must_end = [&watch] { return watch.cut ? std::optional<std::string>("cut") : std::nullopt; };
  print(number, algorithm, search::explore(program, options, &watch), watch);
}

// One process for all algorithms: to start one costs more than most explorations.
bool explore_all(const Arguments& arguments, const std::string& number) {
  inspect_configuration configuration{};
  configuration.visible_all = arguments.visible_all;
  configuration.races_go_on = arguments.races_go_on;
  configuration.spurious_wakeups = arguments.spurious_wakeups;
  configuration.max_steps = kMaxSteps;
  configuration.loop_budget = kLoopBudget;
  configuration.hang_seconds = 10;
  configuration.checkpoints_everywhere = std::getenv("INSPECT_CHECKPOINTS") != nullptr;
  configuration.checkpoint_bytes = configuration.checkpoints_everywhere ? 1ull << 32 : 0;
  auto executor =
      process::Executor::launch({.program = arguments.executable, .arguments = {number}, .configuration = configuration});
  if (!executor) {
    std::fprintf(stderr, "native_explorer: %s\n", executor.error().c_str());
    return false;
  }
  process::NativeProgram program(std::move(*executor));
  if (arguments.visible_all) program.find_points();
  std::string_view rest = arguments.algorithms;
  while (!rest.empty()) {
    const std::size_t end = rest.find(',');
    explore(program, arguments, number, std::string(rest.substr(0, end)));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int count, char** texts) {
  Arguments arguments;
  if (!parse(count, texts, arguments)) {
    std::fprintf(stderr,
                 "usage: native_explorer [--visible-all] [--spurious-wakeups] [--symmetry] [--mutation=NAME] "
                 "[--forgotten=OPERATION] [--max-executions=N] EXECUTABLE ALGORITHMS "
                 "NUMBER...\n");
    return 2;
  }
  for (const std::string& number : arguments.numbers)
    if (!explore_all(arguments, number)) return 1;
  return 0;
}
