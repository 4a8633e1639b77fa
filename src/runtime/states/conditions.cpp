#include "runtime/states/conditions.hpp"

#include <string.h>

namespace inspect::runtime {

void set_proposition(State& s, const char* name, bool holds) {
  if (!s.channel) return;
  const inspect_configuration& asked = s.channel->configuration;
  std::uint64_t& truth = s.running ? s.execution.propositions : s.propositions_at_boot;
  for (unsigned i = 0; i < asked.condition_count; ++i) {
    const inspect_condition& c = asked.conditions[i];
    if (!c.name[0] || strncmp(name, c.name, sizeof c.name) != 0) continue;
    const std::uint64_t bit = 1ull << i;
    s.channel->conditions_set |= bit;
    truth = holds ? truth | bit : truth & ~bit;
  }
}

std::uint64_t valuation(const State& s) {
  const inspect_configuration& asked = s.channel->configuration;
  std::uint64_t truth = s.execution.propositions;
  for (unsigned i = 0; i < asked.condition_count; ++i) {
    const inspect_condition& c = asked.conditions[i];
    if (c.name[0]) continue;
    std::uint64_t value = 0;
    memcpy(&value, reinterpret_cast<const void*>(s.channel->modules[0].begin + c.offset), c.bytes);
    if (inspect_condition_holds(&c, value)) truth |= 1ull << i;
  }
  return truth;
}

}  // namespace inspect::runtime
