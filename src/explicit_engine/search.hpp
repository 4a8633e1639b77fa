// Explicit-state search: the states of a program, each explored once, depth first.
//
// One request of the program is a path: it goes on from the deepest state with a transition left, until it arrives in a state
// that is known or comes to an end. A state is known as soon as it was met, so cycles are closed by themselves, and loops need
// no bound. Guarantees: `exhausted` only if every transition of every state was taken; states that cannot be told apart are
// each explored by themselves. Deliberately unknown here: processes, verdicts, texts.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explicit_engine/state_graph.hpp"
#include "search/core/program.hpp"
#include "search/search.hpp"

namespace inspect::explicit_engine {

// The program can end in that state, by that transition.
struct End {
  StateNumber state = 0;
  Choice choice;
};

// What formulas want to know of states, by state.
struct Labels {
  std::vector<std::uint64_t> valuations;  // which conditions hold (hooks/condition.h); of the initial state not known here
  std::vector<bool> disregarded;          // an assumption has failed
  std::vector<End> ends;
};

struct Explored {
  search::Outcome outcome;
  // Where the bug of the same index in the outcome was found; its schedule there is a shortest one as far as the graph shows.
  std::vector<std::vector<Choice>> as_found;
  StateGraph graph;
  Labels labels;  // if they were asked for
  std::uint64_t visited_bytes = 0;
  std::uint64_t cut = 0;            // paths that ended in a known state
  bool addresses_used = false;      // the program has used an address as a number: states are told apart by addresses, too
  bool threads_told_apart = false;  // something keeps threads from trading places
  std::uint64_t moved_threads = 0;  // times a known state was met with threads in each other's places
  std::uint64_t reduced_states = 0, left_out = 0;  // from which not every transition was taken; those transitions
  std::uint32_t state_flags = 0;                   // in force in the end
  std::uint64_t without_identity = 0;              // states like no other
  std::uint64_t endless = 0;                       // groups of states that are never left
  std::array<bool, INSPECT_NO_IDENTITY_COUNT> why_no_identity{};  // by inspect_no_identity
};

struct SearchOptions {
  std::uint64_t max_states = 0;  // 0: no limit
  double time_limit = 0;         // seconds; 0: no limit
  bool labels = false;
  bool keep_going = false;
  // Which states are alike (search::Request::state_flags), and which of them must not be asked for once an address was used as
  // a number, or something keeps threads from trading places.
  std::uint32_t state_flags = 0, without_addresses = 0, without_trades = 0;
  bool descriptions = false;         // states come with their descriptions, and are told apart by those
  bool allocations_commute = false;  // else a transition that allocates is not taken alone
  bool race_pairs = false;  // plain accesses are transitions: two that conflict and can come next are a race of the state
  std::function<std::optional<std::string>()> must_end;
  std::function<void(const Explored&)> on_progress;
};

Explored explore(search::Program& program, const SearchOptions& options);

}  // namespace inspect::explicit_engine
