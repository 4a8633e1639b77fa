// inspect check: compile if needed, hand the target to an engine, report.
#include <fmt/format.h>

#include <cstdio>

#include <filesystem>

#include "base/check.hpp"
#include "base/files.hpp"
#include "base/interrupt.hpp"
#include "base/shown.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/coverage.hpp"
#include "cli/engine_options.hpp"
#include "compile/build.hpp"
#include "engine/engine.hpp"
#include "engine/engines.hpp"
#include "report/ci.hpp"
#include "report/json.hpp"
#include "report/text.hpp"

namespace inspect::cli {
namespace {

namespace fs = std::filesystem;

// "bug.schedule" for the first bug, "bug.2.schedule" and on for further ones.
std::string numbered_path(const std::string& first, std::size_t number, std::string_view suffix) {
  if (number == 1) return first;
  const std::string stem = first.ends_with(suffix) ? first.substr(0, first.size() - suffix.size()) : first;
  return fmt::format("{}.{}{}", stem, number, suffix);
}

std::unique_ptr<engine::Engine> make_engine(std::string_view wanted, const engine::Options& options,
                                            engine::Listener& listener) {
#define ENGINE(name, factory, by_states) \
  if (wanted == name) return engine::factory(options, listener);
#include "engine/engines.def"
  internal_error(__FILE_NAME__, __LINE__, "an engine that the options do not know");
}

class CheckCommand final : private engine::Listener {
 public:
  explicit CheckCommand(const CommandLine& line)
      : line_(line),
        options_(engine_options(line)),
        json_(line.text("json").value_or("")),
        schedule_(line.text("schedule").value_or("inspect-bug.schedule")),
        html_(line.text("html").value_or("")),
        quiet_(line.flag("quiet")),
        console_(json_ == "-"),
        engine_(make_engine(line.text("engine").value_or(std::string(engine::kDefault.name)), options_, *this)) {}

  int run() {
    if (auto error = check_engine()) return refuse(*error);
    if (auto error = check_files()) return refuse(*error);
    if (auto error = engine_->prepare()) return refuse(*error);
    auto flags = line_.words("cflags");
    if (!line_.targets.empty() && compile::source_language(line_.targets[0]))
      for (auto& flag : engine_->compiler_flags()) flags.push_back(std::move(flag));
    auto target = compile::make_target(line_.targets, flags, quiet_);
    if (interrupted()) return finish_early(why_interrupted());
    if (!target) return refuse(Error{target.error()});
    const std::string name = target->name;
    const auto checked = engine_->check(std::move(*target));
    if (!checked) return refuse(checked.failure());
    return checked->worker ? static_cast<int>(*checked->worker) : finish(checked->verdict, name);
  }

 private:
  static int refuse(const Error& error) {
    // Of an error in a formula the place is marked in the lines below the first.
    if (error.message.starts_with("--ltl: "))
      std::fputs(("inspect: error: " + shown(error.message) + '\n').c_str(), stderr);
    else
      Console::error(error.message);
    return static_cast<int>(ExitStatus::usage);
  }

  // What options of one engine say nothing together.
  [[nodiscard]] std::optional<Error> check_engine() const {
    if (line_.text("fairness") == "weak" && !line_.text("ltl"))
      return Error{"--fairness=weak says which runs a formula speaks of: --ltl is missing"};
    if (line_.text("heap") == "canonical" && line_.text("ltl"))
      return Error{"--ltl does not go with --heap=canonical: a cycle must lead back to the very state in which it began"};
    if (line_.text("encoding") == "event" && line_.text("por"))
      return Error{"--por chooses among orders of steps: it goes with --encoding=step"};
    if (line_.text("thread-symmetry").value_or("off") != "off") {
      if (line_.text("ltl"))
        return Error{"--ltl does not go with --thread-symmetry: a cycle must lead back to the very state in which it began"};
      if (line_.text("heap") == "next-free")
        return Error{"--thread-symmetry does not go with --heap=next-free: each thread allocates from a part of its own"};
    }
    if (line_.text("independence").value_or("none") != "none" && line_.text("fairness") == "weak")
      return Error{"--fairness=weak does not go with --independence: it speaks of turns that are left out"};
    return std::nullopt;
  }

  // What would fail at the end is refused at the beginning.
  [[nodiscard]] std::optional<Error> check_files() const {
    if (!json_.empty() && json_ != "-") {
      if (fs::path(json_).lexically_normal() == fs::path(schedule_).lexically_normal())
        return Error{fmt::format("--json and --schedule name the same file, {}", json_)};
      if (auto error = probe_writable(json_)) return error;
    }
    if (!json_.empty() && line_.text("baseline") == json_)
      return Error{
          fmt::format("--json would replace the baseline, {}: every new bug would be a known one the next time", json_)};
    if (const auto to = line_.text("junit"))
      if (auto error = probe_writable(*to)) return error;
    if (!html_.empty())
      if (auto error = probe_writable(html_)) return error;
    return probe_writable(schedule_);
  }

  std::optional<std::string> record(const ScheduleFile& schedule) override {
    std::string path = numbered_path(schedule_, ++schedules_, ".schedule");
    if (const auto failed = write_file(path, format_schedule(schedule))) {
      lost_schedule_ = true;
      Console::error(failed->message);
      return std::nullopt;
    }
    return path;
  }

  void show(const BugReport& bug, const std::string& text) override {
    if (!quiet_) console_.print(report::bug_line(bug) + "\n\n" + text + '\n');
  }

  void show_page(const BugReport&, const std::string& page) override {
    console_.write_result(numbered_path(html_, ++pages_, ".html"), page);
  }

  void print(const std::string& text) override { console_.print(text); }

  void complain(const std::string& message) override { Console::error(message); }

  int finish_early(const std::string& why) {
    Verdict verdict = engine_->frame();
    const Judgement judgement = judge({.left_out = {why}});
    verdict.kind = judgement.kind;
    verdict.reason = judgement.reason;
    return finish(verdict, fmt::format("{}", fmt::join(line_.targets, " ")));
  }

  int finish(const Verdict& verdict, const std::string& name) {
    console_.print(report::verdict_text(verdict, name, quiet_));
    if (line_.flag("github")) console_.print(report::github_annotations(verdict, name));
    if (const auto to = line_.text("junit")) console_.write_result(*to, report::verdict_junit(verdict, name));
    if (!json_.empty()) console_.write_result(json_, report::verdict_json(verdict));
    return console_.exit_status(lost_schedule_ ? ExitStatus::usage : exit_status_of(verdict.kind));
  }

  const CommandLine& line_;
  const engine::Options options_;
  std::string json_, schedule_, html_;
  bool quiet_, lost_schedule_ = false;
  std::size_t schedules_ = 0, pages_ = 0;
  Console console_;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace

int run_check(const CommandLine& line) { return line.flag("coverage-list") ? list_coverage() : CheckCommand(line).run(); }

}  // namespace inspect::cli
