#include "search/core/outcome.hpp"

#include <algorithm>

#include "model/bug_kinds.hpp"

namespace inspect::search {

FoundBug bug_of(const Execution& e) { return {e, {}, {}, 0}; }

bool same_bug(const FoundBug& a, const FoundBug& b) {
  if (a.detail != b.detail) return false;
  if (a.detail == INSPECT_BUG_EXIT_STATUS && a.message != b.message) return false;  // all that main returns has one place
  if (!b.site && !b.other_site) return !a.site && !a.other_site && a.message == b.message;
  return std::minmax(a.site, a.other_site) == std::minmax(b.site, b.other_site);
}

bool cuts_short(std::uint32_t bug) { return bug_kind(bug).hides; }

namespace {

template <class Limit>
bool must_end(const Options& options, Limit&& limit) {
  const auto why = options.must_end ? options.must_end() : std::nullopt;
  return why && limit(true, *why);
}

}  // namespace

bool reached_limit(const Options& options, Outcome& outcome) {
  const auto limit = [&](bool reached, const std::string& why) {
    if (reached && outcome.why_not.empty()) outcome.why_not = why;
    return reached;
  };
  return limit(options.max_executions && outcome.executions >= options.max_executions, "the limit on executions was reached") ||
         limit(options.time_limit > 0 && outcome.seconds >= options.time_limit, "the time limit was reached") ||
         must_end(options, limit) || limit(options.enough && options.enough(outcome), "stopped at the first bug");
}

void leave_out(Outcome& outcome, std::string what) {
  if (std::ranges::find(outcome.left_out, what) == outcome.left_out.end()) outcome.left_out.push_back(std::move(what));
}

void name_left_out(Outcome& outcome) {
  for (const std::string& what : outcome.left_out) outcome.why_not += (outcome.why_not.empty() ? "" : "; ") + what;
}

}  // namespace inspect::search
