// Where memory of a program is, in words that hold for every run of it: of which thread or module, and how far from where that
// one's begins.
//
// Guarantees: the two functions undo each other, in processes that number threads otherwise too.
#pragma once
#include <cstdint>
#include <optional>

#include "hooks/channel.h"
#include "model/schedule.hpp"
#include "process/names.hpp"

namespace inspect::process {

// Nothing: it is neither a thread's nor a module's.
std::optional<SchedulePoint> point_at(std::uint64_t address, std::uint64_t bytes, const inspect_channel& channel,
                                      const Names& names);
// Nothing: this run has nothing there.
std::optional<std::uint64_t> address_of(const SchedulePoint& point, const inspect_channel& channel,
                                        const ThreadNumbers& numbers);

}  // namespace inspect::process
