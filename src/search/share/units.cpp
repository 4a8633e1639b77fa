#include "search/share/units.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "search/causality/reversal.hpp"

namespace inspect::search {

std::uint32_t Units::unit_of(NodeId node) const {
  while (tree_[node].depth > 1) node = tree_[node].parent;
  return tree_[node].unit;
}

// May another search explore this pending transition? While it is there, the transition sleeps in later siblings here with the
// label it has now, so that must be the one it will turn out to have; so must the labels of a wakeup sequence before it. What
// sleeps in a unit never changes: a transition below which a sequence could still be inserted stays here. So does one that lies
// behind states which the program has not shown here (in a unit not begun, or after a checkpoint).
bool Units::may_give(NodeId id) const {
  if (tree_[id].depth <= 1 || (open_.branching->has_sequences() && !tree_[id].free)) return false;
  for (; !tree_.executed(id); id = tree_[id].parent) {
    const Node& node = tree_[id];
    const bool certain = (Reversal::is_certain(node.operation) && node.exact) || mutated(Mutation::open_outcomes_are_given);
    if (!certain || node.remote) return false;
  }
  return tree_.has_event(id);
}

std::optional<std::pair<UnitName, std::string>> Units::give() {
  if (!host_.goes_on() || open_.order->size() < 2) return std::nullopt;
  const auto taken = open_.order->take_nearest([&](NodeId n) { return may_give(n); });
  if (!taken) return std::nullopt;
  const NodeId id = *taken;
  open_.branching->fall_asleep(id);
  tree_[id].state = NodeState::away;
  std::vector<NodeId> chain;
  for (NodeId n = id; tree_[n].depth; n = tree_[n].parent) chain.push_back(n);
  FrontierWriter writer(tree_);
  for (; !chain.empty(); chain.pop_back()) {
    writer.add(chain.back());
    if (open_.branching->has_sequences() && chain.size() > 1) add_covered(chain.back(), chain[chain.size() - 2], writer);
  }
  const UnitName name = peers_->new_name();
  given_[name] = id;
  return std::pair(name, format_frontier(with_sections(writer.take())));
}

// Writes what covers a sequence at this state, as Branching::insert() would find. A covered sequence need not be sent to the
// owner: sequences are long, and nearly all are covered.
void Units::add_covered(NodeId state, NodeId through, FrontierWriter& writer) const {
  if (tree_[state].remote) {
    for (const NodeId s : units_[unit_of(state)].covered[tree_[state].depth - 1]) writer.add_sleeper(s);
    return;
  }
  bool is_before = true;
  for (NodeId c = tree_[state].first_child; c != kNoNode; c = tree_[c].next_sibling) {
    const Node& child = tree_[c];
    if (c == through) is_before = false;
    const bool is_covered = is_before ? tree_.executed(c) || child.exact : child.free || mutated(Mutation::open_children_cover);
    if (c != through && is_covered && !child.never_sleeps) writer.add_sleeper(c);
  }
}

Frontier Units::with_sections(Frontier frontier) const {
  open_.sections.for_each([&](ThreadId t, std::uint32_t site, const Operation& touched) {
    frontier.sections.push_back({{t, 0}, touched});
    frontier.sections.back().operation.site = site;
  });
  return frontier;
}

// Learns what atomic sections touch from another search. If that is new, what this search has explored so far is void.
void Units::learn(const Frontier& frontier) {
  bool grew = false;
  for (const Sleeper& s : frontier.sections) {
    Operation touched = s.operation;
    touched.site = 0;
    grew |= open_.sections.learn(s.choice.thread, s.operation.site, touched);
  }
  if (grew && any_here()) host_.begin_again();
}

std::uint32_t Units::free_number() {
  const auto at = std::find_if(units_.begin() + 1, units_.end(), [](const WorkUnit& u) { return !u.name; });
  const auto number = static_cast<std::uint32_t>(at - units_.begin());
  if (at == units_.end()) units_.emplace_back();
  return number;
}

Result<bool> Units::adopt(UnitName name, std::string_view text) {
  auto read = parse_frontier(text);
  if (!read) return Error{read.error()};
  const auto& nodes = read->nodes;
  if (nodes.size() < 2 || nodes.front().node.depth != 1 || nodes.back().node.state != NodeState::pending)
    return Error{"a work unit without a transition to explore"};
  host_.ensure_begun();
  learn(*read);
  const std::uint32_t number = free_number();
  WorkUnit& unit = units_[number];
  unit = {};
  unit.name = name;
  unit.sleepers = load_sleepers(*read);
  unit.covered.resize(nodes.size() - 1);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    for (const std::uint32_t s : nodes[i].sleepers) unit.covered[i].push_back(unit.sleepers[s]);
  const bool is_copied = mutated(Mutation::states_have_many_owners) && !open_.branching->has_sequences();
  NodeId at = Tree::kAbroad;
  for (const FrontierNode& f : nodes) {
    at = load_node(f, at, {});
    tree_[at].remote = &f != &nodes.back() && !is_copied;
    if (unit.top == kNoNode) unit.top = at;
  }
  unit.leaf = is_copied ? unit.top : at;
  tree_[at].sent = false;
  tree_[unit.top].unit = tree_[unit.leaf].unit = number;
  // They fall asleep in the unit's transition when that is sent.
  for (const std::uint32_t s : nodes.back().sleepers) tree_[tree_[at].parent].sleep.push_back(unit.sleepers[s]);
  open_.add_pending(at);
  ++adopted_count_;
  return true;
}

void Units::send_remote(Races& races) {
  if (!adopted_count_) return;
  std::erase_if(races.list, [&](const Race& race) {
    const bool is_remote = tree_[path_.node(race.state)].remote;
    if (is_remote) send(race, races);
    return is_remote;
  });
}

// Sends the race to the unit's owner, unless that has it already.
void Units::send(const Race& race, const Races& all) {
  if (mutated(Mutation::races_stay_with_the_unit)) return;
  WorkUnit& unit = units_[unit_of_path()];
  ThreadSet there = race.first;
  there &= tree_[path_.node(race.state)].backtrack;
  if (!there.empty()) return;
  const bool has_sequence = race.begin != race.end;
  if (!has_sequence && !unit.told.insert({race.state, race.thread, race.first.word(0), race.first.word(1)}).second) return;
  const auto steps = all.sequence(race);
  if (has_sequence && race.state && open_.branching->is_covered(unit.covered[race.state - 1], steps)) return;
  peers_->send_race(unit.name, {race.state, race.thread, race.first, {steps.begin(), steps.end()}});
}

void Units::take_race(UnitName given, const RemoteRace& remote) {
  const auto at = given_.find(given);
  if (at == given_.end() || host_.stopped()) return;
  NodeId through = kNoNode, node = at->second;
  for (; tree_[node].depth > remote.state; node = tree_[node].parent) through = node;
  if (tree_[node].remote) return peers_->send_race(units_[unit_of(at->second)].name, remote);
  if (!remote.steps.empty()) {
    const NodeId leaf = open_.branching->insert(node, through, remote.steps);
    if (leaf != kNoNode) open_.add_pending(leaf);
    return;
  }
  open_.move_to(node);
  Races races;
  races.list.push_back({.state = remote.state, .thread = remote.thread, .first = remote.first});
  host_.apply(races);
}

void Units::take_finished(UnitName given, const UnitResult& result) {
  const auto at = given_.find(given);
  if (at == given_.end() || host_.stopped()) return;
  const NodeId id = at->second;
  given_.erase(at);
  units_[unit_of(id)].counts += result.counts;
  Node& node = tree_[id];
  node.state = NodeState::open;
  node.executions = result.counts.executions;
  node.never_sleeps = result.never_sleeps;
  host_.close(id);
}

void Units::take_back(UnitName given) {
  const auto at = given_.find(given);
  if (at == given_.end()) return;
  tree_[at->second].state = NodeState::pending;
  open_.add_pending(at->second);
  given_.erase(at);
}

void Units::drop(UnitName adopted) {
  const auto at = std::ranges::find(units_, adopted, &WorkUnit::name);
  if (at == units_.end() || at == units_.begin()) return;
  forget_below(at->leaf);
  remove(static_cast<std::uint32_t>(at - units_.begin()));
}

// Takes all pending transitions below out of the order, and cancels units given away from there.
void Units::forget_below(NodeId top) {
  std::vector<NodeId> below{top};
  for (std::size_t i = 0; i < below.size(); ++i) {
    const NodeId id = below[i];
    for (NodeId c = tree_[id].first_child; c != kNoNode; c = tree_[c].next_sibling) below.push_back(c);
    if (tree_[id].state == NodeState::pending && tree_[id].first_child == kNoNode) open_.order->remove(id);
    if (tree_[id].state != NodeState::away) continue;
    const auto given = std::ranges::find_if(given_, [&](const auto& g) { return g.second == id; });
    if (given == given_.end()) continue;
    peers_->send_cancel(given->first);
    given_.erase(given);
  }
}

void Units::remove(std::uint32_t number) {
  WorkUnit& unit = units_[number];
  while (path_.depth() > 0 && path_.node(1) == unit.top) path_.pop();
  CHECK(path_.depth() == 0 || path_.node(1) != unit.top);
  tree_.remove(unit.top);
  for (const NodeId s : unit.sleepers) tree_.free_sleeper(s);
  unit = {};
  --adopted_count_;
}

void Units::finish() {
  if (!adopted_count_) return;
  for (const NodeId leaf : tree_.take_finished()) {
    const std::uint32_t number = tree_[leaf].unit;
    const WorkUnit& unit = units_[number];
    peers_->send_finished(unit.name, {unit.counts, tree_[leaf].never_sleeps});
    remove(number);
  }
}

}  // namespace inspect::search
