#include "search/cut/visited.hpp"

#include <algorithm>

#include "search/mutation.hpp"

namespace inspect::search {

Visited::Record& Visited::record(NodeId node) {
  if (node >= records_.size()) records_.resize(node + 1);
  return records_[node];
}

Visited::Entry& Visited::slot(std::vector<Entry>& table, StateId state) const {
  std::size_t i = (state.low ^ (state.high * 0x9E3779B97F4A7C15ull)) & (table.size() - 1);
  while (table[i].used && !(table[i].state == state)) i = (i + 1) & (table.size() - 1);
  return table[i];
}

Visited::Entry& Visited::find(StateId state) {
  if (2 * (count_ + 1) > table_.size()) grow();
  return slot(table_, state);
}

void Visited::grow() {
  std::vector<Entry> wider(2 * table_.size());
  for (const Entry& e : table_)
    if (e.used) slot(wider, e.state) = e;
  table_ = std::move(wider);
}

Visited::Arrival Visited::arrive(const Path& path, NodeId node, StateId state) {
  Record& r = record(node);
  r.state = state;
  r.locks = mutated(Mutation::summary_keeps_locks) ? path.locks(tree_[node].choice.thread) : path.locks_before(path.depth());
  r.possible.clear();
  r.spoilt = r.cut = false;
  if (state.unique()) return Arrival::fresh;
  Entry& e = find(state);
  if (!e.used) {
    e.state = state;
    e.used = true;
    ++count_;
  }
  if (e.known) {
    const SleepSet& before = *sleep_sets_[e.slept];
    if (std::ranges::includes(asleep_at(node), before) || mutated(Mutation::known_whatever_slept)) {
      r.cut = true;
      r.summary = e.summary;
      return Arrival::known;
    }
    std::erase_if(tree_[node].sleep, [&](NodeId s) { return !std::ranges::binary_search(before, tree_[s].choice); });
  }
  if (e.open == kNoNode) {
    e.open = node;
    return Arrival::fresh;
  }
  const std::uint32_t depth = tree_[e.open].depth;
  return depth < path.depth() && path.node(depth) == e.open ? Arrival::cycle : Arrival::fresh;
}

std::uint32_t Visited::number_of(const SleepSet& set) {
  const auto [at, fresh] = sleep_set_numbers_.try_emplace(set, static_cast<std::uint32_t>(sleep_sets_.size()));
  if (fresh) sleep_sets_.push_back(&at->first);
  return at->second;
}

Visited::SleepSet Visited::asleep_at(NodeId node) const {
  SleepSet out;
  for (const NodeId s : tree_[node].sleep) out.push_back(tree_[s].choice);
  std::ranges::sort(out);
  return out;
}

void Visited::add_waiting(NodeId node, const ThreadOperation& o) {
  Summaries::insert(record(node).possible, summaries_.number_of(o));
}

void Visited::begin_mirror(NodeId node) {
  Record& r = record(node);
  r = Record{};
}

void Visited::spoil(NodeId node) {
  for (; node != kNoNode; node = tree_[node].parent) record(node).spoilt = true;
}

void Visited::on_closing(NodeId node) {
  Record& r = record(node);
  if (!r.cut) r.summary = summaries_.number_of(r.possible);
  if (!r.cut && !r.state.unique()) {
    Entry& e = find(r.state);
    if (e.open == node) e.open = kNoNode;
    const SleepSet slept = asleep_at(node);
    if (!r.spoilt && (!e.known || std::ranges::includes(*sleep_sets_[e.slept], slept))) {
      e.known = true;
      e.summary = r.summary;
      e.slept = number_of(slept);
    }
  }
  const Node& n = tree_[node];
  r.state = StateId{};  // the node's number may be reused for a node that is never executed
  if (n.parent == kNoNode) return;
  const Summaries::Number own = summaries_.number_of(ThreadOperation{n.choice.thread, n.operation, record(node).locks});
  Record& above = record(n.parent);
  Summaries::insert(above.possible, own);
  if (!mutated(Mutation::summary_of_next_only)) Summaries::insert(above.possible, summaries_.set(record(node).summary));
}

}  // namespace inspect::search
