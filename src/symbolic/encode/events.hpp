// The event encoding: what each thread does, transition by transition, by itself; and of what threads share, which write each
// reads from.
//
// An event is the n-th transition of a thread. It takes place at one point of the execution: what it reads of shared cells was
// written by the last event before it that writes them. So each reading event names the write it reads from (or the initial
// value), that write is before it, and every other write of the cell is before that one or behind the reader. A model is an
// execution if all that is ordered so has no cycle, with each thread's own order. Of few events the clauses say that the order
// is a total one: three clauses for each three events. Of many, cycles are looked for in models and forbidden one by one (J.
// Alglave, D. Kroening, M. Tautschnig, "Partial orders for efficient bounded model checking of concurrent software", CAV 2013;
// the cycles on demand are ours).
//
// Executions that differ only in the order of independent events are one model, or few, and nothing is said about the number of
// threads or steps between two events: where the step encoding needs a copy of the state for each step, this one has none. The
// last state is that behind all events, in which the properties are the same as there.
//
// Guarantees: the models that solve() leaves are the executions in which no thread takes more transitions than the limit.
// Deliberately unknown here: the properties, and how deep to look.
#pragma once
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "symbolic/encode/encoding.hpp"

namespace inspect::symbolic {

// The longest path through the code of a thread, in transitions; nothing if there is a cycle.
std::optional<std::size_t> longest_path(const Thread& thread);

struct EventLimits {
  std::size_t transitions;            // of a thread
  std::uint64_t clauses = ~0ull;      // about so many are tried; with more it is_too_large(), and answers nothing
  std::size_t ordered_at_once = 128;  // up to so many events the clauses say that their order is a total one
};

class Events final : public Encoding {
 public:
  Events(const System& system, const EventLimits& limits, const SolverSetup& setup = {});
  [[nodiscard]] bool is_too_large() const { return is_too_large_; }

  Answer solve(std::span<const Literal> assumptions) override;
  Answer shorten(Literal holds) override;
  std::vector<ThreadIndex> schedule_in_model() override;

  // Some thread has taken all its events and could go on.
  [[nodiscard]] Literal goes_on();
  [[nodiscard]] std::size_t count() const { return events_.size(); }
  [[nodiscard]] std::size_t cycles() const { return cycles_; }

 private:
  using EventId = std::size_t;
  struct Event {
    ThreadIndex thread;
    std::size_t step;
    Literal executed;
  };
  struct Touching {
    EventId event;
    Literal happens;  // it is executed and reads, or writes, the cell
    Bits value;       // that was read, or is written
  };
  struct Edge {
    EventId from, to;
    Literal holds;
  };
  // What a thread may be like after each number of its transitions.
  struct Local {
    std::vector<std::vector<Literal>> at;  // by number and location
    std::vector<std::vector<Bits>> cells;  // by number and cell, of its own only
    std::vector<EventId> events;
  };

  void unroll(ThreadIndex t, std::size_t most);
  Frame frame_before(ThreadIndex t);
  void add_reads(EventId event, ThreadIndex t, const Frame& frame, TermBits& terms);
  Literal before(EventId a, EventId b);
  void require_equal(Literal where, const Bits& a, const Bits& b);
  [[nodiscard]] std::uint64_t expected_clauses() const;
  void read_from();
  void end();
  void order_totally();
  Bits last_value(CellId cell);
  std::vector<Literal> stops(ThreadIndex t);
  bool forbid_cycles();
  std::vector<std::vector<std::pair<EventId, Literal>>> order_in_model();
  [[nodiscard]] std::vector<std::size_t> executed_in_model();

  std::vector<Event> events_;
  std::vector<Local> threads_;
  std::vector<std::vector<Touching>> reads_, writes_;  // by cell
  std::vector<Edge> edges_;
  std::map<std::pair<EventId, EventId>, Literal> before_;
  std::size_t order_edges_ = 0;  // of edges_, those that matter: the others only make the order a total one
  std::size_t cycles_ = 0;
  bool is_total_ = false;
  bool is_too_large_ = false;
};

}  // namespace inspect::symbolic
