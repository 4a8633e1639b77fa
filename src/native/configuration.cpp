#include "native/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "model/inputs.hpp"
#include "search/cut/cut.hpp"
#include "search/reduction/reduction.hpp"
#include "search/sample/sample.hpp"

namespace inspect::native {
namespace {

constexpr std::uint64_t kDefaultMaxSteps = 1'000'000, kDefaultMaxStates = 4'000'000;
// Turns of loops without a visible operation after which the runtime looks whether a loop waits for a plain variable (SEMANTICS
// F.3).
constexpr std::uint64_t kLoopBudget = 50'000;
constexpr std::uint32_t kHangSeconds = 10;
constexpr std::uint64_t kCheckpointMemory = 1ull << 30;

// A stateful search finds races by the states in which both accesses are next (SEMANTICS C.5), so they must be scheduling
// points.
std::string visible_of(const engine::Options& options) {
  return options.visible.value_or(needs_states(options).empty() ? "sync" : "all");
}

// What the search has no default of its own for, among it all that asks for cuts.
search::Options asked_of_search(const engine::Options& options) {
  search::Options out;
  out.algorithm = options.algorithm;
  out.symmetry = options.symmetry;
  out.preemptions = options.preemptions;
  out.keep_going = options.keep_going;
  out.seed = options.seed;
  return out;
}

// What asks for a cut of whose row f is true; empty: nothing does.
template <class F>
std::string asks_for(const engine::Options& options, F&& f) {
  const search::Options asked = asked_of_search(options);
  for (const search::CutInfo& cut : search::cuts())
    if (const std::string by = search::asked_by(cut, asked); !by.empty() && f(cut)) return by;
  return {};
}

}  // namespace

std::string needs_states(const engine::Options& options) {
  return asks_for(options, [](const search::CutInfo& cut) { return cut.needs == search::CutNeeds::states; });
}

std::string needs_code(const engine::Options& options) {
  return asks_for(options, [](const search::CutInfo& cut) { return cut.needs == search::CutNeeds::code; });
}

std::string needs_one_worker(const engine::Options& options) {
  return asks_for(options, [](const search::CutInfo& cut) { return !cut.travels; });
}

bool races_go_on(const engine::Options& options) {
  return options.races != "stop" || !options.suppressions.empty() || !options.baseline.empty();
}

Verdict verdict_frame(const engine::Options& options) {
  Verdict verdict;
  const auto* reduction =
      search::find_reduction(options.algorithm, {.symmetry = options.symmetry, .bound = options.preemptions.has_value()});
  const auto* sampler = search::find_sampler(options.algorithm);
  verdict.algorithm = sampler ? sampler->name : reduction ? reduction->name : "none";
  if (reduction && !reduction->property.empty()) verdict.property = std::string(reduction->property);
  verdict.visible = visible_of(options);
  verdict.races = options.races;
  verdict.limits.max_executions = options.max_executions;
  verdict.limits.time_limit = options.time_limit;
  verdict.limits.memory_limit = options.memory_limit;
  if (sampler && !verdict.limits.max_executions && !verdict.limits.time_limit)
    verdict.limits.max_executions = search::kDefaultSamples;
  verdict.limits.preemptions = options.preemptions;
  const inspect_configuration configuration = configuration_of(options);
  verdict.limits.max_steps = configuration.max_steps;
  if (configuration.input_range_count)
    verdict.limits.nondet = format_inputs({configuration.inputs, configuration.input_range_count});
  verdict.abort_ends = configuration.abort_ends;
  verdict.seed = options.seed;
  verdict.threads = 0;
  return verdict;
}

search::Options search_options(const engine::Options& options) {
  const Verdict frame = verdict_frame(options);
  search::Options out = asked_of_search(options);
  out.algorithm = frame.algorithm;
  out.max_executions = frame.limits.max_executions.value_or(0);
  out.time_limit = frame.limits.time_limit.value_or(0);
  out.max_states = options.max_states.value_or(kDefaultMaxStates);
  out.pct_depth = options.pct_depth.value_or(out.pct_depth);
  return out;
}

inspect_configuration configuration_of(const engine::Options& options) {
  inspect_configuration configuration{};
  configuration.visible_all = visible_of(options) == "all";
  configuration.races_go_on = races_go_on(options);
  configuration.spurious_wakeups = options.spurious_wakeups;
  configuration.expect_any_exit = !options.expected_exit;
  configuration.expected_exit = options.expected_exit.value_or(0);
  configuration.abort_ends = options.abort_ends;
  configuration.input_range_count = static_cast<std::uint32_t>(options.inputs.size());
  std::ranges::copy(options.inputs, configuration.inputs);
  configuration.max_steps = options.max_steps.value_or(kDefaultMaxSteps);
  configuration.loop_budget = kLoopBudget;
  configuration.hang_seconds = kHangSeconds;
  configuration.seed = options.seed;
  configuration.checkpoint_bytes = options.checkpoint_memory.value_or(kCheckpointMemory) / std::max(1u, options.workers);
  const char* const wish = std::getenv("INSPECT_CHECKPOINTS");
  configuration.checkpoints_everywhere = wish && std::string_view(wish) == "everywhere";
  return configuration;
}

std::vector<std::string> recorded_options(const inspect_configuration& configuration) {
  std::vector<std::string> words{fmt::format("--visible={}", configuration.visible_all ? "all" : "sync")};
  if (configuration.races_go_on) words.emplace_back("--races=report");
  if (configuration.spurious_wakeups) words.emplace_back("--spurious-wakeups");
  words.push_back(configuration.expect_any_exit ? "--expect-exit=any"
                                                : fmt::format("--expect-exit={}", configuration.expected_exit));
  if (configuration.abort_ends) words.emplace_back("--abort=end");
  if (configuration.input_range_count)
    words.push_back("--nondet=" + format_inputs({configuration.inputs, configuration.input_range_count}));
  words.push_back(fmt::format("--max-steps={}", configuration.max_steps));
  words.push_back(fmt::format("--seed={}", configuration.seed));
  return words;
}

}  // namespace inspect::native
