// Table 1 of the MPOR paper: one line a row, method and property, for bench/papers/run, which sets the paper's figures beside
// them.
//
//     mpor_bench [--seconds LIMIT] [--step-by-step] [--most PHILOSOPHERS]
//
// Prints: philosophers, property, steps, model, method, answer (sat, unsat, unknown), seconds of CPU, conflicts, decisions,
// variables, clauses.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "philosophers.hpp"
#include "symbolic/encode/check.hpp"

namespace {

using namespace inspect::symbolic;

struct Flags {
  double seconds = 60;
  bool step_by_step = false;
  unsigned most = 7;
};

// By steps under an order, or by events: then none.
struct Row {
  unsigned count;
  std::size_t property;
  LocalSteps local_steps;
  std::optional<OrderKind> order;
};

void run(const Row& row, const Flags& flags) {
  const System system = philosophers(row.count, row.local_steps);
  CheckOptions options;
  options.encoding = row.order ? EncodingKind::step : EncodingKind::event;
  if (row.order) options.order = *row.order;
  options.bound = row.order ? 7 * row.count + 1 : 8;  // by events: of each philosopher
  options.at_once = row.order && !flags.step_by_step;
  options.checks = options.deadlocks = options.races = false;
  options.proposition = row.property;
  options.wants_effort = true;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                            std::chrono::duration<double>(flags.seconds));
  const std::clock_t begin = std::clock();
  const CheckResult r = check(system, options);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const bool ended = r.reason.find("time limit") == std::string::npos;
  const char* const answer = r.verdict == CheckVerdict::bug ? "sat" : ended ? "unsat" : "unknown";
  const auto effort = r.effort.value_or(Solver::Effort{});
  std::printf("row\t%u\t%s\t%zu\t%s\t%s\t%s\t%.3f\t%llu\t%llu\t%d\t%llu\n", row.count, row.property == 0 ? "pa" : "pb",
              options.bound, row.local_steps == LocalSteps::apart ? "apart" : "merged",
              row.order ? word_of(*row.order) : "event", answer, seconds, static_cast<unsigned long long>(effort.conflicts),
              static_cast<unsigned long long>(effort.decisions), r.variables, static_cast<unsigned long long>(r.clauses));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--step-by-step")) flags.step_by_step = true;
    if (i + 1 < argc && !std::strcmp(argv[i], "--seconds")) flags.seconds = std::atof(argv[++i]);
    if (i + 1 < argc && !std::strcmp(argv[i], "--most")) flags.most = static_cast<unsigned>(std::atoi(argv[++i]));
  }
  for (const std::size_t property : {0u, 1u})
    for (unsigned count = 2; count <= flags.most; ++count)
      for (const LocalSteps local_steps : {LocalSteps::apart, LocalSteps::merged})
        for (const std::optional<OrderKind> order :
             {std::optional(OrderKind::none), std::optional(OrderKind::mpor), std::optional(OrderKind::ppor),
              std::optional(OrderKind::lex), std::optional<OrderKind>()})
          run({count, property, local_steps, order}, flags);
  for (const std::size_t property : {0u, 1u})
    for (const unsigned count : {10u, 20u, 30u}) run({count, property, LocalSteps::apart, std::nullopt}, flags);
  return 0;
}
