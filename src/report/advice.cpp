#include "report/advice.hpp"

#include <algorithm>
#include <string_view>

namespace inspect::report {
namespace {

struct Row {
  std::string_view parts, meaning, advice;
};
constexpr Row kRows[] = {
#define ADVICE(part, meaning, advice) {part, meaning, advice},
#include "report/advice.def"
};

bool matches(const Row& row, std::string_view text) {
  for (std::string_view rest = row.parts; !rest.empty();) {
    const auto end = std::min(rest.find('|'), rest.size());
    if (text.find(rest.substr(0, end)) != std::string_view::npos) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

// The first row for it; null: none but the last, which is for all others.
const Row* row_for(std::string_view text) {
  const auto* const found = std::ranges::find_if(kRows, [&](const Row& row) { return matches(row, text); });
  return found == std::end(kRows) ? nullptr : found;
}

}  // namespace

std::vector<std::string> advice_for(const Verdict& verdict) {
  std::vector<std::string> out;
  if (verdict.kind == VerdictKind::verified || verdict.kind == VerdictKind::bug) return out;
  const auto add = [&](const Row* row) {
    if (row && std::ranges::find(out, row->advice) == out.end()) out.emplace_back(row->advice);
  };
  const bool refers = verdict.reason.find("see assumptions") != std::string::npos;
  if (refers)
    for (const auto& assumption : verdict.assumptions)
      if (assumption.find("uninstrumented") != std::string::npos || assumption.find("assembly") != std::string::npos ||
          assumption.find("handler") != std::string::npos || assumption.find("--nondet") != std::string::npos ||
          assumption.find("are explored") != std::string::npos)
        add(row_for(assumption));
  // Several reasons are joined.
  std::string_view rest = verdict.reason;
  while (!rest.empty()) {
    const auto end = std::min(rest.find("; "), rest.size());
    if (out.empty() || rest.substr(0, end).find("see assumptions") == std::string_view::npos) add(row_for(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  if (out.empty()) out.emplace_back(std::rbegin(kRows)->advice);
  return out;
}

}  // namespace inspect::report
