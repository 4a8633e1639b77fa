#include "cli/summary.hpp"

#include <fmt/format.h>

#include "search/reduction.hpp"

namespace inspect::cli {
namespace {

std::string with_place(const std::string& message, std::uint32_t site, const Session& session) {
  const report::Site place = session.names->site(site);
  if (place.file.empty() || message.find(place.place()) != std::string::npos) return message;
  return fmt::format("{} at {}", message, place.location());
}

}  // namespace

Verdict verdict_frame(const CommandLine& line) {
  Verdict verdict;
  const auto* reduction = search::find_reduction(line.text("algorithm").value_or("auto"));
  verdict.algorithm = reduction ? std::string(reduction->name) : "none";
  verdict.visible = line.text("visible").value_or("sync");
  verdict.limits.max_executions = line.count("max-executions");
  verdict.limits.time_limit = line.seconds("time-limit");
  verdict.limits.max_steps = configuration_of(line).max_steps;
  verdict.seed = line.count("seed").value_or(0);
  return verdict;
}

Findings findings_of(const search::Outcome& outcome, const Session& session) {
  Findings findings;
  findings.bug = !outcome.bugs.empty();
  if (outcome.divergence)
    findings.unsupported.push_back("uncontrolled nondeterminism: " + with_place(outcome.divergence->message, outcome.divergence->site, session));
  if (outcome.unsupported) findings.unsupported.push_back(with_place(outcome.unsupported->message, outcome.unsupported->site, session));
  if (outcome.limit) findings.left_out.push_back(with_place(outcome.limit->message, outcome.limit->site, session));
  const bool told = outcome.limit && outcome.why_not == outcome.limit->message;
  if (!outcome.exhausted && !told) findings.left_out.push_back(outcome.why_not.empty() ? "the search did not end" : outcome.why_not);
  if (session.channel().uncovered_calls)
    findings.left_out.push_back("code that is not instrumented was called while several threads existed (see assumptions)");
  return findings;
}

std::vector<std::string> assumptions_of(const Session& session) {
  const inspect_channel& channel = session.channel();
  std::vector<std::string> out{"freed addresses are not reused"};
  out.push_back(fmt::format("allowed by the standards but not explored: spurious failure of compare_exchange_weak and trylock, {}"
                            "failure of pthread_create and malloc",
                            session.configuration.spurious_wakeups ? "" : "spurious wake-ups, "));
  if (channel.clock_read) out.emplace_back("the program reads the clock: time passes only by its sleeps and time-outs");
  if (channel.weak_atomics)
    out.push_back(fmt::format("{} atomic operations weaker than seq_cst are treated as seq_cst", channel.weak_atomics));
  for (std::uint32_t i = 0; i < channel.assumption_count && i < INSPECT_MAX_ASSUMPTIONS; ++i) out.emplace_back(channel.assumptions[i]);
  return out;
}

void add_measurements(Verdict& verdict, const search::Outcome& outcome, const Session& session) {
  verdict.executions = outcome.executions;
  verdict.redundant_executions = outcome.redundant;
  verdict.transitions = outcome.transitions;
  verdict.threads = outcome.threads;
  verdict.max_depth = outcome.max_depth;
  verdict.seconds = outcome.seconds;
  verdict.peak_memory_bytes = session.program->executor().peak_memory_bytes();
  verdict.weak_atomics = session.channel().weak_atomics;
  verdict.assumptions = assumptions_of(session);
}

}  // namespace inspect::cli
