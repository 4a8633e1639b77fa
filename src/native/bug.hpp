// A bug that a search found, run once more with everything a report shows, and recorded.
//
// Guarantees: what is recorded was seen to happen again under its schedule.
#pragma once
#include <string>

#include "engine/known_bugs.hpp"
#include "model/schedule.hpp"
#include "model/verdict.hpp"
#include "native/session.hpp"
#include "report/interleaving.hpp"
#include "report/text.hpp"
#include "search/search.hpp"

namespace inspect::native {

struct ShownBug {
  BugReport report;
  engine::BugIdentity identity;
  ScheduleFile schedule;
  report::Interleaving interleaving;
  std::string output;  // of the program
};

// Makes the report, identity and schedule of a verbose run that ended in a bug. turn: its decisive one, if that is known.
ShownBug show_bug(Session& session, const process::VerboseRun& run, const std::optional<report::Turn>& turn = std::nullopt);

// Runs the bug again. Error: it did not happen again.
Result<ShownBug> reproduce(Session& session, const search::FoundBug& bug, const process::Shown& shown = {});
Result<ShownBug> reproduce(Session& session, const process::NotedRace& race);

// The text of a shown bug: interleaving, the program's output, and how to replay it (unless `schedule_path` is empty).
std::string bug_text(const ShownBug& bug, const compile::Target& target, const std::string& schedule_path,
                     const report::TextStyle& style);

// The same as a page for a browser.
std::string bug_page(const ShownBug& bug, const compile::Target& target);

}  // namespace inspect::native
