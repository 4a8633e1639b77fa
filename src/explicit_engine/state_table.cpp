#include "explicit_engine/state_table.hpp"

namespace inspect::explicit_engine {

std::size_t StateTable::slot_of(StateId state) const {
  std::size_t i = (state.low ^ (state.high * 0x9E3779B97F4A7C15ull)) & (slots_.size() - 1);
  while (slots_[i] != kNoState && !(states_[slots_[i]] == state)) i = (i + 1) & (slots_.size() - 1);
  return i;
}

void StateTable::grow() {
  slots_.assign(2 * slots_.size(), kNoState);
  for (StateNumber n = 0; n < size(); ++n)
    if (!states_[n].unique()) slots_[slot_of(states_[n])] = n;
}

StateTable::Arrival StateTable::arrive(StateId state) {
  const StateNumber next = size();
  if (state.unique()) {
    states_.push_back(state);
    return {next, true};
  }
  if (3 * (states_.size() + 1) > 2 * slots_.size()) grow();
  StateNumber& slot = slots_[slot_of(state)];
  if (slot != kNoState) return {slot, false};
  slot = next;
  states_.push_back(state);
  return {next, true};
}

}  // namespace inspect::explicit_engine
