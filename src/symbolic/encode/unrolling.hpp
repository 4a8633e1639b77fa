// The step encoding: a system unrolled, one transition of one thread a step, with a scheduler constraint.
//
// Guarantees: the models of the clauses are the executions of exactly depth() transitions that the constraint admits (up to
// depth(), if stutters are allowed: steps of nobody, all of them at the end). Incremental: a step only adds clauses.
#pragma once
#include <memory>
#include <vector>

#include "symbolic/encode/frame.hpp"
#include "symbolic/encode/order.hpp"

namespace inspect::symbolic {

// What threads may do next in the last state.
struct Pending {
  std::vector<std::vector<Literal>> fires;  // by thread and location: it is there and its guard holds
  std::vector<Literal> enabled;             // by thread
};

enum class Stutters : std::uint8_t { none, at_end };

class Unrolling {
 public:
  // The system outlives it.
  Unrolling(const System& system, OrderKind order, Stutters stutters = Stutters::none,
            Solver::Reports reports = Solver::Reports::nothing);
  Unrolling(const Unrolling&) = delete;
  Unrolling& operator=(const Unrolling&) = delete;

  void add_step();
  [[nodiscard]] std::size_t depth() const { return scheduled_.size(); }
  [[nodiscard]] Solver& solver() { return solver_; }
  [[nodiscard]] Gates& gates() { return gates_; }
  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] const Frame& first() const { return first_; }
  // The last state.
  [[nodiscard]] const Frame& last() const { return *frame_; }
  [[nodiscard]] TermBits& terms() { return *terms_; }
  [[nodiscard]] const Pending& pending() const { return pending_; }
  // By thread: it takes its transition in step k, k < depth().
  [[nodiscard]] const std::vector<Literal>& scheduled(std::size_t k) const { return scheduled_[k]; }

  // Of a model that the solver has found.
  std::vector<std::uint64_t> inputs_in_model();
  std::vector<ThreadIndex> schedule_in_model();

 private:
  using Changes = std::vector<std::vector<std::pair<Literal, Bits>>>;  // by cell

  void find_contended_cells();
  void look_at_pending();
  FootprintBits footprint(ThreadIndex thread);
  void add_touches(ThreadIndex thread, LocationId location, std::vector<std::vector<Literal>>& reads,
                   std::vector<std::vector<Literal>>& writes);
  std::vector<Literal> choose_thread();
  void take(ThreadIndex thread, const std::vector<Literal>& scheduled, Changes& changes, Frame& next);
  void require_one_location_each();
  void update_cells(const Transition& transition, Literal fires, Changes& changes);

  const System& system_;
  Stutters stutters_;
  Solver solver_;
  Gates gates_;
  std::vector<std::optional<std::size_t>> slots_;  // by cell: its place in footprints, if threads contend for it
  std::size_t slot_count_ = 0;
  std::optional<Order> order_;
  Frame first_;
  std::unique_ptr<Frame> frame_;
  std::unique_ptr<TermBits> terms_;
  Pending pending_;
  std::vector<std::vector<Literal>> scheduled_;
};

}  // namespace inspect::symbolic
