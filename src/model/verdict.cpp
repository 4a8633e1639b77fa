#include "model/verdict.hpp"

#include <algorithm>
#include <functional>

#include "model/bug_kinds.hpp"

namespace inspect {
namespace {

std::string join(const std::vector<std::string>& reasons) {
  std::string out;
  for (const auto& reason : reasons) out += (out.empty() ? "" : "; ") + reason;
  return out;
}

}  // namespace

std::string_view verdict_name(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::verified:
      return "verified";
    case VerdictKind::bug:
      return "bug";
    case VerdictKind::inconclusive:
      return "inconclusive";
    case VerdictKind::unsupported:
      return "unsupported";
  }
  return "inconclusive";
}

std::string_view bug_kind_name(inspect_bug kind) { return bug_kind(kind).name; }
bool goes_on_behind(inspect_bug kind) { return bug_kind(kind).goes_on; }

ExitStatus exit_status_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::verified:
      return ExitStatus::verified;
    case VerdictKind::bug:
      return ExitStatus::bug;
    case VerdictKind::inconclusive:
      return ExitStatus::inconclusive;
    case VerdictKind::unsupported:
      return ExitStatus::unsupported;
  }
  return ExitStatus::internal_error;
}

Judgement judge(const Findings& findings) {
  if (findings.bug) return {VerdictKind::bug, ""};
  if (!findings.unsupported.empty()) return {VerdictKind::unsupported, join(findings.unsupported)};
  if (!findings.left_out.empty()) return {VerdictKind::inconclusive, join(findings.left_out)};
  return {VerdictKind::verified, ""};
}

std::vector<std::pair<std::string, std::uint64_t>> limits_of(const Pruning& pruning) {
  std::vector<std::pair<std::string, std::uint64_t>> limits(pruning.limits.begin(), pruning.limits.end());
  std::ranges::sort(limits, std::greater<>(), &std::pair<std::string, std::uint64_t>::second);
  return limits;
}

}  // namespace inspect
