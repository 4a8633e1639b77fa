#include "cli/algorithms.hpp"

#include <utility>

#include "engine/engines.hpp"
#include "search/reduction/reduction.hpp"
#include "search/sample/sample.hpp"

namespace inspect::cli {
namespace {

// The names of the rows of which f is true.
template <class Rows, class F>
Names names_of(const Rows& rows, F&& f) {
  Names names;
  for (const auto& row : rows)
    if (f(row)) names.push_back(row.name);
  return names;
}

}  // namespace

std::string listed(const Names& names, std::string_view last) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " " + std::string(last) + " " : ", ";
    out += names[i];
  }
  return out;
}

Names algorithms_that_need(search::CutNeeds what) {
  return names_of(search::reductions(), [&](const search::ReductionInfo& r) { return search::needs_of(r) == what; });
}

Names samplers_with(inspect_policy policy) {
  return names_of(search::samplers(), [&](const search::SamplerInfo& s) { return s.policy == policy; });
}

std::string filled(std::string_view help) {
  const std::pair<std::string_view, Names> meant[] = {
      {"{states}", algorithms_that_need(search::CutNeeds::states)},
      {"{code}", algorithms_that_need(search::CutNeeds::code)},
      {"{pct}", samplers_with(INSPECT_POLICY_PCT)},
      {"{samplers}", names_of(search::samplers(), [](const auto&) { return true; })},
      {"{engines of states}", names_of(engine::kEngines, [](const auto& e) { return e.by_states; })}};
  std::string out(help);
  for (const auto& [word, names] : meant)
    if (const auto at = out.find(word); at != std::string::npos) out.replace(at, word.size(), listed(names, "and"));
  return out;
}

}  // namespace inspect::cli
