// inspect report: a recorded bug as text, page, graph or finding. Runs nothing.
#include <filesystem>

#include "base/files.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/drawings.hpp"
#include "cli/named_sources.hpp"
#include "model/schedule.hpp"
#include "report/page.hpp"
#include "report/text.hpp"

namespace inspect::cli {
namespace {

constexpr std::size_t kAllLines = static_cast<std::size_t>(-1);

std::string heading(const RecordedBug& bug) {
  std::string out = bug.kind + ": " + bug.message + " (thread " + bug.thread + " at " + bug.place;
  if (bug.other_place != "-") out += ", other access at " + bug.other_place;
  return out + ")\n\n";
}

int refuse(const std::string& message) {
  Console::error(message);
  return static_cast<int>(ExitStatus::usage);
}

}  // namespace

int run_report(const CommandLine& line) {
  if (line.targets.size() != 1) return refuse("inspect report takes one schedule file");
  const std::string& path = line.targets[0];
  if (const auto error = probe_drawings(line)) return refuse(error->message);
  const auto text = read_file(path);
  if (!text) return refuse(text.error());
  const auto file = parse_schedule(*text);
  if (!file) return refuse(path + ": " + file.error());
  const auto interleaving = report::interleaving_of(*file);
  const std::vector<std::string> roots{"", std::filesystem::path(path).parent_path().string()};
  const NamedSources named(*file, roots);
  report::SourceLines source(roots, [&](const std::string& name) { return named.has(name); });
  source.set_made(path, "the schedule was recorded");
  Console console;
  if (const auto to = line.text("html")) console.write_result(*to, report::interleaving_html(interleaving, source, path));
  if (!write_formats(line, interleaving, console) && !line.given("html")) {
    std::string out = heading(file->bug);
    out += report::interleaving_text(interleaving, source, {.width = Console::width(), .max_lines = kAllLines});
    for (const auto& note : source.changed()) out += "note: " + note + '\n';
    console.print(out + "values, stacks and who waits for whom: inspect replay " + quote_word(path) + '\n');
  }
  return console.exit_status(ExitStatus::verified);
}

}  // namespace inspect::cli
