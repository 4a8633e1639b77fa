#include "distribute/record.hpp"

#include <algorithm>
#include <optional>

#include "search/core/outcome.hpp"

namespace inspect::distribute {

namespace {

void put(Encoder& out, const std::optional<search::CutExecution>& cut) {
  out << cut.has_value();
  if (cut) out << cut->detail << cut->message << cut->site << cut->schedule;
}

void get(Decoder& in, std::optional<search::CutExecution>& cut) {
  bool is_there = false;
  in >> is_there;
  cut.reset();
  if (!is_there || in.failed()) return;
  cut.emplace();
  in >> cut->detail >> cut->message >> cut->site >> cut->schedule;
}

}  // namespace

Encoder& operator<<(Encoder& out, const Record& record) {
  const search::Outcome& o = record.outcome;
  out << o.executions << o.redundant << o.limited << o.transitions << o.max_depth << o.threads << o.exhausted << o.fell_back
      << o.left_out << o.why_not << o.seconds;
  put(out, o.limit);
  put(out, o.unsupported);
  put(out, o.divergence);
  out << static_cast<std::uint64_t>(o.bugs.size());
  for (const search::FoundBug& b : o.bugs)
    out << b.detail << b.message << b.thread << b.other_thread << b.site << b.other_site << b.address << b.status << b.schedule
        << b.executions_before;
  return out << record.notes << record.peak_memory_bytes;
}

Decoder& operator>>(Decoder& in, Record& record) {
  search::Outcome& o = record.outcome;
  in >> o.executions >> o.redundant >> o.limited >> o.transitions >> o.max_depth >> o.threads >> o.exhausted >> o.fell_back >>
      o.left_out >> o.why_not >> o.seconds;
  get(in, o.limit);
  get(in, o.unsupported);
  get(in, o.divergence);
  std::uint64_t bugs = 0;
  in >> bugs;
  o.bugs.clear();
  while (bugs-- && !in.failed()) {
    search::FoundBug& b = o.bugs.emplace_back();
    in >> b.detail >> b.message >> b.thread >> b.other_thread >> b.site >> b.other_site >> b.address >> b.status >>
        b.schedule >> b.executions_before;
  }
  return in >> record.notes >> record.peak_memory_bytes;
}

void add_outcome(search::Outcome& to, search::Outcome&& other) {
  to.executions += other.executions;
  to.redundant += other.redundant;
  to.limited += other.limited;
  to.transitions += other.transitions;
  to.max_depth = std::max(to.max_depth, other.max_depth);
  to.threads = std::max(to.threads, other.threads);
  to.fell_back |= other.fell_back;
  for (std::string& what : other.left_out) search::leave_out(to, std::move(what));
  if (to.why_not.empty()) to.why_not = std::move(other.why_not);
  if (!to.limit) to.limit = std::move(other.limit);
  if (!to.unsupported) to.unsupported = std::move(other.unsupported);
  if (!to.divergence) to.divergence = std::move(other.divergence);
  for (search::FoundBug& bug : other.bugs)
    if (std::ranges::none_of(to.bugs, [&](const search::FoundBug& b) { return search::same_bug(b, bug); }))
      to.bugs.push_back(std::move(bug));
}

void Record::add(Record&& other) {
  add_outcome(outcome, std::move(other.outcome));
  for (std::string& text : other.notes)
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(std::move(text));
  peak_memory_bytes = std::max(peak_memory_bytes, other.peak_memory_bytes);
}

}  // namespace inspect::distribute
