// inspect-symbolic: checks a program, given as an executable that holds its code or as LLVM bitcode, for all inputs and all
// schedules, by a SAT solver.
#include <llvm/IR/LLVMContext.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "symbolic/answer.hpp"
#include "symbolic/encode/check.hpp"
#include "symbolic/frontend/executable.hpp"
#include "symbolic/frontend/translate.hpp"
#include "symbolic/mutation.hpp"
#include "symbolic/system/dump.hpp"
#include "symbolic/system/interpreter.hpp"

namespace {

using namespace inspect;
using namespace inspect::symbolic;
using Clock = std::chrono::steady_clock;

constexpr int kVerified = 0, kBug = 1, kUsage = 2, kInconclusive = 3, kUnsupported = 4;
constexpr int kFirstUnwind = 2, kLastUnwind = 1 << 16;
constexpr auto kUnrollingTime = std::chrono::seconds(60);  // without a time limit no loop is unrolled further after that

constexpr const char* kHelp =
    "usage: inspect-symbolic [options] PROGRAM\n"
    "\n"
    "PROGRAM is an executable built with inspect-cc --inspect-bitcode, or the whole program as bitcode:\n"
    "  clang-19 -O1 -Xclang -disable-llvm-passes -ftrivial-auto-var-init=zero -g -emit-llvm -c PROGRAM.c\n"
    "\n"
    "  --por=none|ppor|mpor|lex  scheduler constraint (default lex)\n"
    "  --encoding=auto|step|event\n"
    "                            executions step by step, or by what is ordered before what (default auto)\n"
    "  --unwind=N                iterations of a loop beyond the first, and calls of a function within itself (default 8)\n"
    "  --grow                    unrolls more and more, up to the time limit or for a minute\n"
    "  --bound=N                 transitions of an execution (default 10000)\n"
    "  --threads=N               threads beside main, at most 31 (default 16)\n"
    "  --time-limit=SECONDS      then inconclusive\n"
    "  --memory-limit=BYTES      then inconclusive\n"
    "  --no-races                data races are no bugs\n"
    "  --no-deadlocks            deadlocks are no bugs\n"
    "  --zero-uninitialised      what nobody has initialised holds zero, not anything\n"
    "  --reach=NAME,...          only a state is looked for in which all these hold, as inspect_proposition() said last\n"
    "  --at-once                 by steps: one question for all numbers of transitions up to the bound\n"
    "  --effort                  the solver's conflicts and decisions, too\n"
    "  --dump-transitions        print the transition system, and stop\n"
    "  --dump-cnf=FILE           write the clauses of the last question\n"
    "  --answers                 progress and the answer in lines for another program\n";

struct Options {
  FrontendOptions frontend;
  CheckOptions check;
  bool zero_uninitialised = false;
  bool dump_transitions = false, grows = false, answers = false;
  double time_limit = 0;
  std::uint64_t memory_limit = 0;
  std::string program;
};

template <class Number>
bool number(const std::string& text, Number least, Number most, Number& to) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
  return error == std::errc() && end == text.data() + text.size() && to >= least && to <= most;
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  std::istringstream in(list);
  for (std::string name; std::getline(in, name, ',');) names.push_back(name);
  return names;
}

// Nothing but a state in which these propositions hold.
void look_for(std::vector<std::string> propositions, Options& options) {
  options.frontend.propositions = std::move(propositions);
  options.check.proposition = 0;
  options.check.checks = options.check.deadlocks = options.check.races = options.frontend.wants_races = false;
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
  if (name == "--encoding") {
    const auto kind = encoding_of(value);
    if (kind) options.check.encoding = *kind;
    return kind.has_value();
  }
  if (name == "--unwind" && number(value, 0, 1'000'000, n)) return options.frontend.unwind = n, true;
  if (name == "--bound" && number(value, 0, 1'000'000'000, n)) return options.check.bound = static_cast<std::size_t>(n), true;
  if (name == "--threads" && number(value, 0, 31, n)) return options.frontend.most_threads = n, true;
  if (name == "--time-limit") return number(value, 0.001, 1e9, options.time_limit);
  if (name == "--memory-limit") return number(value, std::uint64_t{1}, ~std::uint64_t{0}, options.memory_limit);
  if (name == "--dump-cnf" && !value.empty()) return options.check.dump_cnf = value, true;
  if (name == "--reach" && !value.empty()) return look_for(names_in(value), options), true;
  if (argument == "--at-once") return options.check.at_once = true, true;
  if (argument == "--effort") return options.check.wants_effort = true, true;
  if (argument == "--no-races") return options.check.races = options.frontend.wants_races = false, true;
  if (argument == "--no-deadlocks") return options.check.deadlocks = false, true;
  if (argument == "--zero-uninitialised") return options.zero_uninitialised = true, true;
  if (argument == "--dump-transitions") return options.dump_transitions = true, true;
  if (argument == "--grow") return options.grows = true, true;
  if (argument == "--answers") return options.answers = true, true;
  return false;
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void print_bug(const SymbolicAnswer& answer) {
  for (const SymbolicStep& s : answer.steps)
    std::printf("  %-10s %-20s %s\n", s.thread.c_str(), s.what.c_str(), s.source.c_str());
  for (const SymbolicInput& i : answer.inputs)
    std::printf("  input %s%s%s = %llu\n", i.name.c_str(), i.name.empty() ? "" : " at ", i.source.c_str(),
                static_cast<unsigned long long>(i.value));
  for (const std::string& u : answer.uninitialised) std::printf("  not initialised, and not zero: %s\n", u.c_str());
  const SymbolicBug& bug = *answer.bug;
  std::printf("BUG: %s%s%s%s%s\n", bug.kind.c_str(), bug.message.empty() ? "" : ": ", bug.message.c_str(),
              bug.source.empty() ? "" : " at ", bug.source.c_str());
}

std::string properties(const Options& options) {
  if (!options.frontend.propositions.empty()) return "never do the propositions hold together, before anything goes wrong,";
  return std::string("no assertion fails") + (options.check.deadlocks ? ", no deadlock" : "") +
         (options.check.races ? ", no data race" : "");
}

// What the answer says to people, or to the program that asks; the exit status.
int finish(SymbolicAnswer answer, const Options& options) {
  if (options.answers) {
    print(answer_lines(answer));
    return answer.verdict == "verified"      ? kVerified
           : answer.verdict == "bug"         ? kBug
           : answer.verdict == "unsupported" ? kUnsupported
                                             : kInconclusive;
  }
  const SymbolicFigures& f = answer.figures;
  std::printf("%llu threads, %llu cells, depth %llu, %llu variables, %llu clauses, %.2f s\n",
              static_cast<unsigned long long>(f.threads), static_cast<unsigned long long>(f.cells),
              static_cast<unsigned long long>(f.depth), static_cast<unsigned long long>(f.variables),
              static_cast<unsigned long long>(f.clauses), f.seconds);
  if (answer.verdict == "bug") return print_bug(answer), kBug;
  if (answer.verdict == "unsupported") return print("UNSUPPORTED: " + answer.reason + "\n"), kUnsupported;
  if (answer.verdict == "inconclusive") return print("INCONCLUSIVE: " + answer.reason + "\n"), kInconclusive;
  print("VERIFIED: " + properties(options) + " in any schedule, for all inputs\nAssumptions: ");
  for (std::size_t i = 0; i < answer.assumptions.size(); ++i) print((i ? "; " : "") + answer.assumptions[i]);
  print("\n");
  return kVerified;
}

int finish_early(const char* verdict, const std::string& reason, const Options& options) {
  SymbolicAnswer answer;
  answer.verdict = verdict;
  answer.reason = reason;
  answer.figures.bound = static_cast<std::uint64_t>(options.frontend.unwind);
  return finish(std::move(answer), options);
}

const Options* running = nullptr;  // for the handler below, which has no other way to know

[[noreturn]] void no_memory() {
  std::set_new_handler(nullptr);
  rlimit limit{};  // what is left to say needs some
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_AS, &limit);
  _exit(finish_early("inconclusive", "memory limit reached", *running));
}

// The program unrolled so far, checked. Nothing: there was but to print it.
std::optional<SymbolicAnswer> check_once(llvm::Module& module, Options& options, CheckResult& result) {
  auto system = translate(module, options.frontend);
  if (!system) {
    result = {};
    SymbolicAnswer answer;
    answer.verdict = system.error() == kLate ? "inconclusive" : "unsupported";
    answer.reason = system.error();
    answer.figures.bound = static_cast<std::uint64_t>(options.frontend.unwind);
    return answer;
  }
  if (options.zero_uninitialised)
    for (Cell& cell : system->cells)
      if (!cell.uninitialised.empty()) cell.is_input = false;
  if (options.dump_transitions) {
    print(options.answers ? dump_lines(to_text(*system)) : to_text(*system));
    options.dump_transitions = false;
    if (!options.answers) return std::nullopt;
  }
  if (options.answers)
    options.check.on_progress = [&](const CheckResult& now) {
      print(progress_line({static_cast<std::uint64_t>(options.frontend.unwind), now.depth, system->threads.size(),
                           system->cells.size(), static_cast<std::uint64_t>(now.variables), now.clauses, now.conflicts,
                           now.seconds}));
    };
  result = check(*system, options.check);
  if (result.effort)
    std::printf("effort: %llu conflicts, %llu decisions, %.3f s of processor time\n",
                static_cast<unsigned long long>(result.effort->conflicts),
                static_cast<unsigned long long>(result.effort->decisions), static_cast<double>(std::clock()) / CLOCKS_PER_SEC);
  SymbolicAnswer answer = answer_of(*system, result, options.frontend.unwind);
  answer.assumptions = {"sequential consistency", "signed arithmetic wraps", "calls of pthread do not fail",
                        "no spurious wakes"};
  if (system->uses_heap) {
    answer.assumptions.push_back("malloc does not fail");
    answer.assumptions.push_back("freed addresses are not reused");
  }
  return answer;
}

int run(llvm::Module& module, Options& options) {
  const auto began = Clock::now();
  const auto may_grow = [&](const CheckResult& result) {
    if (!options.grows || result.verdict != CheckVerdict::inconclusive || !result.was_cut) return false;
    return options.frontend.unwind < kLastUnwind &&
           (options.check.deadline ? Clock::now() < *options.check.deadline : Clock::now() < began + kUnrollingTime);
  };
  if (options.grows) options.frontend.unwind = kFirstUnwind;
  std::optional<SymbolicAnswer> last;  // of a round that came to its end
  for (;;) {
    CheckResult result;
    auto answer = check_once(module, options, result);
    if (!answer) return 0;
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    answer->figures.seconds = seconds;
    // A round that did not come far says less than the one before.
    if (last && result.verdict == CheckVerdict::inconclusive && !result.was_cut) {
      last->reason += "; unrolling more: " + answer->reason;
      last->figures.seconds = seconds;
      return finish(*std::move(last), options);
    }
    if (!may_grow(result)) return finish(*std::move(answer), options);
    last = std::move(answer);
    options.frontend.unwind *= 2;
  }
}

}  // namespace

int main(int argc, char** argv) {
#ifdef INSPECT_MUTANTS
  const char* const mutant = std::getenv("INSPECT_MUTANT");
  if (mutant && !choose_mutation(mutant)) return std::fprintf(stderr, "there is no mutation %s\n", mutant), kUsage;
#endif
  Options options;
  options.check.bound = 10000;
  options.check.order = OrderKind::lex;
  options.check.encoding = EncodingKind::automatic;
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
  if (options.answers) prctl(PR_SET_PDEATHSIG, SIGKILL);
  running = &options;
  if (options.memory_limit > 0) {
    const rlimit limit{options.memory_limit, RLIM_INFINITY};
    setrlimit(RLIMIT_AS, &limit);
    std::set_new_handler(no_memory);
  }
  if (options.time_limit > 0)
    options.check.deadline = Clock::now() + std::chrono::microseconds(static_cast<std::int64_t>(options.time_limit * 1e6));
  options.frontend.deadline = options.check.deadline;
  llvm::LLVMContext context;
  LoadFailure failure;
  const auto module = load_program(options.program, context, failure);
  if (!module && failure.is_unsupported) return finish_early("unsupported", failure.message, options);
  if (!module) {
    std::fprintf(stderr, "inspect-symbolic: %s\n", failure.message.c_str());
    return kUsage;
  }
  return run(*module, options);
}
