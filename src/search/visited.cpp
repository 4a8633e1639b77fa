#include "search/visited.hpp"

#include "search/mutation.hpp"

namespace inspect::search {

Visited::Record& Visited::record(NodeId node) {
  if (node >= records_.size()) records_.resize(node + 1);
  return records_[node];
}

Visited::Entry& Visited::slot(std::vector<Entry>& table, StateId state) const {
  std::size_t i = (state.low ^ (state.high * 0x9E3779B97F4A7C15ull)) & (table.size() - 1);
  while (table[i].kind != Entry::Kind::empty && !(table[i].state == state)) i = (i + 1) & (table.size() - 1);
  return table[i];
}

Visited::Entry& Visited::find(StateId state) {
  if (2 * (count_ + 1) > table_.size()) grow();
  return slot(table_, state);
}

void Visited::grow() {
  std::vector<Entry> wider(2 * table_.size());
  for (const Entry& e : table_)
    if (e.kind != Entry::Kind::empty) slot(wider, e.state) = e;
  table_ = std::move(wider);
}

Visited::Arrival Visited::arrive(const Path& path, NodeId node, StateId state) {
  Record& r = record(node);
  r.state = state;
  r.possible.clear();
  r.spoilt = r.cut = false;
  if (state.unique()) return Arrival::fresh;
  Entry& e = find(state);
  switch (e.kind) {
    case Entry::Kind::known:
      r.cut = true;
      r.summary = e.value;
      return Arrival::known;
    case Entry::Kind::open: {
      const std::uint32_t depth = tree_[e.value].depth;
      return depth < path.depth() && path.node(depth) == e.value ? Arrival::cycle : Arrival::fresh;
    }
    case Entry::Kind::empty:
      e.state = state;
      ++count_;
      [[fallthrough]];
    case Entry::Kind::spoilt:
      e.kind = Entry::Kind::open;
      e.value = node;
      break;
  }
  return Arrival::fresh;
}

void Visited::add_waiting(NodeId node, ThreadId t, const Operation& o) {
  Summaries::insert(record(node).possible, summaries_.operation(t, o));
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
    if (e.kind == Entry::Kind::open && !r.spoilt) {
      e.kind = Entry::Kind::known;
      e.value = r.summary;
    } else if (e.kind == Entry::Kind::open && e.value == node) {
      e.kind = Entry::Kind::spoilt;
    }
  }
  const Node& n = tree_[node];
  if (n.parent == kNoNode) return;
  const Summaries::Number own = summaries_.operation(n.choice.thread, n.operation);
  Record& above = record(n.parent);
  Summaries::insert(above.possible, own);
  if (!mutated(Mutation::summary_of_next_only)) Summaries::insert(above.possible, summaries_.set(record(node).summary));
}

}  // namespace inspect::search
