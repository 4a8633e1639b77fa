#include "native/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distribute/codec.hpp"
#include "search/reduction/reduction.hpp"

namespace inspect::native {
namespace {

std::string with_place(const std::string& message, std::uint32_t site, const report::Names& names) {
  const report::Site place = names.site(site);
  if (place.file.empty() || message.find(place.place()) != std::string::npos) return message;
  return fmt::format("{} at {}", message, place.location());
}

// What a stateful search does not cover: two histories that lead to one state may differ in who has synchronised with whom.
void add_state_limits(Verdict& verdict, bool exact) {
  // What remains to be run of a function is known by a hash that the compiler made.
  const std::string apart =
      exact ? "places in the code are told apart by 128-bit hashes; " : "states are told apart by 128-bit hashes; ";
  if (verdict.visible == "all") {
    verdict.assumptions.push_back(apart + "of data races those are covered in which both accesses can come next at once");
    return;
  }
  verdict.races_checked = false;
  verdict.assumptions.push_back(apart + "the program has no data race (with --visible=sync a stateful search covers none)");
}

std::string count_of_pairs(std::size_t n) { return fmt::format("{} pair{}", n, n == 1 ? "" : "s"); }

bool same_places(const search::FoundBug& a, const search::FoundBug& b) {
  return std::minmax(a.site, a.other_site) == std::minmax(b.site, b.other_site);
}

}  // namespace

RuntimeNotes notes_of(const inspect_channel& channel) {
  RuntimeNotes notes;
  notes.clock_read = channel.clock_read != 0;
  notes.uncovered_calls = channel.uncovered_calls != 0;
  notes.unsafe_handlers = channel.unsafe_handlers != 0;
  notes.values_left_out = channel.values_left_out != 0;
  notes.weak_atomics = channel.weak_atomics;
  notes.races_left_out = channel.races_left_out != 0;
  for (std::uint32_t i = 0; i < channel.assumption_count && i < INSPECT_MAX_ASSUMPTIONS; ++i)
    notes.texts.emplace_back(channel.assumptions[i], strnlen(channel.assumptions[i], INSPECT_ASSUMPTION_BYTES));
  return notes;
}

void RuntimeNotes::add(RuntimeNotes&& other) {
  clock_read |= other.clock_read;
  uncovered_calls |= other.uncovered_calls;
  unsafe_handlers |= other.unsafe_handlers;
  values_left_out |= other.values_left_out;
  weak_atomics = std::max(weak_atomics, other.weak_atomics);  // a number of places in the program, which each process sees
  for (std::string& text : other.texts)
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  races_left_out |= other.races_left_out;
  for (process::NotedRace& race : other.races)
    if (std::ranges::none_of(races, [&](const auto& r) { return same_places(r.bug, race.bug); }))
      races.push_back(std::move(race));
}

namespace {

void put(distribute::Encoder& out, const process::NotedRace& race) {
  const search::FoundBug& b = race.bug;
  out << b.thread << b.other_thread << b.site << b.other_site << b.address << b.schedule << b.executions_before << race.points;
}

void get(distribute::Decoder& in, process::NotedRace& race) {
  search::FoundBug& b = race.bug;
  b.detail = INSPECT_BUG_DATA_RACE;
  in >> b.thread >> b.other_thread >> b.site >> b.other_site >> b.address >> b.schedule >> b.executions_before >> race.points;
}

}  // namespace

std::string encode_notes(const RuntimeNotes& notes) {
  distribute::Encoder out;
  out << notes.clock_read << notes.uncovered_calls << notes.unsafe_handlers << notes.values_left_out << notes.weak_atomics
      << notes.texts << notes.races_left_out << static_cast<std::uint64_t>(notes.races.size());
  for (const process::NotedRace& race : notes.races) put(out, race);
  return out.take();
}

namespace {

// False: they cannot be read to their end.
bool read_notes(const std::string& text, RuntimeNotes& notes) {
  distribute::Decoder in(text);
  in >> notes.clock_read >> notes.uncovered_calls >> notes.unsafe_handlers >> notes.values_left_out >> notes.weak_atomics >>
      notes.texts >> notes.races_left_out;
  std::uint64_t races = 0;
  in >> races;
  while (races-- && !in.failed()) get(in, notes.races.emplace_back());
  return !in.failed() && in.empty();
}

}  // namespace

RuntimeNotes decode_notes(const std::string& text) {
  RuntimeNotes notes;
  notes.uncovered_calls |= !read_notes(text, notes);
  return notes;
}

bool are_notes(const std::string& text) {
  RuntimeNotes notes;
  if (!read_notes(text, notes) || notes.texts.size() > INSPECT_MAX_ASSUMPTIONS || notes.races.size() > INSPECT_MAX_RACES)
    return false;
  const auto is_race = [](const process::NotedRace& race) {
    const search::FoundBug& b = race.bug;
    return b.thread < kMaxThreads && b.other_thread < kMaxThreads &&
           std::ranges::all_of(b.schedule, [](Choice c) { return c.thread < kMaxThreads; });
  };
  const bool told = !(notes.uncovered_calls || notes.unsafe_handlers || notes.values_left_out) ||
                    !notes.texts.empty();  // the texts say which
  return told && encode_notes(notes) == text && std::ranges::all_of(notes.races, is_race);
}

Findings findings_of(const search::Outcome& outcome, const RuntimeNotes& notes, const report::Names& names) {
  Findings findings;
  findings.bug = !outcome.bugs.empty();
  const auto text = [&](const search::CutExecution& cut) { return with_place(cut.message, cut.site, names); };
  if (outcome.divergence) findings.unsupported.push_back("uncontrolled nondeterminism: " + text(*outcome.divergence));
  if (outcome.unsupported) findings.unsupported.push_back(text(*outcome.unsupported));
  if (outcome.limit) findings.left_out.push_back(text(*outcome.limit));
  const bool told = outcome.limit && outcome.why_not == outcome.limit->message;
  if (!outcome.exhausted && !told)
    findings.left_out.push_back(outcome.why_not.empty() ? "the search did not end" : outcome.why_not);
  // A cut in a waiting loop relies on another execution that goes on. If none came to its end, none may have.
  if (outcome.exhausted && !outcome.executions && outcome.redundant && !findings.bug)
    findings.left_out.emplace_back("no execution came to its end: each was cut in a loop that waits");
  if (notes.uncovered_calls)
    findings.left_out.emplace_back(
        "code that is not instrumented ran while several threads existed, or memory is used in ways that are not followed (see "
        "assumptions)");
  if (notes.unsafe_handlers)
    findings.left_out.emplace_back(
        "a signal's handler that interrupts a thread does what is not explored wherever it may run (see assumptions)");
  if (notes.races_left_out && !notes.races_ignored)
    findings.left_out.push_back(
        fmt::format("more than {} pairs of places have data races: others were not looked at", int{INSPECT_MAX_RACES}));
  if (notes.values_left_out) findings.left_out.emplace_back("an input has more values than are explored (see assumptions)");
  return findings;
}

std::vector<std::string> assumptions_of(const RuntimeNotes& notes) {
  std::vector<std::string> out{"freed addresses are not reused"};
  out.emplace_back(
      "allowed by the standards but not explored: spurious failure of compare_exchange_weak and trylock, failure of "
      "pthread_create and malloc");
  if (notes.clock_read) out.emplace_back("the program reads the clock: time passes only by its sleeps and time-outs");
  if (notes.weak_atomics)
    out.push_back(fmt::format("{} atomic operation{} weaker than seq_cst treated as seq_cst", notes.weak_atomics,
                              notes.weak_atomics == 1 ? "" : "s"));
  if (notes.races_ignored && !notes.races.empty())
    out.push_back(
        fmt::format("data races are taken for ordinary accesses, each a single step, copies of several words too: {} of places "
                    "ha{} one; of what the compiler may join, repeated accesses "
                    "without volatile in one block of code, the first stands for all",
                    count_of_pairs(notes.races.size()), notes.races.size() == 1 ? "s" : "ve"));
  out.insert(out.end(), notes.texts.begin(), notes.texts.end());
  return out;
}

void add_measurements(Verdict& verdict, const search::Outcome& outcome, const RuntimeNotes& notes) {
  if (outcome.fell_back) verdict.algorithm = search::find_reduction("auto")->name;
  static_cast<Measurements&>(verdict) = outcome;
  verdict.weak_atomics = notes.weak_atomics;
  verdict.assumptions = assumptions_of(notes);
  if (outcome.states || outcome.symmetries)
    add_state_limits(verdict, verdict.exploration && verdict.exploration->visited == "exact");
  if (outcome.pruning && outcome.pruning->successes)
    verdict.assumptions.emplace_back("accesses stay inside the objects that their addresses were computed from");
}

}  // namespace inspect::native
