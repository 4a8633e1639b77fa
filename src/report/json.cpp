#include "report/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/advice.hpp"

namespace inspect::report {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json bug_json(const BugReport& bug) {
  return {{"kind", bug_kind_name(bug.kind)},
          {"message", bug.message},
          {"thread", or_null(bug.thread)},
          {"location", or_null(bug.location)},
          {"other_location", or_null(bug.other_location)},
          {"schedule", or_null(bug.schedule)},
          {"executions_before", bug.executions_before},
          {"fingerprint", or_null(bug.fingerprint)},
          {"known", or_null(bug.known)}};
}

Json limits_json(const Limits& limits) {
  return {{"max_executions", or_null(limits.max_executions)}, {"time_limit", or_null(limits.time_limit)},
          {"memory_limit", or_null(limits.memory_limit)},     {"max_steps", or_null(limits.max_steps)},
          {"preemptions", or_null(limits.preemptions)},       {"nondet", or_null(limits.nondet)}};
}

Json pruning_limits_json(const std::optional<Pruning>& pruning) {
  if (!pruning) return {};
  Json limits = Json::object();
  for (const auto& [why, count] : limits_of(*pruning)) limits[why] = count;
  return limits;
}

Json reductions_json(const std::optional<Exploration>& e) {
  if (!e) return {};
  return {{"heap", e->heap},
          {"thread_symmetry", e->thread_symmetry},
          {"independence", e->independence},
          {"moved_threads", e->moved_threads},
          {"reduced_states", e->reduced_states},
          {"transitions_left_out", e->left_out},
          {"visited", e->visited}};
}

// Whole where that is exact.
Json rounded(double value) { return value < 0x1p53 ? Json(static_cast<std::uint64_t>(std::llround(value))) : Json(value); }

Json estimate_json(const std::optional<Estimate>& e) {
  return {{"estimated_executions", e ? rounded(e->executions) : Json()},
          {"estimated_low", e ? rounded(e->low) : Json()},
          {"estimated_high", e ? rounded(e->high) : Json()}};
}

Json sampling_json(const std::optional<Sampled>& s) {
  const bool pct = s && s->pct_depth;
  return {{"distinct_classes", s ? Json(s->classes) : Json()},
          {"pct_depth", pct ? Json(s->pct_depth) : Json()},
          {"pct_probability_bound", pct ? Json(s->pct_bound) : Json()}};
}

Json symbolic_json(const std::optional<SymbolicRun>& run) {
  Json inputs = Json::array();
  if (run)
    for (const InputValue& i : run->inputs)
      inputs.push_back(
          {{"name", or_null(i.name)}, {"thread", i.thread}, {"location", or_null(i.location)}, {"value", i.value}});
  return {{"bound", run ? Json(run->bound) : Json()},
          {"encoding", run ? Json(run->encoding) : Json()},
          {"por", run && run->por ? Json(*run->por) : Json()},
          {"solver", run ? Json(run->solver) : Json()},
          {"inputs", run ? inputs : Json()},
          {"variables", run ? Json(run->variables) : Json()},
          {"clauses", run ? Json(run->clauses) : Json()},
          {"conflicts", run ? Json(run->conflicts) : Json()}};
}

}  // namespace

std::string verdict_json(const Verdict& v) {
  Json bugs = Json::array();
  for (const auto& bug : v.bugs) bugs.push_back(bug_json(bug));
  Json known = Json::array();
  for (const auto& bug : v.known_bugs) known.push_back(bug_json(bug));
  const double rate = v.seconds > 0 ? static_cast<double>(v.executions + v.redundant) / v.seconds : 0;
  Json out = {{"schema", 1},
              {"tool", "inspect " INSPECT_VERSION},
              {"verdict", verdict_name(v.kind)},
              {"reason", or_null(v.reason)},
              {"engine", v.engine},
              {"algorithm", v.algorithm},
              {"property", or_null(v.property)},
              {"formula", or_null(v.formula)},
              {"fairness", v.formula ? Json(v.weak_fairness ? "weak" : "none") : Json()},
              {"symmetry", v.symmetries.has_value()},
              {"symmetry_checks", v.symmetries ? Json(v.symmetries->checks) : Json()},
              {"symmetry_successes", v.symmetries ? Json(v.symmetries->successes) : Json()},
              {"symmetry_seconds", v.symmetries ? Json(v.symmetries->seconds) : Json()},
              {"pruning_checks", v.pruning ? Json(v.pruning->checks) : Json()},
              {"pruning_successes", v.pruning ? Json(v.pruning->successes) : Json()},
              {"pruning_limits", pruning_limits_json(v.pruning)},
              {"visible", v.visible},
              {"races", v.races},
              {"memory_model", "sc"},
              {"weak_atomics", v.weak_atomics},
              {"executions", v.executions},
              {"redundant_executions", v.redundant},
              {"transitions", v.transitions},
              {"states", or_null(v.states)},
              {"visited_bytes", v.exploration ? Json(v.exploration->visited_bytes) : Json()},
              {"reductions", reductions_json(v.exploration)},
              {"races_checked", v.races_checked},
              {"threads", v.threads},
              {"max_depth", v.max_depth},
              {"seconds", v.seconds},
              {"executions_per_second", rate},
              {"peak_memory_bytes", v.peak_memory_bytes},
              {"bugs", bugs},
              {"known_bugs", known},
              {"assumptions", v.assumptions},
              {"advice", advice_for(v)},
              {"limits", limits_json(v.limits)},
              {"abort", v.abort_ends ? "end" : "bug"},
              {"seed", v.seed},
              {"workers", v.workers}};
  out.update(estimate_json(v.estimate));
  out.update(sampling_json(v.sampled));
  out.update(symbolic_json(v.symbolic));
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace inspect::report
