// The step encoding: a system unrolled, one transition of one thread a step, with a scheduler constraint.
//
// Guarantees: the models of the clauses are the executions of exactly depth() transitions that the constraint admits (up to
// depth(), if stutters are allowed: steps of nobody, all of them at the end). Incremental: a step only adds clauses.
#pragma once
#include <optional>
#include <vector>

#include "symbolic/encode/encoding.hpp"
#include "symbolic/encode/order.hpp"

namespace inspect::symbolic {

enum class Stutters : std::uint8_t { none, at_end };

class Unrolling final : public Encoding {
 public:
  // The system outlives it.
  Unrolling(const System& system, OrderKind order, Stutters stutters = Stutters::none, const SolverSetup& setup = {});

  void add_step();
  [[nodiscard]] std::size_t depth() const { return scheduled_.size(); }
  // By thread: it takes its transition in step k, k < depth().
  [[nodiscard]] const std::vector<Literal>& scheduled(std::size_t k) const { return scheduled_[k]; }

  std::vector<ThreadIndex> schedule_in_model() override;

 private:
  void find_contended_cells();
  FootprintBits footprint(ThreadIndex thread);
  void add_touches(ThreadIndex thread, LocationId location, std::vector<std::vector<Literal>>& reads,
                   std::vector<std::vector<Literal>>& writes);
  std::vector<Literal> choose_thread();
  void take(ThreadIndex thread, const std::vector<Literal>& scheduled, Changes& changes, Frame& next);
  void require_one_location_each();

  Stutters stutters_;
  std::vector<std::optional<std::size_t>> slots_;  // by cell: its place in footprints, if threads contend for it
  std::size_t slot_count_ = 0;
  std::optional<Order> order_;
  std::vector<std::vector<Literal>> scheduled_;
};

}  // namespace inspect::symbolic
