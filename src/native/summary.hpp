// Turns what a search and its executor saw into the verdict.
//
// Guarantees: whatever was left out by search or runtime takes the verdict away from verified (SEMANTICS K).
#pragma once
#include <string>
#include <vector>

#include "hooks/channel.h"
#include "model/verdict.hpp"
#include "process/native_program.hpp"
#include "report/names.hpp"
#include "search/search.hpp"

namespace inspect::native {

// What the runtime noted over all executions.
struct RuntimeNotes {
  bool clock_read = false;
  bool uncovered_calls = false;  // code without hooks ran among several threads, or memory is used in ways not followed
  bool unsafe_handlers = false;  // a signal's handler does something that is not explored wherever the handler may run
  bool values_left_out = false;  // an input has more values than are explored
  std::uint64_t weak_atomics = 0;
  std::vector<std::string> texts;
  std::vector<process::NotedRace> races;  // those that did not end their executions
  bool races_left_out = false;            // there were more
  bool races_ignored = false;             // races are not bugs

  void add(RuntimeNotes&& other);  // of another process
};
RuntimeNotes notes_of(const inspect_channel& channel);  // without the races
// For messages and checkpoints. If the text cannot be read, the notes say that code was not covered.
std::string encode_notes(const RuntimeNotes& notes);
RuntimeNotes decode_notes(const std::string& text);
// Can encode_notes() have written the text?
bool are_notes(const std::string& text);

// Why the verdict is not "verified".
Findings findings_of(const search::Outcome& outcome, const RuntimeNotes& notes, const report::Names& names);

// The assumptions of the verdict, in words.
std::vector<std::string> assumptions_of(const RuntimeNotes& notes);

// Fills counts and assumptions.
void add_measurements(Verdict& verdict, const search::Outcome& outcome, const RuntimeNotes& notes);

}  // namespace inspect::native
