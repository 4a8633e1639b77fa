#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/shown.hpp"

namespace inspect::report {
namespace {

constexpr std::size_t kStepWidth = 6;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

// At most `width` characters; a cut shows as "…".
std::string fitted(const std::string& text, std::size_t width) {
  if (width_of(text) <= width) return text;
  std::size_t end = 0, characters = 0;
  while (end < text.size()) {
    if (starts_character(text[end]) && characters++ == width - 1) break;
    ++end;
  }
  return text.substr(0, end) + "…";
}

// Of a place that leaves no room for the code, the end tells more than the folders: "…/bits/stl_map.h:512".
std::string shortened(std::string place, std::size_t width) {
  bool cut = false;
  for (std::size_t slash; width_of(place) + 2 > width && (slash = place.find('/', 1)) != std::string::npos; cut = true)
    place.erase(0, slash);
  return cut ? "…" + place : place;
}

std::string thread_title(const std::string& thread) { return thread == "0" ? "thread 0 (main)" : "thread " + thread; }

// Lines of the columns: two a step where the source is known.
class Table {
 public:
  Table(const Interleaving& interleaving, SourceLines& source, const TextStyle& style) : in_(interleaving), source_(source) {
    first_ = in_.lines.size() > style.max_lines ? in_.lines.size() - style.max_lines : 0;
    // As wide as its text, within an equal share of the line.
    const std::size_t columns = std::max<std::size_t>(1, in_.threads.size());
    const std::size_t share = std::max(kMinimumWidth, (style.width - kStepWidth) / columns - kGap);
    for (const auto& thread : in_.threads) widths_.push_back(width_of(thread_title(thread)));
    for (std::size_t i = first_; i < in_.lines.size(); ++i) {
      const InterleavingLine& line = in_.lines[i];
      widths_[line.column] = std::max({widths_[line.column], width_of(line.action), width_of(place_text(line))});
    }
    for (std::size_t& width : widths_) width = std::min(width, share);
  }

  std::string text() {
    heading();
    if (first_ > 0) out_ += fmt::format("   …  ({} earlier lines: inspect report shows all)\n", first_);
    for (std::size_t i = first_; i < in_.lines.size(); ++i) {
      if (in_.lines[i].decisive) switch_mark(i);
      step(in_.lines[i]);
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMinimumWidth = 26, kGap = 2;

  std::string place_text(const InterleavingLine& line, std::size_t width = std::string::npos) {
    if (line.place == "?") return {};
    const std::string code = source_.at(line.place);
    return "  " + shortened(line.place, code.empty() ? width : width / 3 * 2) + (code.empty() ? "" : "  " + code);
  }

  std::string cell(std::size_t column, const std::string& text) const {
    std::size_t indent = 0;
    for (std::size_t i = 0; i < column; ++i) indent += widths_[i] + kGap;
    return std::string(indent, ' ') + fitted(text, widths_[column]) + '\n';
  }

  void heading() {
    std::string line(kStepWidth, ' ');
    for (std::size_t i = 0; i < in_.threads.size(); ++i)
      line += fmt::format("{:<{}}", fitted(thread_title(in_.threads[i]), widths_[i]), widths_[i] + kGap);
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + '\n';
  }

  void switch_mark(std::size_t i) {
    const std::string from = i > 0 ? in_.threads[in_.lines[i - 1].column] : "?";
    out_ += fmt::format("----- decisive switch: thread {} stops here, thread {} goes on -----\n", from,
                        in_.threads[in_.lines[i].column]);
  }

  void step(const InterleavingLine& line) {
    const std::string number = line.step ? std::to_string(line.step) : "";
    out_ += fmt::format("{:>{}}{} ", number, kStepWidth - 2, line.at_bug ? "*" : " ") + cell(line.column, line.action);
    const std::string place = place_text(line, widths_[line.column]);
    if (!place.empty()) out_ += std::string(kStepWidth, ' ') + cell(line.column, place);
  }

  const Interleaving& in_;
  SourceLines& source_;
  std::vector<std::size_t> widths_;
  std::size_t first_ = 0;
  std::string out_;
};

std::string count_of(std::uint64_t n, const char* noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::string memory_model_line(const Verdict& verdict) {
  std::string line = "memory model: sequential consistency";
  if (verdict.weak_atomics)
    line += fmt::format(" ({} weaker than seq_cst treated as seq_cst)", count_of(verdict.weak_atomics, "atomic operation"));
  return line;
}

std::string pruning_text(const Pruning& p) {
  std::string out = fmt::format("pruning: {} checked for data races behind them, {} pruned\n",
                                count_of(p.checks, "backtrack point"), p.successes);
  for (const auto& [why, count] : limits_of(p)) out += fmt::format("not pruned, {}: {}\n", count, why);
  return out;
}

std::string sampling_text(const Verdict& v) {
  const Sampled& s = *v.sampled;
  std::string out = fmt::format("sampled: {}{} of equivalent executions seen\n", s.more_classes ? "at least " : "",
                                s.classes == 1 ? "1 distinct class" : fmt::format("{} distinct classes", s.classes));
  if (s.pct_depth)
    out += fmt::format(
        "pct: one execution finds a given bug of depth d = {} with probability at least 1/(n*k^(d-1)) = 1/({}*{}^{}) = {:.3g}, "
        "for n threads and k steps as observed\n",
        s.pct_depth, v.threads, v.max_depth, s.pct_depth - 1, s.pct_bound);
  return out;
}

// "data-race" as people say it.
std::string words(std::string name) {
  std::ranges::replace(name, '-', ' ');
  return name;
}

// The first bug that a data race would have hidden.
std::string behind(const Verdict& verdict) {
  if (verdict.races != "report" || verdict.bugs.front().kind != INSPECT_BUG_DATA_RACE) return {};
  const auto other = std::ranges::find_if(verdict.bugs, [](const BugReport& b) { return b.kind != INSPECT_BUG_DATA_RACE; });
  return other == verdict.bugs.end() ? "" : "; behind the data races, " + bug_line(*other);
}

std::string verdict_line(const Verdict& verdict, const std::string& target) {
  switch (verdict.kind) {
    case VerdictKind::verified:
      if (verdict.property)
        return fmt::format(
            "VERIFIED: {}: no {} in any schedule for this input (other properties not covered) (engine {}, algorithm {})",
            target, words(*verdict.property), verdict.engine, verdict.algorithm);
      return fmt::format("VERIFIED: {}: every schedule for this input was covered, no {}bug (engine {}, algorithm {})", target,
                         verdict.known_bugs.empty() ? "" : "new ", verdict.engine, verdict.algorithm);
    case VerdictKind::bug:
      return "BUG: " + bug_line(verdict.bugs.front()) + behind(verdict);
    case VerdictKind::inconclusive:
      return fmt::format("INCONCLUSIVE: {}: {}", target, shown_line(verdict.reason));
    case VerdictKind::unsupported:
      return fmt::format("UNSUPPORTED: {}: {}", target, shown_line(verdict.reason));
  }
  return {};
}

}  // namespace

std::string interleaving_text(const Interleaving& interleaving, SourceLines& source, const TextStyle& style) {
  std::string out = Table(interleaving, source, style).text();
  for (const auto& wait : interleaving.waits) out += wait + '\n';
  for (const auto& [text, place] : interleaving.accesses) out += text + "\n  " + place + "  " + source.at(place) + '\n';
  for (const auto& stack : interleaving.stacks) {
    out += stack.title + ":\n";
    for (std::size_t i = 0; i < stack.frames.size(); ++i) out += fmt::format("  #{} {}\n", i, stack.frames[i]);
  }
  return out;
}

std::string bug_line(const BugReport& bug) {
  std::string line = fmt::format("{}: {}", bug_kind_name(bug.kind), shown_line(bug.message));
  if (bug.location) line += fmt::format(" (thread {} at {}", bug.thread, *bug.location);
  if (bug.location && bug.other_location) line += ", other access at " + *bug.other_location;
  return bug.location ? line + ')' : line;
}

std::string estimate_text(const Estimate& e) {
  const auto number = [](double x) {
    if (x >= 1e9) return fmt::format("{:.1e}", x);
    const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, x))) - 1));  // two digits
    return fmt::format("{:.0f}", std::round(x / unit) * unit);
  };
  return fmt::format("about {} ({} to {})", number(e.executions), number(e.low), number(e.high));
}

std::string verdict_text(const Verdict& verdict, const std::string& target, bool quiet) {
  std::string out;
  if (!quiet || verdict.reason.find("see assumptions") != std::string::npos)
    for (const auto& assumption : verdict.assumptions) out += "assumption: " + assumption + '\n';
  if (!quiet) {
    if (verdict.limits.nondet) out += fmt::format("inputs without bounds: {}\n", *verdict.limits.nondet);
    if (verdict.abort_ends) out += "a call of abort() ends an execution and is no bug\n";
    out += memory_model_line(verdict) + '\n';
    for (const auto& note : verdict.notes) out += "note: " + note + '\n';
    if (verdict.bugs.size() > 1)
      for (const auto& bug : verdict.bugs) out += "bug: " + bug_line(bug) + '\n';
    if (verdict.estimate && verdict.kind == VerdictKind::inconclusive)
      out += fmt::format("estimate of all complete executions: {}\n", estimate_text(*verdict.estimate));
    if (verdict.sampled) out += sampling_text(verdict);
    out += fmt::format("{} in {:.2f} s, {}, depth {}\n", count_of(verdict.transitions, "transition"), verdict.seconds,
                       count_of(verdict.threads, "thread"), verdict.max_depth);
    if (verdict.states) out += count_of(*verdict.states, "distinct state") + '\n';
    if (const auto& s = verdict.symmetries)
      out += fmt::format("symmetry: {} compared, {} skipped as mirror images; finding out took {:.1f} % of the time\n",
                         count_of(s->checks, "transition"), s->successes,
                         verdict.seconds > 0 ? 100 * s->seconds / verdict.seconds : 0.);
    if (verdict.pruning) out += pruning_text(*verdict.pruning);
  }
  out += verdict_line(verdict, target) + '\n';
  out += fmt::format("Number of complete executions explored: {}\n", verdict.executions);
  if (verdict.redundant) out += fmt::format("Number of redundant executions: {}\n", verdict.redundant);
  return out;
}

}  // namespace inspect::report
