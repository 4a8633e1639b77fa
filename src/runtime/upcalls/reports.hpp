// What is to be told: ends of an execution, and statements that go with the verdict (execution/ending.cpp).
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Ends the execution with a bug. message: text without a newline; site: 0 when the place is the caller's.
[[noreturn]] void report_bug(inspect_bug kind, const char* message, std::uint32_t site);
// Ends the execution because the program asked for something that is not modelled: names the call.
[[noreturn]] void report_unsupported(const char* message, std::uint32_t site);
[[noreturn]] void report_limit(inspect_limit limit, const char* message, std::uint32_t site);
// A race as race_report() describes it.
[[noreturn]] void report_race();
// Before main there is no execution that a report could end: the program cannot be checked.
[[noreturn]] void fail_before_main(const char* message);

// A statement that the verdict must carry (SEMANTICS K); each text once.
void assume_text(const char* text);
// Nothing that follows is certain, not even with one thread (uncovered.hpp).
void note_uncovered(const char* why);
// Printf-like into a buffer of the current result's message; supports %s %d %u %x %lx %lu. Returns the message.
const char* format_message(const char* format, ...) __attribute__((format(printf, 1, 2)));

}  // namespace inspect::runtime
