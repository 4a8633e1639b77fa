// Parts of an exploration given to other searches, taken from them, written down, and read again.
#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "search/causality/reversal.hpp"
#include "search/core/exploration.hpp"
#include "search/share/restored.hpp"

namespace inspect::search {

std::uint32_t Exploration::unit_of(NodeId node) const {
  while (tree_[node].depth > 1) node = tree_[node].parent;
  return tree_[node].unit;
}

// May another search explore this pending transition? While it is there, the transition sleeps in later siblings here with the
// label it has now, so that must be the one it will turn out to have; so must the labels of a wakeup sequence before it. What
// sleeps in a unit never changes: a transition below which a sequence could still be inserted stays here. So does one that lies
// behind states which the program has not shown here (in a unit not begun, or after a checkpoint).
bool Exploration::may_give(NodeId id) const {
  if (tree_[id].depth <= 1 || (traits_.wakeup && !tree_[id].free)) return false;
  for (; !tree_.executed(id); id = tree_[id].parent) {
    const Node& node = tree_[id];
    const bool certain = (Reversal::is_certain(node.operation) && node.exact) || mutated(Mutation::open_outcomes_are_given);
    if (!certain || node.remote) return false;
  }
  return tree_.has_event(id);
}

std::optional<std::pair<UnitName, std::string>> Exploration::give() {
  if (!begun_ || stop_ || restart_ || order_->size() < 2) return std::nullopt;
  const auto taken = order_->take_nearest([&](NodeId n) { return may_give(n); });
  if (!taken) return std::nullopt;
  const NodeId id = *taken;
  if (traits_.wakeup)
    wakeup_.fall_asleep_above(id, options_.keep_going);
  else
    collect_sleepers(id);
  tree_[id].state = NodeState::in_flight;
  chain_.clear();
  for (NodeId n = id; tree_[n].depth; n = tree_[n].parent) chain_.push_back(n);
  FrontierWriter writer(tree_);
  for (; !chain_.empty(); chain_.pop_back()) {
    writer.add(chain_.back());
    if (traits_.wakeup && chain_.size() > 1) add_covered(chain_.back(), chain_[chain_.size() - 2], writer);
  }
  const UnitName name = peers_->new_name();
  given_[name] = id;
  return std::pair(name, format_frontier(with_sections(writer.take())));
}

// Writes what covers a sequence at this state, as Wakeup::insert() would find: such a sequence need not be sent to the owner.
// Sequences are long, and nearly all are covered.
void Exploration::add_covered(NodeId state, NodeId through, FrontierWriter& writer) const {
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

Frontier Exploration::with_sections(Frontier frontier) const {
  sections_.for_each([&](ThreadId t, std::uint32_t site, const Operation& touched) {
    frontier.sections.push_back({{t, 0}, touched});
    frontier.sections.back().operation.site = site;
  });
  return frontier;
}

// What this search learns from another makes what it has explored so far void.
void Exploration::learn(const Frontier& frontier) {
  bool grew = false;
  for (const Sleeper& s : frontier.sections) {
    Operation touched = s.operation;
    touched.site = 0;
    grew |= sections_.learn(s.choice.thread, s.operation.site, touched);
  }
  if (grew && (adopted_count_ || home_)) restart_ = true;
}

void Exploration::use_source() {
  if (!traits_.wakeup) return;
  fall_back();
  restart_ = begun_ && (adopted_count_ || home_);
  if (begun_ && !restart_) clear();
}

Result<bool> Exploration::adopt(UnitName name, std::string_view text) {
  auto read = parse_frontier(text);
  if (!read) return Error{read.error()};
  const auto& nodes = read->nodes;
  if (nodes.size() < 2 || nodes.front().node.depth != 1 || nodes.back().node.state != NodeState::pending)
    return Error{"a work unit without a transition to explore"};
  if (!begun_) clear();
  learn(*read);
  auto number = static_cast<std::uint32_t>(
      std::find_if(units_.begin() + 1, units_.end(), [](const WorkUnit& u) { return !u.name; }) - units_.begin());
  if (number == units_.size()) units_.emplace_back();
  WorkUnit& unit = units_[number];
  unit = {};
  unit.name = name;
  unit.sleepers = load_sleepers(*read);
  unit.covered.resize(nodes.size() - 1);
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    for (const std::uint32_t s : nodes[i].sleepers) unit.covered[i].push_back(unit.sleepers[s]);
  const bool is_copied = mutated(Mutation::states_have_many_owners) && !traits_.wakeup;
  NodeId at = Tree::kAbroad;
  for (const FrontierNode& f : nodes) {
    at = load_node(f, at, {});
    tree_[at].remote = &f != &nodes.back() && !is_copied;
    if (unit.top == kNoNode) unit.top = at;
  }
  unit.leaf = is_copied ? unit.top : at;
  tree_[at].sent = false;
  tree_[unit.top].unit = tree_[unit.leaf].unit = number;
  // They fall asleep in it when it is sent.
  for (const std::uint32_t s : nodes.back().sleepers) tree_[tree_[at].parent].sleep.push_back(unit.sleepers[s]);
  order_->add(at, tree_[at].depth);
  ++adopted_count_;
  return true;
}

void Exploration::apply_races() {
  if (adopted_count_)
    std::erase_if(races_.list, [&](const Race& r) { return tree_[path_.node(r.state)].remote && send_away(r); });
  reduction_->apply(races_, *this);
}

// True: its owner knows, or is told.
bool Exploration::send_away(const Race& race) {
  if (mutated(Mutation::races_stay_with_the_unit)) return true;
  WorkUnit& unit = units_[unit_of_path()];
  ThreadSet there = race.first;
  there &= tree_[path_.node(race.state)].backtrack;
  if (!there.empty()) return true;
  const bool has_sequence = race.begin != race.end;
  if (!has_sequence && !unit.told.insert({race.state, race.thread, race.first.word(0), race.first.word(1)}).second) return true;
  const auto steps = races_.sequence(race);
  if (has_sequence && race.state && wakeup_.is_covered(unit.covered[race.state - 1], steps)) return true;
  peers_->send_race(unit.name, {race.state, race.thread, race.first, {steps.begin(), steps.end()}});
  return true;
}

void Exploration::take_race(UnitName given, const RemoteRace& remote) {
  const auto at = given_.find(given);
  if (at == given_.end() || stop_) return;
  NodeId through = kNoNode, node = at->second;
  for (; tree_[node].depth > remote.state; node = tree_[node].parent) through = node;
  if (tree_[node].remote) return peers_->send_race(units_[unit_of(at->second)].name, remote);
  if (!remote.steps.empty()) {
    const NodeId leaf = wakeup_.insert_at(node, through, remote.steps);
    if (leaf != kNoNode) order_->add(leaf, tree_[leaf].depth);
    return;
  }
  move_to(node);
  Races races;
  races.list.push_back({.state = remote.state, .thread = remote.thread, .first = remote.first});
  reduction_->apply(races, *this);
}

void Exploration::take_finished(UnitName given, const UnitResult& result) {
  const auto at = given_.find(given);
  if (at == given_.end() || stop_) return;
  const NodeId id = at->second;
  given_.erase(at);
  units_[unit_of(id)].counts += result.counts;
  Node& node = tree_[id];
  node.state = NodeState::open;
  node.executions = result.counts.executions;
  node.never_sleeps = result.never_sleeps;
  close(id);
}

void Exploration::take_back(UnitName given) {
  const auto at = given_.find(given);
  if (at == given_.end()) return;
  tree_[at->second].state = NodeState::pending;
  order_->add(at->second, tree_[at->second].depth);
  given_.erase(at);
}

void Exploration::drop(UnitName adopted) {
  const auto at = std::ranges::find(units_, adopted, &WorkUnit::name);
  if (at == units_.end() || at == units_.begin()) return;
  forget_below(at->leaf);
  remove_unit(static_cast<std::uint32_t>(at - units_.begin()));
}

// Nothing below is to be explored any more, here or elsewhere.
void Exploration::forget_below(NodeId top) {
  std::vector<NodeId> below{top};
  for (std::size_t i = 0; i < below.size(); ++i) {
    const NodeId id = below[i];
    for (NodeId c = tree_[id].first_child; c != kNoNode; c = tree_[c].next_sibling) below.push_back(c);
    if (tree_[id].state == NodeState::pending && tree_[id].first_child == kNoNode) order_->remove(id);
    if (tree_[id].state != NodeState::in_flight) continue;
    const auto given = std::ranges::find_if(given_, [&](const auto& g) { return g.second == id; });
    if (given == given_.end()) continue;
    peers_->send_cancel(given->first);
    given_.erase(given);
  }
}

void Exploration::remove_unit(std::uint32_t number) {
  WorkUnit& unit = units_[number];
  while (path_.depth() > 0 && path_.node(1) == unit.top) path_.pop();
  CHECK(path_.depth() == 0 || path_.node(1) != unit.top);
  tree_.remove(unit.top);
  for (const NodeId s : unit.sleepers) tree_.free_sleeper(s);
  unit = {};
  --adopted_count_;
}

void Exploration::finish_units() {
  if (!adopted_count_) return;
  for (const NodeId leaf : tree_.take_finished()) {
    const std::uint32_t number = tree_[leaf].unit;
    const WorkUnit& unit = units_[number];
    peers_->send_finished(unit.name, {unit.counts, tree_[leaf].never_sleeps});
    remove_unit(number);
  }
}

std::vector<NodeId> Exploration::load_sleepers(const Frontier& frontier) {
  std::vector<NodeId> out;
  for (const Sleeper& s : frontier.sleepers) out.push_back(tree_.add_sleeper(s.choice, s.operation));
  return out;
}

NodeId Exploration::load_node(const FrontierNode& from, NodeId parent, const std::vector<NodeId>& sleepers) {
  const NodeId id = tree_.add_child(parent, from.node.choice, from.node.operation);
  tree_.replace(id, from.node);
  if (!sleepers.empty())
    for (const std::uint32_t s : from.sleepers) tree_[id].sleep.push_back(sleepers[s]);
  return id;
}

// Preorder: a node before its children, those in their order.
Frontier Exploration::piece_of(NodeId top) const {
  FrontierWriter writer(tree_);
  std::vector<NodeId> open{top}, children;
  while (!open.empty()) {
    const NodeId id = open.back();
    open.pop_back();
    UnitName unit = 0;
    if (tree_[id].state == NodeState::in_flight)
      for (const auto& [name, node] : given_)
        if (node == id) unit = name;
    writer.add(id, unit);
    children.clear();
    for (NodeId c = tree_[id].first_child; c != kNoNode; c = tree_[c].next_sibling) children.push_back(c);
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  wakeup_.for_each_delayed([&](NodeId node, const std::vector<WakeupStep>& steps) { writer.add_sequence(node, steps); });
  return with_sections(writer.take());
}

std::vector<Exploration::Piece> Exploration::pieces() const {
  std::vector<Piece> out;
  for (const WorkUnit& unit : units_) {
    if (&unit == &units_.front() ? !home_ : !unit.name) continue;
    out.push_back({unit.name, unit.counts, format_frontier(piece_of(unit.name ? unit.leaf : Tree::kRoot))});
  }
  return out;
}

struct Exploration::Loading {
  std::map<UnitName, Frontier> pieces;
  std::map<UnitName, Counts> counts;
  std::set<UnitName> given;      // named by a node
  std::uint64_t executions = 0;  // of the nodes
};

namespace {
bool is_same_transition(const Node& a, const Node& b) {
  return a.depth == b.depth && a.choice == b.choice && a.operation.kind == b.operation.kind &&
         a.operation.object == b.operation.object;
}
}  // namespace

Result<bool> Exploration::load(const Frontier& frontier, NodeId top, Loading& loading) {
  const std::vector<NodeId> sleepers = load_sleepers(frontier);
  std::vector<NodeId> loaded{top}, above{top};  // by number, and the last of each depth
  const std::uint32_t base = tree_[top].depth;
  if (frontier.nodes.empty() || frontier.nodes.front().node.depth != base) return Error{"a piece of a tree that does not fit"};
  for (const std::uint32_t s : frontier.nodes.front().sleepers) tree_[top].sleep.push_back(sleepers[s]);
  for (std::size_t i = 1; i < frontier.nodes.size(); ++i) {
    const FrontierNode& f = frontier.nodes[i];
    above.resize(f.node.depth - base);
    if (f.node.state == NodeState::open && !tree_.executed(above.back()))
      return Error{"a piece of a tree in which a transition was executed before the one above it"};
    const NodeId id = load_node(f, above.back(), sleepers);
    if (f.node.state != NodeState::closed) loading.executions += f.node.executions;  // else those of its parent
    loaded.push_back(id);
    above.push_back(id);
    const bool is_leaf = i + 1 == frontier.nodes.size() || frontier.nodes[i + 1].node.depth <= f.node.depth;
    const auto piece = loading.pieces.find(f.unit);
    if (f.unit && !loading.given.insert(f.unit).second) return Error{"a work unit that was given twice"};
    if (f.unit && piece != loading.pieces.end() && is_leaf) {
      const FrontierNode& first = piece->second.nodes.front();
      if (!is_same_transition(first.node, f.node) || f.node.state != NodeState::pending || f.node.executions)
        return Error{"a work unit that does not fit"};
      const Frontier below = std::move(piece->second);
      loading.pieces.erase(piece);
      units_[0].counts += loading.counts[f.unit];
      if (below.nodes.front().node.state == NodeState::pending) {  // not begun: what sleeps in it stands here
        order_->add(id, f.node.depth);
        continue;
      }
      tree_[id].sleep.clear();
      tree_.replace(id, below.nodes.front().node);
      if (tree_[id].state != NodeState::closed) loading.executions += tree_[id].executions;
      if (auto rest = load(below, id, loading); !rest) return rest;
    } else if (f.node.state == NodeState::pending && is_leaf) {
      order_->add(id, f.node.depth);
    }
  }
  for (const auto& [number, steps] : frontier.sequences) {
    const Node& waits_for = tree_[loaded[number]];
    if (!traits_.wakeup || tree_.executed(loaded[number]) || waits_for.first_child != kNoNode)
      return Error{"a sequence that nothing holds up"};
    wakeup_.delay(loaded[number], steps);
  }
  return true;
}

Result<bool> Exploration::restore(const std::vector<Piece>& pieces, const Outcome& found) {
  resumed_ = true;
  if (found.beyond_bound && !options_.preemptions) return Error{"it has schedules beyond a bound, but none was given"};
  if (found.fell_back && !asked_for_.make()->traits().wakeup) return Error{"it fell back from another algorithm"};
  Loading loading;
  for (const Piece& p : pieces) {
    auto read = parse_frontier(p.text);
    if (!read) return Error{read.error()};
    if (read->nodes.empty()) return Error{"a piece without nodes"};
    if (format_frontier(*read) != p.text) return Error{"a piece that is not spelled as it would have been written"};
    if (!loading.pieces.emplace(p.name, std::move(*read)).second) return Error{"a work unit that stands there twice"};
    loading.counts[p.name] = p.counts;
  }
  const auto root = loading.pieces.find(0);
  if (root == loading.pieces.end() || root->second.nodes.front().node.depth)
    return Error{"no piece begins at the initial state"};
  const Frontier whole = std::move(root->second);
  loading.pieces.erase(root);
  clear();
  learn(whole);
  restart_ = whole.nodes.size() == 1 && whole.nodes.front().node.state == NodeState::open;  // nothing was explored yet
  if (restart_ && (found.executions || found.transitions)) return Error{"its counts contradict each other"};
  if (restart_) return true;
  units_[0].counts = loading.counts[0];
  tree_.replace(Tree::kRoot, whole.nodes.front().node);
  if (auto loaded = load(whole, Tree::kRoot, loading); !loaded) return loaded;
  loading.executions += whole.nodes.front().node.executions;
  if (!loading.pieces.empty()) return Error{"a work unit that nobody gave"};
  const Counts& counts = units_[0].counts;
  const Counts told{found.executions, found.redundant, found.limited, found.transitions};
  if (loading.executions != counts.executions || counts != told) return Error{"its counts contradict each other"};
  if (const auto wrong = Restored(tree_, traits_, options_, found).contradiction()) return *wrong;
  const bool finished = tree_[Tree::kRoot].state == NodeState::closed;
  if (finished != order_->empty()) return Error{"nothing is left to explore, but the search had not ended"};
  outcome_.executions = counts.executions;
  outcome_.redundant = counts.redundant;
  outcome_.limited = counts.limited;
  outcome_.transitions = counts.transitions;
  return true;
}

}  // namespace inspect::search
