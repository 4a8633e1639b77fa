// What the checker of races asks of the schedule (schedule/known_races.cpp).
#pragma once

namespace inspect::runtime {

// Asked once for each race, when race_report() tells of it: shall the check pass? Else it returns false.
bool race_goes_on();

}  // namespace inspect::runtime
