// Read-write locks: the readers, one bit a thread, and above them the writer's number.
//
// Readers come in whenever no writer is in, as the C library has it unless told otherwise. A thread that reads twice at once
// would have to be counted: unsupported.
#include "symbolic/frontend/region.hpp"

namespace inspect::symbolic {

Region::Flow Region::rwlock_operation(const llvm::CallBase& call, llvm::StringRef what) {
  if (!path_.is_fresh) return stop_at_visible();
  const bool is_known = what == "rdlock" || what == "wrlock" || what == "tryrdlock" || what == "trywrlock" ||
                        what == "unlock" || what == "init" || what == "destroy";
  if (!is_known) return unsupported(call, "a call to pthread_rwlock_" + what.str());
  const auto hits = synchronisation(call.getArgOperand(0), SlotKind::rwlock, call);
  if (hits.empty()) return Flow::stop;
  describe(call, what.str());
  if (what == "init") {
    const auto attributes = read(call.getArgOperand(1));
    if (!attributes || attributes->bits != terms_.constant(64, 0))
      return unsupported(call, "a read-write lock with attributes");
    initialise(hits, SlotKind::rwlock, terms_.constant(64, 0), "a read-write lock", call);
    return returns(call, 0);
  }
  const Term held = held_by(hits, SlotKind::rwlock);
  const Term is_none = terms_.equal(held, kNotInitialised), is_free = terms_.equal(held, 0);
  const Term readers = terms_.extract(held, 0, 32), writer = terms_.extract(held, 32, 8);
  const Term own = terms_.constant(32, std::uint64_t{1} << thread_);
  const Term own_reads = terms_.negation(terms_.equal(terms_.binary(TermKind::conjunction, readers, own), 0));
  const Term own_writes = terms_.equal(writer, owner_number());
  const Term is_unwritten = terms_.equal(writer, 0);
  const Term with_own = joined(terms_.binary(TermKind::disjunction, readers, own), terms_.constant(32, 0));
  const Term written = joined(terms_.constant(32, 0), terms_.constant(32, thread_ + 1));
  const bool reads = what.ends_with("rdlock"), tries = what.starts_with("try");
  // Who holds it already and asks again does not wait here: the checks tell.
  if (what == "rdlock") result_.transition.guard = terms_.either(is_unwritten, terms_.either(is_none, own_writes));
  if (what == "wrlock")
    result_.transition.guard = terms_.either(is_free, terms_.either(is_none, terms_.either(own_writes, own_reads)));
  require_not(is_none, FailureKind::api_misuse, "a read-write lock that is not initialised", call);
  if (what == "destroy") {
    require_not(terms_.negation(is_free), FailureKind::api_misuse, "a read-write lock is destroyed that is held", call);
    store_to(hits, {terms_.constant(64, kNotInitialised)}, Terms::truth(true));
    return returns(call, 0);
  }
  if (what == "unlock") {
    require_not(terms_.negation(terms_.either(own_reads, own_writes)), FailureKind::api_misuse,
                "an unlock of a read-write lock that the thread does not hold", call);
    const Term without =
        joined(terms_.binary(TermKind::conjunction, readers, terms_.unary(TermKind::inverted, own)), terms_.constant(32, 0));
    store_to(hits, {terms_.choice(own_writes, terms_.constant(64, 0), without)}, Terms::truth(true));
    return returns(call, 0);
  }
  require_not(terms_.either(own_reads, own_writes), FailureKind::unsupported, "a read-write lock that the thread holds already",
              call);
  if (!tries) {
    store_to(hits, {reads ? with_own : written}, Terms::truth(true));
    return returns(call, 0);
  }
  const Term succeeds = reads ? is_unwritten : is_free;
  if (wants_races())
    note_limit(terms_.negation(succeeds), "a try of a lock that fails: races behind it are not known (--races=ignore)", call);
  store_to(hits, {reads ? with_own : written}, succeeds);
  const unsigned width = call.getType()->getIntegerBitWidth();
  set(call, {terms_.choice(succeeds, terms_.constant(width, 0), terms_.constant(width, 16))});  // EBUSY
  return Flow::next;
}

}  // namespace inspect::symbolic
