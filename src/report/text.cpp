#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/shown.hpp"
#include "report/action.hpp"
#include "report/advice.hpp"
#include "report/folding.hpp"

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

// A text in lines of at most `width` characters, cut between words where that is possible.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (width_of(rest) > width) {
    std::size_t end = 0, characters = 0, blank = 0;
    for (; end < rest.size(); ++end) {
      if (starts_character(rest[end]) && characters++ == width) break;
      // A thread's name stays whole.
      const bool named = std::string_view(rest).substr(0, end).ends_with("thread");
      if (rest[end] == ' ' && characters > width / 2 && !named) blank = end;
    }
    const std::size_t cut = blank ? blank : end;
    lines.push_back(rest.substr(0, cut));
    rest = "  " + rest.substr(blank ? cut + 1 : cut);
    if (width_of(rest) >= width_of(lines.back()) + width_of(text)) break;
  }
  lines.push_back(rest);
  return lines;
}

// Lines of the columns: two a step where the source is known. Where columns would be too narrow, each line begins with its
// thread instead.
class Table {
 public:
  Table(const Interleaving& interleaving, SourceLines& source, const TextStyle& style)
      : in_(interleaving), source_(source), style_(style), shown_(style.all_frames ? unfolded(in_) : folded(in_)) {
    first_ = shown_.size() > style.max_lines ? shown_.size() - style.max_lines : 0;
    // As wide as its text, within an equal share of the line.
    const std::size_t columns = std::max<std::size_t>(1, in_.threads.size());
    const std::size_t room = std::max(style.width, kStepWidth + kMinimumWidth) - kStepWidth;
    const std::size_t share = room / columns > kGap ? room / columns - kGap : 1;
    listed_ = columns > 1 && share < kMinimumWidth;
    for (const auto& thread : in_.threads) widths_.push_back(width_of(thread_title(thread)));
    for (std::size_t i = first_; i < shown_.size(); ++i) {
      const InterleavingLine& line = shown_[i].line;
      widths_[line.column] = std::max({widths_[line.column], width_of(line.action), width_of(place_text(line))});
    }
    share_out(room, share);
    if (listed_) widths_.assign(columns, room - name_width() - kGap);
  }

  std::string text() {
    heading();
    if (first_ > 0) out_ += fmt::format("   …  ({} earlier lines: inspect report shows all)\n", first_);
    for (std::size_t i = first_; i < shown_.size(); ++i) {
      if (shown_[i].line.decisive) switch_mark(i);
      step(shown_[i]);
    }
    const auto marked = std::ranges::count_if(in_.lines, [](const auto& line) { return line.at_bug; });
    const bool stuck = in_.bug.kind == "deadlock" || in_.bug.kind == "livelock";
    if (marked)
      out_ += fmt::format("* marks {}\n", stuck         ? "where a thread waits for ever"
                                          : marked == 1 ? "the step at which it goes wrong"
                                          : marked == 2 ? "the two places of the bug"
                                                        : "the places of the bug");
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kMinimumWidth = 30, kGap = 2;

  // What a narrow column does not need is for the others.
  void share_out(std::size_t room, std::size_t share) {
    std::size_t used = 0, wide = 0;
    for (const std::size_t width : widths_) (width <= share ? used += width + kGap : ++wide);
    const std::size_t each = wide && room > used ? (room - used) / wide : share;
    for (std::size_t& width : widths_)
      if (width > share) width = std::min(width, std::max(share, each > kGap ? each - kGap : 1));
  }

  [[nodiscard]] std::size_t name_width() const {
    std::size_t width = 0;
    for (const auto& thread : in_.threads) width = std::max(width, width_of(thread));
    return width;
  }

  std::string place_text(const InterleavingLine& line, std::size_t width = std::string::npos) {
    if (line.place == "?") return {};
    const std::string code = source_.at(line.place);
    return "  " + shortened(line.place, code.empty() ? width : width / 3 * 2) + (code.empty() ? "" : "  " + code);
  }

  std::string cell(std::size_t column, const std::string& text) const {
    std::size_t indent = 0;
    for (std::size_t i = 0; !listed_ && i < column; ++i) indent += widths_[i] + kGap;
    if (listed_) indent = name_width() + kGap;
    return std::string(indent, ' ') + text + '\n';
  }

  void heading() {
    if (listed_) return;
    std::string line(kStepWidth, ' ');
    for (std::size_t i = 0; i < in_.threads.size(); ++i)
      line += fmt::format("{:<{}}", fitted(thread_title(in_.threads[i]), widths_[i]), widths_[i] + kGap);
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + '\n';
  }

  void switch_mark(std::size_t i) {
    const std::string from = i > 0 ? in_.threads[shown_[i - 1].line.column] : "?";
    out_ += fmt::format("----- decisive switch: thread {} stops here, thread {} goes on -----\n", from,
                        in_.threads[shown_[i].line.column]);
  }

  void step(const FoldedLine& folded) {
    const InterleavingLine& line = folded.line;
    std::string number = line.step ? std::to_string(line.step) : "";
    std::string head = fmt::format("{:>{}}{} ", number, kStepWidth - 2, line.at_bug ? "*" : " ");
    for (const auto& part : wrapped(line.action, widths_[line.column])) {
      std::string text = cell(line.column, part);
      if (listed_ && !head.starts_with(kNothing)) text.replace(0, in_.threads[line.column].size(), in_.threads[line.column]);
      out_ += head + text;
      head = kNothing;
    }
    const std::string place = place_text(line, widths_[line.column]);
    if (!place.empty()) out_ += kNothing + cell(line.column, fitted(place, widths_[line.column]));
    for (const Frame& frame : line.frames)
      if (style_.all_frames)
        for (const auto& part :
             wrapped("  in " + frame.function + (frame.place == "?" ? "" : " at " + frame.place), widths_[line.column]))
          out_ += kNothing + cell(line.column, part);
  }

  const std::string kNothing = std::string(kStepWidth, ' ');
  const Interleaving& in_;
  SourceLines& source_;
  const TextStyle& style_;
  std::vector<FoldedLine> shown_;
  std::vector<std::size_t> widths_;
  std::size_t first_ = 0;
  bool listed_ = false;
  std::string out_;
};

std::string count_of(std::uint64_t n, const char* noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

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

std::string formula_text(const Verdict& verdict) {
  if (!verdict.formula) return {};
  return fmt::format(", every {}run satisfies {}", verdict.weak_fairness ? "fair " : "", shown_line(*verdict.formula));
}

std::string verdict_line(const Verdict& verdict, const std::string& target) {
  switch (verdict.kind) {
    case VerdictKind::verified:
      if (verdict.property)
        return fmt::format(
            "VERIFIED: {}: no {} in any schedule for this input (other properties not covered) (engine {}, algorithm {})",
            target, words(*verdict.property), verdict.engine, verdict.algorithm);
      if (verdict.symbolic)
        return fmt::format("VERIFIED: {}: no bug in any schedule, for any input (engine {}, encoding {}{}, bound {})", target,
                           verdict.engine, verdict.symbolic->encoding,
                           verdict.symbolic->por ? ", por " + *verdict.symbolic->por : "", verdict.symbolic->bound);
      return fmt::format("VERIFIED: {}: every schedule for this input was covered, no {}bug{} (engine {}, algorithm {})",
                         target, verdict.known_bugs.empty() ? "" : "new ", formula_text(verdict), verdict.engine,
                         verdict.algorithm);
    case VerdictKind::bug:
      return "BUG: " + bug_line(verdict.bugs.front()) + behind(verdict);
    case VerdictKind::inconclusive:
      return fmt::format("INCONCLUSIVE: {}: {}", target, shown_line(verdict.reason));
    case VerdictKind::unsupported:
      return fmt::format("UNSUPPORTED: {}: {}", target, shown_line(verdict.reason));
  }
  return {};
}

// Frames of libraries are folded, unless they are all there is; what the user's code called there is shown, without its place.
std::string stack_text(const Frames& frames, bool all) {
  std::string out;
  const bool fold = !all && std::ranges::any_of(frames, [](const Frame& f) { return !f.library; });
  std::size_t folded = 0;
  const auto tell = [&] {
    if (folded) out += fmt::format("  … {} of libraries\n", count_of(folded, "frame"));
    folded = 0;
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const bool header = fold && frames[i].library && frames[i].place != "?";
    const bool called = i + 1 < frames.size() && !frames[i + 1].library;
    if (header && !called) {
      ++folded;
      continue;
    }
    tell();
    const std::string& function = frames[i].function;
    const std::string shown = function.empty() ? "?" : header ? short_function(function) + "()" : function;
    out += fmt::format("  #{} {}{}\n", i, shown, frames[i].place == "?" || header ? "" : " at " + frames[i].place);
  }
  if (folded < frames.size()) folded = 0;  // below main and the like: nobody asks
  tell();
  return out;
}

}  // namespace

std::string interleaving_text(const Interleaving& interleaving, SourceLines& source, const TextStyle& style) {
  std::string out = Table(interleaving, source, style).text();
  if (!interleaving.critical.empty()) out += interleaving.critical + '\n';
  for (const auto& wait : interleaving.waits) out += wait + '\n';
  for (const auto& [text, place] : interleaving.accesses) out += text + "\n  " + place + "  " + source.at(place) + '\n';
  for (const auto& stack : interleaving.stacks) {
    out += stack.title + ":\n" + stack_text(stack.frames, style.all_frames);
  }
  return out;
}

std::string bug_line(const BugReport& bug) {
  const auto shown = [](const std::string& place) {
    return shown_line(place.ends_with(":0") ? place.substr(0, place.size() - 2) : place);
  };
  std::string line = fmt::format("{}: {}", bug_kind_name(bug.kind), shown_line(bug.message));
  if (bug.location) line += fmt::format(" (thread {} at {}", bug.thread, shown(*bug.location));
  if (bug.location && bug.other_location) line += ", other access at " + shown(*bug.other_location);
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

namespace {

std::string states_text(const Verdict& verdict) {
  const std::uint64_t states = *verdict.states;
  std::string out = count_of(states, "distinct state");
  if (const auto& e = verdict.exploration; e && states && verdict.seconds > 0)
    out +=
        fmt::format(", {:.0f} a second ({:.0f} transitions), {:.0f} bytes each", static_cast<double>(states) / verdict.seconds,
                    static_cast<double>(verdict.transitions) / verdict.seconds,
                    static_cast<double>(e->visited_bytes) / static_cast<double>(states));
  out += '\n';
  const auto& e = verdict.exploration;
  if (e && e->thread_symmetry != "off")
    out += fmt::format("thread symmetry ({}): {} a known state with threads in each other's places\n", e->thread_symmetry,
                       e->moved_threads == 1 ? "once it led to" : fmt::format("{} times it led to", e->moved_threads));
  if (e && e->independence != "none")
    out += fmt::format("independence ({}): {} left out of {}\n", e->independence, count_of(e->left_out, "transition"),
                       count_of(e->reduced_states, "state"));
  return out;
}

}  // namespace

std::string verdict_text(const Verdict& verdict, const std::string& target, bool quiet) {
  std::string out;
  if (!quiet || verdict.reason.find("see assumptions") != std::string::npos)
    for (const auto& assumption : verdict.assumptions) out += "assumption: " + assumption + '\n';
  if (!quiet) {
    if (verdict.limits.nondet) out += fmt::format("inputs without bounds: {}\n", *verdict.limits.nondet);
    if (verdict.abort_ends) out += "a call of abort() ends an execution and is no bug\n";
    out += "memory model: sequential consistency\n";
    for (const auto& note : verdict.notes) out += "note: " + note + '\n';
    if (verdict.bugs.size() > 1) {  // each was shown when it was found
      out += count_of(verdict.bugs.size(), "bug") + ", with the schedules";
      for (const auto& bug : verdict.bugs) out += ' ' + bug.schedule.value_or("(not written)");
      out += '\n';
    }
    if (verdict.estimate && verdict.kind == VerdictKind::inconclusive)
      out += fmt::format("estimate of all complete executions: {}\n", estimate_text(*verdict.estimate));
    if (verdict.sampled) out += sampling_text(verdict);
    out += fmt::format("{} in {:.2f} s, {}, depth {}\n", count_of(verdict.transitions, "transition"), verdict.seconds,
                       count_of(verdict.threads, "thread"), verdict.max_depth);
    if (const auto& s = verdict.symbolic)
      out += fmt::format("{}, {}, {}\n", count_of(s->variables, "variable"), count_of(s->clauses, "clause"),
                         count_of(s->conflicts, "conflict"));
    if (verdict.states) out += states_text(verdict);
    if (const auto& s = verdict.symmetries)
      out += fmt::format("symmetry: {} compared, {} skipped as mirror images; finding out took {:.1f} % of the time\n",
                         count_of(s->checks, "transition"), s->successes,
                         verdict.seconds > 0 ? 100 * s->seconds / verdict.seconds : 0.);
    if (verdict.pruning) out += pruning_text(*verdict.pruning);
  }
  for (const auto& advice : quiet ? std::vector<std::string>{} : advice_for(verdict)) out += "what to do: " + advice + '\n';
  out += verdict_line(verdict, target) + '\n';
  // The symbolic engine runs none but to show a bug.
  if (!verdict.symbolic) out += fmt::format("Number of complete executions explored: {}\n", verdict.executions);
  if (verdict.redundant) out += fmt::format("Number of redundant executions: {}\n", verdict.redundant);
  return out;
}

}  // namespace inspect::report
