#include "symbolic/encode/encoding.hpp"

#include "base/check.hpp"

namespace inspect::symbolic {

Encoding::Encoding(const System& system, const SolverSetup& setup)
    : system_(system), solver_(setup.reports, setup.keeps), gates_(solver_) {
  if (setup.deadline) solver_.set_deadline(*setup.deadline);
  const std::string wrong = validate(system);
  CHECK(wrong.empty(), wrong);
  first_ = initial_frame(system, gates_);
}

void Encoding::end_in(std::unique_ptr<Frame> frame) {
  frame_ = std::move(frame);
  terms_ = std::make_unique<TermBits>(system_, gates_, *frame_);
  pending_ = {};
  for (ThreadIndex t = 0; t < system_.threads.size(); ++t) {
    auto& fires = pending_.fires.emplace_back();
    const Thread& thread = system_.threads[t];
    for (LocationId l = 0; l < thread.locations.size(); ++l) {
      const Literal here = frame_->at[t][l];
      const bool idle = gates_.is_false(here) || thread.locations[l].kind != LocationKind::runs;
      fires.push_back(idle ? gates_.truth(false) : gates_.both(here, terms_->truth(thread.locations[l].transition.guard)));
    }
    pending_.enabled.push_back(gates_.any(fires));
  }
}

std::vector<std::uint64_t> Encoding::inputs_in_model() {
  std::vector<std::uint64_t> inputs;
  for (CellId c = 0; c < system_.cells.size(); ++c) {
    if (!system_.cells[c].is_input) continue;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < first_.cells[c].size(); ++i)
      value |= static_cast<std::uint64_t>(solver_.value(first_.cells[c][i])) << i;
    inputs.push_back(value);
  }
  return inputs;
}

void update_cells(Gates& gates, TermBits& terms, const Transition& transition, Literal fires, Changes& changes) {
  // The last update of a cell counts: so from the last on, each only where none behind it hits.
  std::vector<std::pair<CellId, Literal>> later;
  for (auto update = transition.updates.rbegin(); update != transition.updates.rend(); ++update) {
    const Target& target = update->target;
    const std::size_t behind = later.size();
    for (std::uint32_t i = 0; i < target.extent; ++i) {
      const CellId cell = target.first + i;
      const Literal hits = gates.both(terms.truth(update->condition), terms.hits(target, i));
      std::vector<Literal> all{fires, hits};
      for (std::size_t b = 0; b < behind; ++b)
        if (later[b].first == cell) all.push_back(-later[b].second);
      changes[cell].emplace_back(gates.all(std::move(all)), terms(update->value));
      later.emplace_back(cell, hits);
    }
  }
}

std::vector<std::vector<Literal>> arrivals_of(Gates& gates, TermBits& terms, const Thread& thread,
                                              const std::vector<Literal>& fires) {
  std::vector<std::vector<Literal>> arrivals(thread.locations.size());
  for (LocationId l = 0; l < thread.locations.size(); ++l) {
    if (gates.is_false(fires[l])) continue;
    Literal goes_on = fires[l];
    for (const Branch& branch : thread.locations[l].transition.branches) {
      const Literal holds = terms.truth(branch.condition);
      arrivals[branch.next].push_back(gates.both(goes_on, holds));
      goes_on = gates.both(goes_on, -holds);
    }
  }
  return arrivals;
}

}  // namespace inspect::symbolic
