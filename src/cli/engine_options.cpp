#include "cli/engine_options.hpp"

#include "cli/console.hpp"
#include "model/inputs.hpp"

namespace inspect::cli {
namespace {

std::optional<unsigned> small(std::optional<std::uint64_t> count) {
  return count ? std::optional(static_cast<unsigned>(*count)) : std::nullopt;
}

}  // namespace

engine::Options engine_options(const CommandLine& line) {
  engine::Options out;
  out.arguments = line.arguments;
  out.algorithm = line.text("algorithm").value_or(out.algorithm);
  out.visible = line.text("visible");
  out.races = line.text("races").value_or(out.races);
  out.suppressions = line.text("suppressions").value_or("");
  out.baseline = line.text("baseline").value_or("");
  out.checkpoint = line.text("checkpoint").value_or("");
  out.resume = line.text("resume").value_or("");
  out.checkpoint_interval = line.seconds("checkpoint-interval");
  out.time_limit = line.seconds("time-limit");
  out.max_executions = line.count("max-executions");
  out.max_states = line.count("max-states");
  out.max_steps = line.count("max-steps");
  out.memory_limit = line.bytes("memory-limit");
  out.checkpoint_memory = line.bytes("checkpoint-memory");
  out.preemptions = small(line.count("preemptions"));
  out.pct_depth = small(line.count("pct-depth"));
  if (const auto list = line.text("nondet"))
    if (auto inputs = parse_inputs(*list)) out.inputs = std::move(*inputs);
  if (line.text("expect-exit") == "any")
    out.expected_exit = std::nullopt;
  else
    out.expected_exit = static_cast<int>(line.count("expect-exit").value_or(0));
  out.seed = line.count("seed").value_or(0);
  out.workers = static_cast<unsigned>(line.count("j").value_or(1));
  out.ltl = line.text("ltl");
  out.weak_fairness = line.text("fairness") == "weak";
  out.heap = line.text("heap").value_or(out.heap);
  out.thread_symmetry = line.text("thread-symmetry").value_or(out.thread_symmetry);
  out.independence = line.text("independence").value_or(out.independence);
  out.visited = line.text("visited").value_or(out.visited);
  out.bound = small(line.count("bound"));
  out.encoding = line.text("encoding").value_or(out.encoding);
  out.por = line.text("por");
  out.dump_cnf = line.text("dump-cnf").value_or("");
  out.dump_transitions = line.flag("dump-transitions");
  out.mpi = line.flag("mpi");
  out.symmetry = line.flag("symmetry");
  out.keep_going = line.flag("keep-going");
  out.spurious_wakeups = line.flag("spurious-wakeups");
  out.abort_ends = line.text("abort") == "end";
  const std::string progress = line.text("progress").value_or("auto");
  out.progress = progress == "on" || (progress == "auto" && !line.flag("quiet"));
  out.all_frames = line.text("frames") == "all";
  out.minimise = line.seconds("minimise").value_or(out.minimise);
  out.wants_pages = line.given("html");
  out.width = Console::width();
  return out;
}

}  // namespace inspect::cli
