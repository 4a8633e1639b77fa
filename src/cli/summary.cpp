#include "cli/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/inputs.hpp"
#include "distribute/codec.hpp"
#include "search/cut/cut.hpp"
#include "search/reduction/reduction.hpp"
#include "search/sample/sample.hpp"

namespace inspect::cli {
namespace {

constexpr std::uint64_t kDefaultMaxSteps = 1'000'000;
// Turns of loops without a visible operation after which the runtime looks whether a loop waits for a plain variable (SEMANTICS
// F.3).
constexpr std::uint64_t kLoopBudget = 50'000;
constexpr std::uint32_t kHangSeconds = 10;

std::string with_place(const std::string& message, std::uint32_t site, const report::Names& names) {
  const report::Site place = names.site(site);
  if (place.file.empty() || message.find(place.place()) != std::string::npos) return message;
  return fmt::format("{} at {}", message, place.location());
}

// A stateful search finds races by the states in which both accesses are next (SEMANTICS C.5), so they must be scheduling
// points.
std::string visible_of(const CommandLine& line) { return line.text("visible").value_or(needs_states(line) ? "all" : "sync"); }

// What a stateful search does not cover: two histories that lead to one state may differ in who has synchronised with whom.
void add_state_limits(Verdict& verdict) {
  if (verdict.visible == "all") {
    verdict.assumptions.emplace_back(
        "states are told apart by 128-bit hashes; of data races those are covered in which both accesses can come next at "
        "once");
    return;
  }
  verdict.races_checked = false;
  verdict.assumptions.emplace_back(
      "states are told apart by 128-bit hashes; the program has no data race (with --visible=sync a stateful search covers "
      "none)");
}

std::string count_of_pairs(std::size_t n) { return fmt::format("{} pair{}", n, n == 1 ? "" : "s"); }

bool same_places(const search::FoundBug& a, const search::FoundBug& b) {
  return std::minmax(a.site, a.other_site) == std::minmax(b.site, b.other_site);
}

void add_pruning(Verdict& verdict, const search::Pruning& pruning) {
  Pruning& p = verdict.pruning.emplace();
  p.checks = pruning.checks;
  p.successes = pruning.successes;
  p.limits.assign(pruning.limits.begin(), pruning.limits.end());
  std::ranges::sort(p.limits, std::greater<>(), &std::pair<std::string, std::uint64_t>::second);
  if (p.successes) verdict.assumptions.emplace_back("accesses stay inside the objects that their addresses were computed from");
}

bool needs(const CommandLine& line, search::CutNeeds what) {
  const search::ReductionInfo* const reduction = search::find_reduction(line.text("algorithm").value_or("auto"));
  return reduction && search::needs_of(*reduction) == what;
}

}  // namespace

bool needs_states(const CommandLine& line) { return needs(line, search::CutNeeds::states) || line.flag("symmetry"); }

bool races_go_on(const CommandLine& line) {
  return line.text("races").value_or("stop") != "stop" || line.given("suppressions") || line.given("baseline");
}

bool needs_code(const CommandLine& line) { return needs(line, search::CutNeeds::code); }

Verdict verdict_frame(const CommandLine& line) {
  Verdict verdict;
  const std::string algorithm = line.text("algorithm").value_or("auto");
  const bool bounded = line.given("preemptions");
  const auto* reduction = search::find_reduction(algorithm, {.symmetry = line.flag("symmetry"), .bound = bounded});
  const auto* sampler = search::find_sampler(algorithm);
  verdict.algorithm = sampler ? sampler->name : reduction ? reduction->name : "none";
  if (reduction && !reduction->property.empty()) verdict.property = std::string(reduction->property);
  verdict.visible = visible_of(line);
  verdict.races = line.text("races").value_or("stop");
  verdict.limits.max_executions = line.count("max-executions");
  verdict.limits.time_limit = line.seconds("time-limit");
  verdict.limits.memory_limit = line.bytes("memory-limit");
  if (sampler && !verdict.limits.max_executions && !verdict.limits.time_limit)
    verdict.limits.max_executions = search::kDefaultSamples;
  if (bounded) verdict.limits.preemptions = static_cast<unsigned>(*line.count("preemptions"));
  const inspect_configuration configuration = configuration_of(line);
  verdict.limits.max_steps = configuration.max_steps;
  if (configuration.input_range_count)
    verdict.limits.nondet = format_inputs({configuration.inputs, configuration.input_range_count});
  verdict.abort_ends = configuration.abort_ends;
  verdict.seed = line.count("seed").value_or(0);
  return verdict;
}

RuntimeNotes notes_of(const inspect_channel& channel) {
  RuntimeNotes notes;
  notes.clock_read = channel.clock_read != 0;
  notes.uncovered_calls = channel.uncovered_calls != 0;
  notes.unsafe_handlers = channel.unsafe_handlers != 0;
  notes.values_left_out = channel.values_left_out != 0;
  notes.spurious_wakeups = channel.configuration.spurious_wakeups;
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
  spurious_wakeups |= other.spurious_wakeups;
  weak_atomics = std::max(weak_atomics, other.weak_atomics);  // places in the program, seen by each process
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
  b.kind = INSPECT_BUG_DATA_RACE;
  in >> b.thread >> b.other_thread >> b.site >> b.other_site >> b.address >> b.schedule >> b.executions_before >> race.points;
}

}  // namespace

std::string encode_notes(const RuntimeNotes& notes) {
  distribute::Encoder out;
  out << notes.clock_read << notes.uncovered_calls << notes.unsafe_handlers << notes.values_left_out << notes.spurious_wakeups
      << notes.weak_atomics << notes.texts << notes.races_left_out << static_cast<std::uint64_t>(notes.races.size());
  for (const process::NotedRace& race : notes.races) put(out, race);
  return out.take();
}

namespace {

// False: they cannot be read to their end.
bool read_notes(const std::string& text, RuntimeNotes& notes) {
  distribute::Decoder in(text);
  in >> notes.clock_read >> notes.uncovered_calls >> notes.unsafe_handlers >> notes.values_left_out >> notes.spurious_wakeups >>
      notes.weak_atomics >> notes.texts >> notes.races_left_out;
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
                    !notes.texts.empty();  // the texts name which
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
  // In whatever schedule, loops wait until the execution is cut, and each cut relies on another execution: there must be one.
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
  out.push_back(
      fmt::format("allowed by the standards but not explored: spurious failure of compare_exchange_weak and trylock, {}"
                  "failure of pthread_create and malloc",
                  notes.spurious_wakeups ? "" : "spurious wake-ups, "));
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
  verdict.executions = outcome.executions;
  verdict.redundant_executions = outcome.redundant;
  verdict.transitions = outcome.transitions;
  verdict.threads = outcome.threads;
  verdict.max_depth = outcome.max_depth;
  verdict.seconds = outcome.seconds;
  if (const auto& e = outcome.estimate) verdict.estimated = EstimatedExecutions{e->executions, e->low, e->high};
  if (outcome.sampled) {
    const search::Sampled& s = *outcome.sampled;
    verdict.sampling = Sampling{s.classes, s.more_classes, s.pct_depth, s.pct_bound};
  }
  verdict.weak_atomics = notes.weak_atomics;
  verdict.assumptions = assumptions_of(notes);
  verdict.states = outcome.states;
  verdict.symmetry = outcome.symmetries.has_value();
  if (outcome.symmetries)
    verdict.symmetries = Symmetries{outcome.symmetries->checks, outcome.symmetries->successes, outcome.symmetries->seconds};
  if (outcome.states || outcome.symmetries) add_state_limits(verdict);
  if (outcome.pruning) add_pruning(verdict, *outcome.pruning);
}

inspect_configuration configuration_of(const CommandLine& line) {
  inspect_configuration configuration{};
  configuration.visible_all = visible_of(line) == "all";
  configuration.races_go_on = races_go_on(line);
  configuration.spurious_wakeups = line.flag("spurious-wakeups");
  configuration.expect_any_exit = line.text("expect-exit") == "any";
  configuration.expected_exit = static_cast<std::int32_t>(line.count("expect-exit").value_or(0));
  configuration.abort_ends = line.text("abort") == "end";
  if (const auto inputs = parse_inputs(line.text("nondet").value_or("")); line.given("nondet") && inputs) {
    configuration.input_range_count = static_cast<std::uint32_t>(inputs->size());
    std::ranges::copy(*inputs, configuration.inputs);
  }
  configuration.max_steps = line.count("max-steps").value_or(kDefaultMaxSteps);
  configuration.loop_budget = kLoopBudget;
  configuration.hang_seconds = kHangSeconds;
  configuration.seed = line.count("seed").value_or(0);
  return configuration;
}

std::vector<std::string> recorded_options(const inspect_configuration& configuration) {
  std::vector<std::string> options{fmt::format("--visible={}", configuration.visible_all ? "all" : "sync")};
  if (configuration.races_go_on) options.emplace_back("--races=report");
  if (configuration.spurious_wakeups) options.emplace_back("--spurious-wakeups");
  options.push_back(configuration.expect_any_exit ? "--expect-exit=any"
                                                  : fmt::format("--expect-exit={}", configuration.expected_exit));
  if (configuration.abort_ends) options.emplace_back("--abort=end");
  if (configuration.input_range_count)
    options.push_back("--nondet=" + format_inputs({configuration.inputs, configuration.input_range_count}));
  options.push_back(fmt::format("--max-steps={}", configuration.max_steps));
  options.push_back(fmt::format("--seed={}", configuration.seed));
  return options;
}

}  // namespace inspect::cli
