#include "symbolic/system/footprint.hpp"

#include <algorithm>
#include <set>

namespace inspect::symbolic {

namespace {

// Gathers the cells that terms read; each term is looked at once.
class Reads {
 public:
  explicit Reads(const Terms& terms) : terms_(terms) {}

  void add(Term t) {
    visit_terms(
        terms_, t, [&](Term of) { return seen_.contains(of); },
        [&](Term of) {
          seen_.insert(of);
          const TermNode& node = terms_[of];
          const auto first = static_cast<CellId>(node.value);
          if (node.kind == TermKind::cell) touches_.push_back({first, 1, std::nullopt});
          if (node.kind == TermKind::element) touches_.push_back({first, node.extent, node.a});
        });
  }
  std::vector<Touch> take() { return std::move(touches_); }

 private:
  const Terms& terms_;
  std::set<Term> seen_;
  std::vector<Touch> touches_;
};

}  // namespace

std::vector<Touch> all_touches(const System& system, const Transition& transition) {
  Reads reads(system.terms);
  reads.add(transition.guard);
  for (const Update& u : transition.updates) {
    reads.add(u.value);
    reads.add(u.condition);
    if (u.target.index) reads.add(*u.target.index);
  }
  for (const Branch& b : transition.branches) reads.add(b.condition);
  for (const Check& c : transition.checks) reads.add(c.fails);
  for (const Access& a : transition.accesses) {
    reads.add(a.condition);
    if (a.target.index) reads.add(*a.target.index);
  }
  std::vector<Touch> touches = reads.take();
  for (const Access& a : transition.accesses)
    touches.push_back({a.target.first, a.target.extent, a.target.index, a.writes, a.condition});
  for (const Update& u : transition.updates)
    touches.push_back({u.target.first, u.target.extent, u.target.index, true, u.condition});
  return touches;
}

std::vector<Touch> guard_touches(const System& system, const Transition& transition) {
  Reads reads(system.terms);
  reads.add(transition.guard);
  return reads.take();
}

std::vector<Touch> shared_touches(const System& system, std::vector<Touch> touches) {
  std::erase_if(touches, [&](const Touch& t) { return system.cells[t.first].owner != kShared; });
  return touches;
}

}  // namespace inspect::symbolic
