// What atomic sections touch, learnt from the executions seen.
//
// What a section touches depends on what it reads, so in another order it may touch more than it did, and races with that would
// not be seen. Therefore each section (thread and place) has one label for the whole search: all that it was ever seen to
// touch. When a label grows, the search starts again. It is complete then (docs/algorithms.md, "Atomic sections").
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "model/dependence.hpp"
#include "search/mutation.hpp"

namespace inspect::search {

class Sections {
 public:
  // True if a label grew.
  bool learn(const Event& event) {
    if (event.operation.kind != INSPECT_OP_AtomicSection) return false;
    const auto [at, fresh] = touched_.try_emplace({event.choice.thread, event.operation.site});
    if (mutated(Mutation::sections_do_not_learn) && !fresh) return false;
    bool grew = fresh;
    for (const Operation& o : event.footprint) grew |= add(at->second, o);
    return grew;
  }

  // Takes over what for_each() of another object gave. True if a label grew.
  bool learn(ThreadId t, std::uint32_t site, const Operation& touched) {
    const auto [at, fresh] = touched_.try_emplace({t, site});
    return (touched.kind != INSPECT_OP_None && add(at->second, touched)) || fresh;
  }
  // Calls f(thread, site, range) for all that is known; a section that touches nothing comes once, with an operation of kind
  // None.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [at, all] : touched_) {
      for (const Operation& touched : all) f(at.first, at.second, touched);
      if (all.empty()) f(at.first, at.second, Operation{});
    }
  }

  // The label of an operation of t, pending or executed. Valid until the next learn().
  [[nodiscard]] Label label(ThreadId t, const Operation& o) const {
    if (o.kind != INSPECT_OP_AtomicSection) return {o};
    const auto at = touched_.find({t, o.site});
    if (at == touched_.end()) return {o};
    return {o, at->second, true};
  }

 private:
  static bool add(std::vector<Operation>& all, const Operation& o) {
    for (const Operation& known : all)
      if (known.kind == o.kind && known.rmw == o.rmw && known.flags == o.flags && known.object == o.object &&
          known.size == o.size && known.object2 == o.object2 && known.size2 == o.size2)
        return false;
    all.push_back(o);
    return true;
  }

  std::map<std::pair<ThreadId, std::uint32_t>, std::vector<Operation>> touched_;
};

}  // namespace inspect::search
