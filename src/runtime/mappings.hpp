// Memory that the program maps by itself: at addresses that are a function of the thread, unmapped after the execution.
#pragma once

namespace inspect::runtime {

void reset_mappings();

}  // namespace inspect::runtime
