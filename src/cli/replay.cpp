// inspect replay: the recorded program found again, for native/replay.hpp.
#include <fmt/format.h>

#include <filesystem>

#include "base/files.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/drawings.hpp"
#include "cli/engine_options.hpp"
#include "compile/build.hpp"
#include "compile/compiler_flags.hpp"
#include "engine/engines.hpp"
#include "native/configuration.hpp"
#include "native/replay.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace inspect::cli {
namespace {

namespace fs = std::filesystem;

Error in_file(const std::string& path, const std::string& message) { return {path + ": " + message}; }

// The first of the files that is not below the folder; empty: all are.
std::string missing_below(const std::vector<std::string>& files, const fs::path& base) {
  std::error_code ignored;
  for (const auto& file : files)
    if (!fs::exists(base / file, ignored)) return file;
  return {};
}

// The folder below which all recorded files are: the working directory, else that of the schedule file.
Result<std::string> base_of(const std::vector<std::string>& files, const std::string& path) {
  const std::string missing = missing_below(files, {});
  if (missing.empty()) return std::string();
  const fs::path beside = fs::path(path).parent_path();
  if (missing_below(files, beside).empty()) return beside.string();
  return in_file(path,
                 fmt::format("recorded from {}, which is neither in this folder nor beside the file: replay it in the folder "
                             "where it was recorded, or give the executable with --program",
                             missing));
}

Result<compile::Target> recorded_target(const CommandLine& line, const ScheduleFile& file, const std::string& path) {
  auto target = [&]() -> Result<compile::Target> {
    if (const auto program = line.text("program")) return compile::make_target({*program}, {}, true);
    const auto base = base_of(file.sources.empty() ? std::vector{file.program} : file.sources, path);
    if (!base) return base.failure();
    if (file.sources.empty()) return compile::make_target({fs::path(*base) / file.program}, {}, true);
    const auto word = line.flag("allow-compile") ? std::string() : compile::first_unlisted(file.cflags);
    if (!word.empty())
      return in_file(path,
                     fmt::format("its cflags hold '{}', which is not on the list of harmless flags and may run other code in "
                                 "the compiler: give --allow-compile if you trust the file, or build the program yourself "
                                 "and give it with --program",
                                 word));
    return compile::make_target(file.sources, file.cflags, true, *base);
  }();
  if (target && target->build_id != file.build_id)
    return in_file(path, fmt::format("recorded with build id {}, but {} has {}: the program has changed, check it again",
                                     file.build_id, target->name, target->build_id));
  return target;
}

struct Recorded {
  inspect_configuration configuration{};
  bool all_turns = false;
};

Result<Recorded> recorded_configuration(const ScheduleFile& file, const std::string& path) {
  const auto no_environment = [](const std::string&) -> const char* { return nullptr; };
  const auto line = parse_command_line(Check, file.options, no_environment);
  if (!line) return in_file(path, "its options line: " + line.error());
  if (!line->targets.empty() || !line->arguments.empty() || line->help)
    return in_file(path, "its options line holds more than options");
  return Recorded{native::configuration_of(engine_options(*line)),
                  engine::engine_of(line->text("engine").value_or("")).by_states};
}

// The cycle so often. It leads back to the same state, but perhaps to other code that does the same: places are not compared.
void add_turns(ScheduleFile& file, std::uint64_t turns) {
  const auto length = static_cast<std::ptrdiff_t>(file.cycle.value_or(0));
  std::vector<ScheduleStep> cycle(file.steps.end() - length, file.steps.end());
  for (ScheduleStep& step : cycle) step.place.clear();
  for (; turns > 1; --turns) file.steps.insert(file.steps.end(), cycle.begin(), cycle.end());
}

class ReplayCommand {
 public:
  explicit ReplayCommand(const CommandLine& line)
      : line_(line), json_(line.text("json").value_or("")), console_(json_ == "-") {}

  int run() {
    if (line_.targets.size() != 1) return refuse({"inspect replay takes one schedule file"});
    if (!line_.flag("gdb") && !line_.arguments.empty()) return refuse({"arguments after -- are gdb's: --gdb is missing"});
    if (line_.flag("gdb") && !process::find_gdb()) return refuse({"--gdb: gdb is not installed; as root: apt-get install gdb"});
    if (!json_.empty() && json_ != "-")
      if (auto error = probe_writable(json_)) return refuse(*error);
    if (const auto error = probe_drawings(line_)) return refuse(*error);
    const std::string& path = line_.targets[0];
    const auto text = read_file(path);
    if (!text) return refuse({text.error()});
    auto file = parse_schedule(*text);
    if (!file) return refuse(in_file(path, file.error()));
    const auto turns = line_.count("turns");
    if (turns && !file->cycle.value_or(0)) return refuse(in_file(path, "it records no cycle, so --turns says nothing"));
    add_turns(*file, turns.value_or(1));
    if (const auto choices = choices_of(file->steps); !choices) return refuse(in_file(path, choices.error()));
    const auto recorded = recorded_configuration(*file, path);
    if (!recorded) return refuse({recorded.error()});
    auto target = recorded_target(line_, *file, path);
    if (!target) return refuse({target.error()});
    const auto replayed = native::replay(*file, std::move(*target), replay_options(*recorded));
    return replayed ? finish(replayed->verdict, replayed->name) : refuse(replayed.failure());
  }

 private:
  static int refuse(const Error& error) {
    Console::error(error.message);
    return static_cast<int>(ExitStatus::usage);
  }

  native::ReplayOptions replay_options(const Recorded& recorded) {
    native::ReplayOptions options{.path = line_.targets[0], .configuration = recorded.configuration};
    options.all_turns = recorded.all_turns;
    options.time_limit = line_.seconds("time-limit");
    options.memory_limit = line_.bytes("memory-limit");
    if (line_.flag("gdb")) options.debugger = {compile::beside_executable("inspect"), line_.arguments, json_ == "-"};
    options.quiet = line_.flag("quiet");
    options.style = {.width = Console::width(), .all_frames = line_.text("frames") == "all"};
    options.draw = [this](const native::ShownBug& bug, const compile::Target& target) { draw(bug, target); };
    options.say = [this](const std::string& text) { console_.print(text); };
    return options;
  }

  void draw(const native::ShownBug& bug, const compile::Target& target) {
    if (const auto to = line_.text("html")) console_.write_result(*to, native::bug_page(bug, target));
    write_formats(line_, bug.interleaving, console_);
  }

  int finish(const Verdict& verdict, const std::string& name) {
    console_.print(verdict.kind == VerdictKind::bug
                       ? "BUG: " + report::bug_line(verdict.bugs.front()) + '\n'
                       : fmt::format("{}: {}: {}\n", verdict.kind == VerdictKind::unsupported ? "UNSUPPORTED" : "INCONCLUSIVE",
                                     name, verdict.reason));
    if (!json_.empty()) console_.write_result(json_, report::verdict_json(verdict));
    return console_.exit_status(exit_status_of(verdict.kind));
  }

  const CommandLine& line_;
  std::string json_;
  Console console_;
};

}  // namespace

int run_replay(const CommandLine& line) { return ReplayCommand(line).run(); }

}  // namespace inspect::cli
