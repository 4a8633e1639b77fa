// What one rank, or a search before its checkpoint, contributes to the verdict.
//
// Guarantees: the verdict of several ranks needs only their combined records; no reason against "verified" is lost.
// Deliberately unknown here: what `notes` hold; whoever runs the program writes and reads them.
#pragma once
#include <string>
#include <vector>

#include "distribute/codec.hpp"
#include "search/search.hpp"
#include "search/share/peers.hpp"

namespace inspect::distribute {

struct Record {
  search::Outcome outcome;         // bugs with their schedules, without events
  std::vector<std::string> notes;  // one of each rank
  std::uint64_t peak_memory_bytes = 0;

  void add(Record&& other);
};

Encoder& operator<<(Encoder& out, const Record& record);
Decoder& operator>>(Decoder& in, Record& record);

// Combines the outcomes of two searches on parts of one tree; of limit, unsupported and divergence it keeps the first.
void add_outcome(search::Outcome& to, search::Outcome&& other);

}  // namespace inspect::distribute
