// inspect-symbolic: checks a program, given as LLVM bitcode, for all inputs and all schedules, by a SAT solver.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "symbolic/encode/check.hpp"
#include "symbolic/frontend/translate.hpp"
#include "symbolic/system/dump.hpp"
#include "symbolic/system/interpreter.hpp"

namespace {

using namespace inspect;
using namespace inspect::symbolic;

constexpr int kVerified = 0, kBug = 1, kUsage = 2, kInconclusive = 3, kUnsupported = 4;

constexpr const char* kHelp =
    "usage: inspect-symbolic [options] PROGRAM.bc\n"
    "\n"
    "PROGRAM.bc is the whole program, as made by\n"
    "  clang-19 -O1 -Xclang -disable-llvm-passes -ftrivial-auto-var-init=zero -g -emit-llvm -c PROGRAM.c\n"
    "\n"
    "  --por=none|ppor|mpor|lex  scheduler constraint (default lex)\n"
    "  --unwind=N                iterations of a loop beyond the first, and calls of a function within itself (default 8)\n"
    "  --bound=N                 transitions of an execution (default 10000)\n"
    "  --threads=N               threads beside main, at most 31 (default 16)\n"
    "  --time-limit=SECONDS      then inconclusive\n"
    "  --no-races                data races are no bugs\n"
    "  --no-deadlocks            deadlocks are no bugs\n"
    "  --dump-transitions        print the transition system, and stop\n"
    "  --dump-cnf=FILE           write the clauses of the last question\n";

struct Options {
  FrontendOptions frontend;
  CheckOptions check;
  bool dump_transitions = false;
  double time_limit = 0;
  std::string program;
};

bool number(const std::string& text, int least, int most, int& to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc() && end == text.data() + text.size() && to >= least && to <= most;
}

// One option; false if it is none, or its value is not one.
bool take_option(const std::string& argument, Options& options) {
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
  int n = 0;
  if (name == "--por") {
    const auto order = order_of(value);
    if (order) options.check.order = *order;
    return order.has_value();
  }
  if (name == "--unwind" && number(value, 0, 1'000'000, n)) return options.frontend.unwind = n, true;
  if (name == "--bound" && number(value, 0, 1'000'000'000, n)) return options.check.bound = static_cast<std::size_t>(n), true;
  if (name == "--threads" && number(value, 0, 31, n)) return options.frontend.most_threads = n, true;
  if (name == "--time-limit" && number(value, 1, 1'000'000'000, n)) return options.time_limit = n, true;
  if (name == "--dump-cnf" && !value.empty()) return options.check.dump_cnf = value, true;
  if (argument == "--no-races") return options.check.races = options.frontend.wants_races = false, true;
  if (argument == "--no-deadlocks") return options.check.deadlocks = false, true;
  if (argument == "--dump-transitions") return options.dump_transitions = true, true;
  return false;
}

void print_bug(const System& system, const Counterexample& bug) {
  const Interpreter interpreter(system);
  State state = interpreter.start(bug.inputs);
  const auto line = [&](ThreadIndex t, const Transition& transition) {
    std::printf("  %-10s %-20s %s\n", system.threads[t].name.c_str(), transition.what.c_str(), transition.source.c_str());
  };
  for (const ThreadIndex t : bug.schedule) {
    line(t, *interpreter.pending(state, t));
    interpreter.take(state, t);
  }
  for (const auto& t : {bug.thread, bug.kind == PropertyKind::race ? bug.other_thread : std::nullopt})
    if (t && interpreter.pending(state, *t)) line(*t, *interpreter.pending(state, *t));
  std::size_t input = 0;
  for (const Cell& cell : system.cells) {
    if (!cell.is_input) continue;
    const std::uint64_t value = bug.inputs[input++];
    if (!cell.name.starts_with("input ")) continue;
    const std::string place = cell.name.substr(0, cell.name.find('#'));
    std::printf("  %s = %llu\n", place.c_str(), static_cast<unsigned long long>(value));
  }
  std::printf("BUG: %s%s%s%s%s\n", bug.what.c_str(), bug.message.empty() ? "" : ": ", bug.message.c_str(),
              bug.source.empty() ? "" : " at ", bug.source.c_str());
}

int report(const System& system, const CheckResult& result, const Options& options) {
  std::printf("%zu threads, %zu cells, depth %zu, %d variables, %llu clauses, %.2f s\n", system.threads.size(),
              system.cells.size(), result.depth, result.variables, static_cast<unsigned long long>(result.clauses),
              result.seconds);
  switch (result.verdict) {
    case CheckVerdict::bug:
      print_bug(system, *result.counterexample);
      return kBug;
    case CheckVerdict::unsupported:
      std::printf("UNSUPPORTED: %s\n", result.reason.c_str());
      return kUnsupported;
    case CheckVerdict::inconclusive:
      std::printf("INCONCLUSIVE: %s\n", result.reason.c_str());
      return kInconclusive;
    case CheckVerdict::verified:
      break;
  }
  std::printf(
      "VERIFIED: no assertion fails%s%s in any schedule, for all inputs\n"
      "Assumptions: sequential consistency; signed arithmetic wraps; calls of pthread do not fail; no spurious wakes\n",
      options.check.deadlocks ? ", no deadlock" : "", options.check.races ? ", no data race" : "");
  return kVerified;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  options.check.bound = 10000;
  options.check.order = OrderKind::lex;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") return std::fputs(kHelp, stdout), 0;
    const bool is_option = argument.starts_with("-");
    if (is_option ? !take_option(argument, options) : !options.program.empty()) {
      std::fprintf(stderr, "inspect-symbolic: what is %s? (--help)\n", argument.c_str());
      return kUsage;
    }
    if (!is_option) options.program = argument;
  }
  if (options.program.empty()) return std::fputs(kHelp, stderr), kUsage;
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const auto module = llvm::parseIRFile(options.program, diagnostic, context);
  if (!module) {
    std::fprintf(stderr, "inspect-symbolic: %s: %s\n", options.program.c_str(), diagnostic.getMessage().str().c_str());
    return kUsage;
  }
  if (options.time_limit > 0)
    options.check.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(static_cast<int>(options.time_limit));
  options.frontend.deadline = options.check.deadline;
  const auto system = translate(*module, options.frontend);
  if (!system && system.error() == kLate) {
    std::printf("INCONCLUSIVE: %s\n", kLate);
    return kInconclusive;
  }
  if (!system) {
    std::printf("UNSUPPORTED: %s\n", system.error().c_str());
    return kUnsupported;
  }
  if (options.dump_transitions) return std::fputs(to_text(*system).c_str(), stdout), 0;
  return report(*system, check(*system, options.check), options);
}
