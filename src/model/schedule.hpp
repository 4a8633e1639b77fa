// The schedule file: one recorded execution as text, versioned, one step a line.
//
//   inspect-schedule 1                         version 2: there is a line `points`
//   program <path> <build id>
//   source <file>... cflags <word>...          only when `inspect check` compiled the program
//   args <word>...
//   input <bytes>-<digest>                    only when standard input was not empty
//   options <word>...
//   points <region>:<owner>:<offset>:<bytes>...   from version 2 on: plain memory whose accesses are steps
//   cycle <steps>                             version 3: a run without end repeats its last steps for ever; 0: it ends
//   bug <kind> <thread> <place> <other place> <message>
//   <thread> <operation> <object> <file:line> [choice]
//   sums <digest of the lines before the steps> <digest of the steps>
//   end <number of steps> <digest of all lines before>
//
// Threads are named by creation path (0, 0.0, 0.1, 0.1.0), objects by symbol or allocation site, never by address (an input by
// its value), so that it can be read by another build. Words and the last line are those of sealed_text.hpp. Unknown is "?",
// none is
// "-". Objects of one name are told apart by `points` alone: regions are the heap, the stack, the mappings and the thread-local
// variables of a thread, and the modules of the program, by number (region "image"); what is where in them, each run finds
// again.
//
// Guarantees: format(parse(x)) == x for every x that parses; any other text is refused with the line and what was expected
// there. Deliberately unknown here: how objects get their names, how a schedule is run.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/execution.hpp"
#include "model/sealed_text.hpp"

namespace inspect {

inline constexpr int kScheduleVersion = 1, kScheduleVersionWithPoints = 2, kScheduleVersionWithCycle = 3;

struct ScheduleStep {
  std::string thread;
  inspect_kind kind = INSPECT_OP_None;
  std::string object = "-";
  std::string place = "?";
  std::string choice;  // empty: alternative 0. A signal: the thread it wakes. Else: the alternative's number.
  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

struct RecordedBug {
  std::string kind, thread, place = "?", other_place = "-", message;
  friend bool operator==(const RecordedBug&, const RecordedBug&) = default;
};

// Plain memory that is a scheduling point.
struct SchedulePoint {
  std::string region = "image";  // heap, stack, locals, mapping: of a thread; image: a module of the program
  std::string owner = "0";       // the thread, or the number of the module
  std::uint64_t offset = 0, bytes = 8;
  friend bool operator==(const SchedulePoint&, const SchedulePoint&) = default;
};

struct ScheduleFile {
  std::string program, build_id;
  std::vector<std::string> sources, cflags, args, options;
  std::string input;  // what identifies standard input (identity_of_input); empty: it was empty
  std::vector<SchedulePoint> points;
  std::optional<std::uint64_t> cycle =
      {};  // the last so many steps repeat for ever; 0: a run that ends, seen as one without end
  RecordedBug bug;
  std::vector<ScheduleStep> steps;
  friend bool operator==(const ScheduleFile&, const ScheduleFile&) = default;
};

std::string format_schedule(const ScheduleFile& file);

// The error reads "line N: expected …, found …".
Result<ScheduleFile> parse_schedule(std::string_view text);

// One step as its line in the file (without the line break).
std::string format_step(const ScheduleStep& step);

// The numbers that threads have once the steps were taken. `threads`, error: as of choices_of.
using ThreadNumbers = std::map<std::string, ThreadId, std::less<>>;
Result<ThreadNumbers> thread_numbers_of(const std::vector<ScheduleStep>& steps,
                                        const std::vector<std::string>& threads = {"0"});

// The choices that take a program along the steps. `threads`: names of the threads that the program has numbered already, by
// number; further ones get the next numbers in the order of creation, so they follow from the steps alone. Error: a step of a
// thread that no step before it created.
Result<std::vector<Choice>> choices_of(const std::vector<ScheduleStep>& steps, const std::vector<std::string>& threads = {"0"});

// Choice column of an executed transition; `name` gives the creation path of a thread number.
template <class Name>
std::string choice_text(inspect_kind kind, std::uint16_t alternative, Name&& name) {
  if (alternative == 0) return {};
  if (kind == INSPECT_OP_CondSignal) return name(static_cast<ThreadId>(alternative - 1));
  return std::to_string(alternative);
}

// "12-" and a digest; empty for an empty input.
std::string identity_of_input(std::string_view input);

}  // namespace inspect
