// What one rank, or a search before its checkpoint, has to say for the verdict.
//
// Guarantees: combining records is all that the verdict of several ranks needs; no reason against "verified" is lost.
// Deliberately unknown here: what `notes` hold: whoever runs the program writes and reads them.
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

// Combines what two searches on parts of one tree came to; of two findings of a kind the first.
void add_outcome(search::Outcome& to, search::Outcome&& other);

}  // namespace inspect::distribute
