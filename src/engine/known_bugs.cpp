#include "engine/known_bugs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "model/bug_kinds.hpp"
#include "model/verdict.hpp"

namespace inspect::engine {
namespace {

constexpr std::string_view kTypes[] = {"race", "race_top", "deadlock", "mutex", "thread", "signal", "called_from_lib"};

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Does `text` begin with what the pattern describes?
bool matches_here(std::string_view pattern, std::string_view text) {
  while (!pattern.empty()) {
    if (pattern == "$") return text.empty();
    if (pattern.front() == '*') {
      for (std::size_t at = 0; at <= text.size(); ++at)
        if (matches_here(pattern.substr(1), text.substr(at))) return true;
      return false;
    }
    if (text.empty() || text.front() != pattern.front()) return false;
    pattern.remove_prefix(1);
    text.remove_prefix(1);
  }
  return true;
}

bool matches_frame(std::string_view pattern, const BugFrame& frame) {
  return matches_pattern(pattern, frame.function) || matches_pattern(pattern, frame.file);
}

std::string base_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

// "heap object[+8] of a/f.c:12" without the folder and the line: "heap object[+8] of f.c".
std::string without_line(std::string object) {
  const auto of = object.find(" of ");
  if (of == std::string::npos) return object;
  const auto colon = object.rfind(':');
  const std::string file = object.substr(of + 4, colon == std::string::npos ? colon : colon - of - 4);
  return object.substr(0, of + 4) + base_name(file);
}

// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ull;
  for (const unsigned char c : text) h = (h ^ c) * 0x100000001b3ull;
  return h;
}

std::string number_of(unsigned n, std::string_view noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

}  // namespace

bool matches_pattern(std::string_view pattern, std::string_view text) {
  if (pattern.starts_with('^')) return matches_here(pattern.substr(1), text);
  for (std::size_t at = 0; at <= text.size(); ++at)
    if (matches_here(pattern, text.substr(at))) return true;
  return false;
}

std::string BugIdentity::fingerprint() const {
  std::vector<std::string> places;
  for (const auto& stack : stacks)
    if (!stack.empty())
      places.push_back(stack[0].function + '\n' + base_name(stack[0].file) + '\n' + stack[0].expression + '\n');
  std::ranges::sort(places);
  std::string text = std::string(bug_kind_name(kind)) + '\n';
  for (const std::string& place : places) text += place;
  if (kind == INSPECT_BUG_DATA_RACE) text += without_line(object);
  if (bug_kind(kind).message) text += message;
  return fmt::format("{:016x}", hash_of(text));
}

Result<KnownBugs> KnownBugs::read(const std::string& suppressions, const std::string& baseline) {
  KnownBugs known;
  known.given_ = !suppressions.empty() || !baseline.empty();
  known.suppressions_path_ = suppressions;
  known.baseline_path_ = baseline;
  if (!suppressions.empty())
    if (auto error = known.read_suppressions()) return *error;
  if (!baseline.empty())
    if (auto error = known.read_baseline()) return *error;
  return known;
}

std::optional<Error> KnownBugs::read_suppressions() {
  const auto text = read_file(suppressions_path_);
  if (!text) return Error{text.error()};
  unsigned number = 0;
  for (std::string_view rest = *text; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const auto colon = line.find(':');
    const std::string_view type = line.substr(0, colon);
    if (colon == std::string_view::npos || colon + 1 == line.size())
      return Error{fmt::format("{}:{}: expected type:pattern, found '{}'", suppressions_path_, number, line)};
    if (std::ranges::find(kTypes, type) == std::end(kTypes))
      return Error{fmt::format("{}:{}: unknown type '{}', expected one of {}", suppressions_path_, number, type,
                               fmt::join(kTypes, ", "))};
    suppressions_.push_back({std::string(type), std::string(line.substr(colon + 1)), number});
  }
  return std::nullopt;
}

std::optional<Error> KnownBugs::read_baseline() {
  std::error_code ignored;
  if (no_baseline_yet_ = !std::filesystem::exists(baseline_path_, ignored); no_baseline_yet_) return std::nullopt;
  const auto text = read_file(baseline_path_);
  if (!text) return Error{text.error()};
  const auto bad = [&] { return Error{baseline_path_ + ": not a report that inspect check --json wrote"}; };
  const auto report = nlohmann::json::parse(*text, nullptr, false);
  if (!report.is_object() || !report.contains("schema")) return bad();
  for (const char* const list : {"bugs", "known_bugs"}) {
    if (!report.contains(list) || !report[list].is_array()) return bad();
    for (const auto& bug : report[list]) {
      if (!bug.is_object() || !bug.contains("fingerprint") || !bug["fingerprint"].is_string()) return bad();
      baseline_.emplace(bug["fingerprint"].get<std::string>(), 0);
    }
  }
  return std::nullopt;
}

const KnownBugs::Suppression* KnownBugs::suppression_of(const BugIdentity& bug) const {
  const auto in_stacks = [&](const std::string& pattern, bool top) {
    return std::ranges::any_of(bug.stacks, [&](const auto& stack) {
      const auto end = top && !stack.empty() ? stack.begin() + 1 : stack.end();
      return std::any_of(stack.begin(), end, [&](const BugFrame& frame) { return matches_frame(pattern, frame); });
    });
  };
  const auto suppresses = [&](const Suppression& s) {
    if (bug.kind == INSPECT_BUG_DATA_RACE)
      return (s.type == "race" &&
              (in_stacks(s.pattern, false) || (!bug.object.empty() && matches_pattern(s.pattern, bug.object)))) ||
             (s.type == "race_top" && in_stacks(s.pattern, true));
    if (bug.kind == INSPECT_BUG_DEADLOCK) return s.type == "deadlock" && in_stacks(s.pattern, false);
    return bug.kind == INSPECT_BUG_API_MISUSE && s.type == "mutex" && in_stacks(s.pattern, false);
  };
  const auto at = std::ranges::find_if(suppressions_, suppresses);
  return at == suppressions_.end() ? nullptr : &*at;
}

std::optional<std::string> KnownBugs::find(const BugIdentity& bug) const {
  if (const Suppression* const s = suppression_of(bug)) return fmt::format("suppressed by {}:{}", suppressions_path_, s->line);
  if (baseline_.contains(bug.fingerprint())) return "in the baseline " + baseline_path_;
  return std::nullopt;
}

void KnownBugs::count(const BugIdentity& bug) {
  if (const Suppression* const s = suppression_of(bug))
    ++suppressions_[static_cast<std::size_t>(s - suppressions_.data())].met;
  else if (const auto at = baseline_.find(bug.fingerprint()); at != baseline_.end())
    ++at->second;
}

std::vector<std::string> KnownBugs::notes() const {
  std::vector<std::string> out;
  for (const Suppression& s : suppressions_) {
    const std::string place = fmt::format("{}:{}", suppressions_path_, s.line);
    const std::string_view noun = s.type.starts_with("race") ? "data race" : s.type == "deadlock" ? "deadlock" : "bug";
    out.push_back(s.met ? fmt::format("{} suppressed by {} ({}:{})", number_of(s.met, noun), place, s.type, s.pattern)
                        : fmt::format("{} ({}:{}) suppresses nothing here", place, s.type, s.pattern));
  }
  if (baseline_path_.empty()) return out;
  if (no_baseline_yet_) {
    out.push_back(fmt::format("there is no baseline {} yet: every bug is new", baseline_path_));
    return out;
  }
  unsigned met = 0, distinct = 0;
  for (const auto& [fingerprint, times] : baseline_) met += times, distinct += times > 0;
  if (met) out.push_back(fmt::format("{} in the baseline {}", number_of(met, "bug"), baseline_path_));
  if (const auto gone = static_cast<unsigned>(baseline_.size()) - distinct)
    out.push_back(fmt::format("{} of the baseline {} not seen", number_of(gone, "bug"), baseline_path_));
  return out;
}

}  // namespace inspect::engine
