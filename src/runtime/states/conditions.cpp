#include "runtime/states/conditions.hpp"

#include <string.h>

#include "runtime/states/state_hash.hpp"

namespace inspect::runtime {
namespace {

std::uint64_t compared_value(const State& s, const inspect_condition& c) {
  std::uint64_t value = 0;
  memcpy(&value, reinterpret_cast<const void*>(s.channel->modules[0].begin + c.offset), c.bytes);
  return value;
}

}  // namespace

void set_proposition(State& s, const char* name, bool holds) {
  if (!s.channel) return;
  const inspect_configuration& asked = s.channel->configuration;
  std::uint64_t& truth = s.running ? s.execution.propositions : s.propositions_at_boot;
  for (unsigned i = 0; i < asked.condition_count; ++i) {
    const inspect_condition& c = asked.conditions[i];
    if (!c.name[0] || strncmp(name, c.name, sizeof c.name) != 0) continue;
    const std::uint64_t bit = 1ull << i;
    s.channel->conditions_set |= bit;
    s.execution.proposition_set = true;
    truth = holds ? truth | bit : truth & ~bit;
  }
}

bool conditions_touched(State& s) {
  const inspect_configuration& asked = s.channel->configuration;
  StateHash values;
  for (unsigned i = 0; i < asked.condition_count; ++i)
    if (!asked.conditions[i].name[0]) values.word(compared_value(s, asked.conditions[i]));
  const std::uint64_t now = values.low();
  const bool touched = s.execution.proposition_set || now != s.execution.compared;
  s.execution.proposition_set = false;
  s.execution.compared = now;
  return touched;
}

std::uint64_t valuation(const State& s) {
  const inspect_configuration& asked = s.channel->configuration;
  std::uint64_t truth = s.execution.propositions;
  for (unsigned i = 0; i < asked.condition_count; ++i) {
    const inspect_condition& c = asked.conditions[i];
    if (c.name[0]) continue;
    if (inspect_condition_holds(&c, compared_value(s, c))) truth |= 1ull << i;
  }
  return truth;
}

}  // namespace inspect::runtime
