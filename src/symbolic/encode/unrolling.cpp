#include "symbolic/encode/unrolling.hpp"

#include <algorithm>

#include "symbolic/mutation.hpp"
#include "symbolic/system/footprint.hpp"

namespace inspect::symbolic {

Unrolling::Unrolling(const System& system, OrderKind order, Stutters stutters, const SolverSetup& setup)
    : Encoding(system, setup), stutters_(stutters) {
  find_contended_cells();
  order_.emplace(gates_, order, system.threads.size(), slot_count_);
  end_in(std::make_unique<Frame>(first_));
}

// Two threads touch such a cell, one of them writes it: others make no two transitions dependent.
void Unrolling::find_contended_cells() {
  std::vector<std::optional<ThreadIndex>> toucher(system_.cells.size());
  std::vector<bool> several(system_.cells.size()), written(system_.cells.size());
  for (ThreadIndex t = 0; t < system_.threads.size(); ++t)
    for (const Location& location : system_.threads[t].locations)
      for (const Touch& touch : shared_touches(system_, all_touches(system_, location.transition)))
        for (CellId c = touch.first; c < touch.first + touch.extent; ++c) {
          several[c] = several[c] || (toucher[c] && *toucher[c] != t);
          toucher[c] = t;
          written[c] = written[c] || touch.writes;
        }
  slots_.resize(system_.cells.size());
  for (CellId c = 0; c < system_.cells.size(); ++c)
    if (several[c] && written[c]) slots_[c] = slot_count_++;
}

void Unrolling::add_touches(ThreadIndex thread, LocationId location, std::vector<std::vector<Literal>>& reads,
                            std::vector<std::vector<Literal>>& writes) {
  const Transition& transition = system_.threads[thread].locations[location].transition;
  std::vector<Touch> touches = shared_touches(system_, all_touches(system_, transition));
  if (mutated(Mutation::guards_not_read)) {
    std::vector<Touch> of_guard = guard_touches(system_, transition);
    std::erase_if(touches, [&](const Touch& t) {
      return !t.writes && std::any_of(of_guard.begin(), of_guard.end(), [&](const Touch& g) { return g.first == t.first; });
    });
  }
  const Literal here =
      mutated(Mutation::blocked_touch_nothing) ? pending_.fires[thread][location] : frame_->at[thread][location];
  for (const Touch& touch : touches) {
    const Literal happens = gates_.both(here, terms_->truth(touch.condition));
    for (std::uint32_t i = 0; i < touch.extent; ++i) {
      const auto slot = slots_[touch.first + i];
      if (!slot) continue;
      Literal hits = touch.index ? terms_->hits({touch.first, touch.extent, touch.index}, i) : gates_.truth(true);
      if (mutated(Mutation::indices_touch_first) && touch.index) hits = gates_.truth(i == 0);
      (touch.writes ? writes : reads)[*slot].push_back(gates_.both(happens, hits));
    }
  }
}

FootprintBits Unrolling::footprint(ThreadIndex thread) {
  std::vector<std::vector<Literal>> reads(slot_count_), writes(slot_count_);
  const Thread& of = system_.threads[thread];
  for (LocationId l = 0; l < of.locations.size(); ++l)
    if (of.locations[l].kind == LocationKind::runs && !gates_.is_false(frame_->at[thread][l]))
      add_touches(thread, l, reads, writes);
  FootprintBits bits;
  for (auto& r : reads) bits.reads.push_back(gates_.any(std::move(r)));
  for (auto& w : writes) bits.writes.push_back(gates_.any(std::move(w)));
  return bits;
}

std::vector<Literal> Unrolling::choose_thread() {
  std::vector<Literal> scheduled;
  for (ThreadIndex t = 0; t < system_.threads.size(); ++t)
    scheduled.push_back(gates_.is_false(pending_.enabled[t]) ? gates_.truth(false) : solver_.fresh());
  for (std::size_t i = 0; i < scheduled.size(); ++i) {
    gates_.require({-scheduled[i], pending_.enabled[i]});
    for (std::size_t j = i + 1; j < scheduled.size(); ++j) gates_.require({-scheduled[i], -scheduled[j]});
  }
  if (stutters_ == Stutters::none) {
    gates_.require(scheduled);
  } else if (!scheduled_.empty()) {
    for (const Literal s : scheduled) {
      std::vector<Literal> somebody_before = scheduled_.back();
      somebody_before.push_back(-s);
      gates_.require(std::move(somebody_before));
    }
  }
  return scheduled;
}

void Unrolling::take(ThreadIndex t, const std::vector<Literal>& scheduled, Changes& changes, Frame& next) {
  const Thread& thread = system_.threads[t];
  std::vector<Literal> fires;
  for (const Literal l : pending_.fires[t]) fires.push_back(gates_.both(scheduled[t], l));
  for (LocationId l = 0; l < thread.locations.size(); ++l)
    if (!gates_.is_false(fires[l])) update_cells(gates_, *terms_, thread.locations[l].transition, fires[l], changes);
  auto arrivals = arrivals_of(gates_, *terms_, thread, fires);
  for (LocationId l = 0; l < thread.locations.size(); ++l) {
    arrivals[l].push_back(gates_.both(-scheduled[t], frame_->at[t][l]));
    next.at[t][l] = gates_.any(std::move(arrivals[l]));
  }
}

// Implied by the steps so far; said, it is known without a search.
void Unrolling::require_one_location_each() {
  for (const auto& at : frame_->at) {
    std::vector<Literal> possible;
    for (const Literal l : at)
      if (!gates_.is_false(l)) possible.push_back(l);
    gates_.require(possible);
    for (std::size_t i = 0; i < possible.size(); ++i)
      for (std::size_t j = i + 1; j < possible.size(); ++j) gates_.require({-possible[i], -possible[j]});
  }
}

void Unrolling::add_step() {
  const std::vector<Literal> scheduled = choose_thread();
  Step step{scheduled, {}};
  for (ThreadIndex t = 0; t < system_.threads.size(); ++t) step.pending.push_back(footprint(t));
  auto next = std::make_unique<Frame>(*frame_);
  Changes changes(system_.cells.size());
  for (ThreadIndex t = 0; t < system_.threads.size(); ++t) take(t, scheduled, changes, *next);
  for (CellId c = 0; c < system_.cells.size(); ++c) next->cells[c] = gates_.select(changes[c], frame_->cells[c]);
  order_->constrain(step);
  scheduled_.push_back(scheduled);
  end_in(std::move(next));
  require_one_location_each();
}

std::vector<ThreadIndex> Unrolling::schedule_in_model() {
  std::vector<ThreadIndex> schedule;
  for (const auto& scheduled : scheduled_)
    for (ThreadIndex t = 0; t < scheduled.size(); ++t)
      if (solver_.value(scheduled[t])) schedule.push_back(t);
  return schedule;
}

}  // namespace inspect::symbolic
