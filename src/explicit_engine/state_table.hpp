// The states that a search has met, by their 128-bit fingerprints.
//
// Each has a number, from 0 in the order of arrival; a state that cannot be told from others gets one too, and is never met
// again. Guarantees: a state is found if and only if its fingerprint was inserted. About 30 bytes a state. Deliberately unknown
// here: what a state is.
#pragma once
#include <cstdint>
#include <vector>

#include "model/execution.hpp"

namespace inspect::explicit_engine {

using StateNumber = std::uint32_t;
inline constexpr StateNumber kNoState = ~StateNumber{0};

class StateTable {
 public:
  struct Arrival {
    StateNumber number = kNoState;
    bool fresh = false;
  };

  StateTable() : slots_(kFewSlots, kNoState) {}

  Arrival arrive(StateId state);
  [[nodiscard]] StateNumber size() const { return static_cast<StateNumber>(states_.size()); }
  [[nodiscard]] std::uint64_t bytes() const {
    return states_.capacity() * sizeof(StateId) + slots_.size() * sizeof(StateNumber);
  }

 private:
  static constexpr std::size_t kFewSlots = 1u << 10;

  [[nodiscard]] std::size_t slot_of(StateId state) const;
  void grow();

  std::vector<StateId> states_;     // by number
  std::vector<StateNumber> slots_;  // open addressing, at most two thirds full
};

}  // namespace inspect::explicit_engine
