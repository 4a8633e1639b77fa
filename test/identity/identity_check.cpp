// Are identities of states what they claim to be? Runs programs under random schedules, and compares what follows equal ones.
//
//     identity_check [--runs N] [--described PERCENT] PROGRAM...
// Equal identities must have equal pending operations and enabled threads, and the same transition must lead from them to equal
// identities. The exit status is 1 where they do not, or where fewer states than PERCENT have an identity or repeat none.
#include <charconv>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <tuple>

#include "process/native_program.hpp"

namespace {

using namespace inspect;

struct Key {
  std::uint64_t low, high;
  auto operator<=>(const Key&) const = default;
};

struct Counts {
  unsigned long events = 0, described = 0, repeated = 0, violations = 0;
};

// What an observer of the search sees of a state: who can do what.
std::string view_of(const std::map<ThreadId, Pending>& pending, const ThreadSet& enabled) {
  std::string text = std::to_string(enabled.word(0)) + ' ' + std::to_string(enabled.word(1));
  for (const auto& [t, p] : pending) {
    const Operation& o = p.operation;
    text += ';' + std::to_string(t);
    for (const std::uint64_t v : {std::uint64_t{o.kind}, o.object, o.object2, std::uint64_t{o.size}, std::uint64_t{p.choices}})
      text += ' ' + std::to_string(v);
    if (enabled.contains(t) && o.kind != INSPECT_OP_Choice) text += ' ' + std::to_string(p.alternatives.word(0));
  }
  return text;
}

class Check {
 public:
  void add(const Execution& e) {
    if (e.end == EndKind::unsupported) {
      ++counts.violations;
      std::printf("  %s\n", e.message.c_str());
    }
    std::map<ThreadId, Pending> pending;
    Key before{};
    for (std::size_t i = 0; i < e.events.size(); ++i) {
      const Event& event = e.events[i];
      pending[event.choice.thread] = event.next;
      for (const PendingChange& c : event.changes) pending[c.thread] = c.pending;
      const Key now = i < e.states.size() ? Key{e.states[i].low, e.states[i].high} : Key{};
      ++counts.events;
      step(before, event, now);
      state(now, view_of(pending, event.enabled), event);
      before = now;
    }
  }

  Counts counts;

 private:
  void state(const Key& now, const std::string& view, const Event& event) {
    if (!now.low && !now.high) return;
    ++counts.described;
    const auto [at, fresh] = views_.try_emplace(now, view);
    counts.repeated += !fresh;
    if (!fresh && at->second != view) complain("other operations are pending", event);
  }

  void step(const Key& before, const Event& event, const Key& now) {
    if ((!before.low && !before.high)) return;
    const auto key = std::tuple(before, event.choice);
    const auto [at, fresh] = steps_.try_emplace(key, now, event.operation);
    if (fresh) return;
    const auto& [then, operation] = at->second;
    const Operation& o = event.operation;
    if (o.kind != operation.kind || o.flags != operation.flags || o.object != operation.object)
      complain("a transition came out otherwise", event);
    else if (then != now)
      complain("a transition led to another state", event);
  }

  void complain(const char* what, const Event& event) {
    if (++counts.violations <= 3)
      std::printf("  in equal states %s: thread %u, %s, site %u\n", what, event.choice.thread,
                  inspect_kind_name(event.operation.kind), event.operation.site);
  }

  std::map<Key, std::string> views_;
  std::map<std::tuple<Key, Choice>, std::tuple<Key, Operation>> steps_;
};

Counts check(const std::string& program, unsigned runs) {
  process::LaunchOptions options;
  options.program = program;
  options.configuration.visible_all = true;
  options.configuration.max_steps = 100'000;
  options.configuration.loop_budget = 50'000;
  options.configuration.hang_seconds = 10;
  options.configuration.expect_any_exit = 1;
  auto executor = process::Executor::launch(options);
  if (!executor) {
    std::printf("%s: %s\n", program.c_str(), executor.error().c_str());
    return {.violations = 1};
  }
  process::NativeProgram native(std::move(*executor));
  native.find_points();
  Check all;
  for (unsigned i = 0; i < runs; ++i) {
    search::Request request;
    request.states = true;
    request.policy = i ? INSPECT_POLICY_RANDOM : INSPECT_POLICY_RUN;
    request.seed = i;
    const auto executions = native.run({&request, 1});
    if (native.take_change()) all = {};
    all.add(executions.front());
    if (all.counts.violations > 3) break;
  }
  return all.counts;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned runs = 200;
  double least = -1;
  bool failed = false;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--runs") && i + 1 < argc) {
      runs = static_cast<unsigned>(std::stoul(argv[++i]));
    } else if (!std::strcmp(argv[i], "--described") && i + 1 < argc) {
      least = std::stod(argv[++i]);
    } else {
      const Counts c = check(argv[i], runs);
      std::printf("%s: %lu states, %lu with an identity, %lu repeated, %lu violations\n", argv[i], c.events, c.described,
                  c.repeated, c.violations);
      failed |=
          c.violations > 0 ||
          (least >= 0 && (100.0 * static_cast<double>(c.described) < least * static_cast<double>(c.events) || !c.repeated));
    }
  }
  return failed;
}
