// Stands in for the rest of the runtime: what the memory checker needs of it, with endings turned into exceptions.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/platform/state.hpp"

namespace inspect::runtime::test {

struct Ending : std::runtime_error {
  using std::runtime_error::runtime_error;
};
struct Bug : Ending {
  using Ending::Ending;
};
struct Limit : Ending {
  using Ending::Ending;
};
struct Race : Ending {
  using Ending::Ending;
};

// Maps what there is to map, drops what earlier tests left, and begins an execution whose current thread is 0.
void begin();
// The program's current thread from here on.
void switch_to(std::uint8_t thread);
void stop_running();
// Shall executions go on behind races? Not at first.
bool& races_pass();
// Operations announced as visible since begin().
std::vector<Operation>& announced();
// Called at each announcement: what other threads do there.
using Interlude = void (*)();
void set_interlude(Interlude f);

}  // namespace inspect::runtime::test
