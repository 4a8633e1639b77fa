// One operation in words: "pthread_mutex_lock(m)", "atomic store flag = 1", "compare-exchange head: 0, fails".
//
// Guarantees: a function of the operation, its values and names alone.
#pragma once
#include <optional>
#include <string>

#include "model/execution.hpp"
#include "model/schedule.hpp"
#include "report/names.hpp"

namespace inspect::report {

// `event_number`: of the event in the run that is reported. `frames`: what was under way; a step within a library reads as what
// the user called there.
std::string action_text(const Event& event, const Names& names, std::size_t event_number = 0, const Frames& frames = {});
std::string action_text(const ScheduleStep& step);  // values are not recorded

// A read or write of memory with its values; `written` may be unknown for plain writes.
std::string memory_text(const Operation& operation, std::uint64_t read, std::optional<std::uint64_t> written,
                        const Names& names, std::size_t event_number = 0, const Frames& frames = {});

// The object column of a schedule file: a name, "-" when there is none, "?" when it has no name.
std::string object_text(const Operation& operation, const Names& names);

// Likewise of a step, where the object of an input is its value, unless that is the number of its alternative.
std::string step_object(const Event& event, const Names& names);

// The object of an operation for a person: an expression of the source when the object itself has no name.
std::string object_label(const Operation& operation, const Names& names, std::size_t event_number = 0);

// What the user's code called, of a step within a library: "std::lock_guard", "std::condition_variable::wait"; else empty.
std::string called_function(const Frames& frames);

// A demangled function without arguments, and without what it returns.
std::string short_function(const std::string& demangled);

// `value` of `size` bytes at an address: as its type reads, else signed decimal, or the name of the object it points to.
std::string value_text(std::uint64_t address, std::uint64_t value, std::uint32_t size, const Names& names,
                       std::size_t event_number = 0);

}  // namespace inspect::report
