// Barriers: a thread arrives, and leaves once its round is complete. Two visible operations of one call.
//
// Of each thread a barrier holds two bits, below and above. None: the thread is not in it; below: it waits; above: its round is
// complete, but it has not gone on; both: likewise, and it is the round's serial thread, which is any of them. Whoever has not
// gone on from its round cannot be in the next one, so rounds do not mix.
//
// What orders two accesses by a barrier makes one happen before the other: an arrival happens before every leave of its round,
// and rounds that have no threads in common, nor anything else that orders them, could be the other way round.
#include "symbolic/frontend/region.hpp"

namespace inspect::symbolic {

Region::Flow Region::barrier_operation(const llvm::CallBase& call, llvm::StringRef what) {
  if (!path_.is_fresh) return stop_at_visible();
  if (what != "init" && what != "wait" && what != "destroy")
    return unsupported(call, "a call to pthread_barrier_" + what.str());
  const auto hits = synchronisation(call.getArgOperand(0), SlotKind::barrier, call);
  if (hits.empty()) return Flow::stop;
  if (what == "wait") return barrier_wait(call, hits);
  describe(call, what.str());
  if (what == "init") {
    const auto attributes = read(call.getArgOperand(1)), count = read(call.getArgOperand(2));
    if (!attributes || attributes->bits != terms_.constant(64, 0)) return unsupported(call, "a barrier with attributes");
    if (!count || !terms_.is_constant(count->bits) || terms_[count->bits].value == 0)
      return unsupported(call, "a barrier for a number of threads that is not known");
    for (const Hit& hit : hits) program_.memory.note_count(hit.first, terms_[count->bits].value);
    initialise(hits, SlotKind::barrier, terms_.constant(64, 0), "a barrier", call);
    return returns(call, 0);
  }
  const Term held = held_by(hits, SlotKind::barrier);
  const Term is_none = terms_.equal(held, kNotInitialised);
  const Term below = terms_.extract(held, 0, 32), above = terms_.extract(held, 32, 32);
  // It waits until all have left.
  const Term someone_waits =
      terms_.negation(terms_.equal(terms_.binary(TermKind::conjunction, below, terms_.unary(TermKind::inverted, above)), 0));
  result_.transition.guard = terms_.either(terms_.equal(above, 0), terms_.either(is_none, someone_waits));
  require_not(is_none, FailureKind::api_misuse, "a barrier that is not initialised", call);
  require_not(someone_waits, FailureKind::api_misuse, "a barrier is destroyed that threads wait at", call);
  store_to(hits, {terms_.constant(64, kNotInitialised)}, Terms::truth(true));
  return returns(call, 0);
}

Region::Flow Region::barrier_wait(const llvm::CallBase& call, const std::vector<Hit>& hits) {
  const Term held = held_by(hits, SlotKind::barrier);
  const Term below = terms_.extract(held, 0, 32), above = terms_.extract(held, 32, 32);
  const Term own = terms_.constant(32, std::uint64_t{1} << thread_);
  const auto with = [&](Term set, Term more) { return terms_.binary(TermKind::disjunction, set, more); };
  const auto common = [&](Term set, Term other) { return terms_.binary(TermKind::conjunction, set, other); };
  const auto without = [&](Term set, Term less) { return common(set, terms_.unary(TermKind::inverted, less)); };
  const auto has_own = [&](Term set) { return terms_.negation(terms_.equal(common(set, own), 0)); };
  if (path_.environment.stage == 1) {
    describe(call, "leave");
    result_.transition.guard = has_own(above);
    const unsigned width = call.getType()->getIntegerBitWidth();
    set(call, {terms_.choice(has_own(below), terms_.constant(width, ~std::uint64_t{0}), terms_.constant(width, 0))});
    store_to(hits, {joined(without(below, own), without(above, own))}, Terms::truth(true));
    path_.environment.stage = 0;
    return Flow::next;
  }
  describe(call, "arrive");
  require_not(terms_.equal(held, kNotInitialised), FailureKind::api_misuse, "a barrier that is not initialised", call);
  Term count = terms_.constant(32, 0), several = Terms::truth(false);
  for (const Hit& hit : hits) {
    const auto& counts = program_.memory.counts_of(hit.first);
    if (counts.size() != 1) several = terms_.either(several, hit.condition);
    if (!counts.empty()) count = terms_.choice(hit.condition, terms_.constant(32, *counts.begin()), count);
  }
  require_not(several, FailureKind::unsupported, "a barrier that is initialised for different numbers of threads", call);
  if (is_dead()) return Flow::stop;
  const Term arrived = with(without(below, above), own);
  Term number = terms_.constant(32, 0);
  for (unsigned t = 0; t < 32; ++t)
    number = terms_.binary(TermKind::sum, number, terms_.extend(terms_.extract(arrived, t, 1), 32, false));
  const Term is_complete = terms_.equal(number, count);
  const Term serial = chosen_waiter(arrived, call);
  result_.transition.wakes = terms_.choice(is_complete, serial, terms_.constant(32, 0));
  store_to(hits,
           {joined(terms_.choice(is_complete, with(common(below, above), serial), with(below, own)),
                   terms_.choice(is_complete, with(above, arrived), above))},
           Terms::truth(true));
  path_.environment.stage = 1;
  return stop_at_visible();
}

}  // namespace inspect::symbolic
