#include "search/share/frontier.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "search/mutation.hpp"

namespace inspect::search {

namespace {

// Flags of a node, the <marks> of its line.
enum : std::uint64_t { kFree = 1, kExact = 2, kNeverSleeps = 4, kRemote = 8, kSent = 16 };

void put(std::string& out, std::uint64_t number) {
  char digits[17];
  out += ' ';
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number, 16).ptr);
}

void put(std::string& out, Choice choice, const Operation& o) {
  for (const std::uint64_t n : {std::uint64_t{choice.thread}, std::uint64_t{choice.alternative}, std::uint64_t{o.kind},
                                std::uint64_t{o.order}, std::uint64_t{o.rmw}, std::uint64_t{o.flags}, std::uint64_t{o.site},
                                o.object, std::uint64_t{o.size}, o.object2, std::uint64_t{o.size2}})
    put(out, n);
}

void put(std::string& out, const FrontierNode& f) {
  const Node& n = f.node;
  out += "node";
  put(out, n.depth);
  put(out, static_cast<std::uint64_t>(n.state));
  put(out, (n.free ? kFree : 0) | (n.exact ? kExact : 0) | (n.never_sleeps ? kNeverSleeps : 0) | (n.remote ? kRemote : 0) |
               (n.sent ? kSent : 0));
  put(out, n.choice, n.operation);
  for (const std::uint64_t x :
       {n.backtrack.word(0), n.backtrack.word(1), std::uint64_t{n.preemptions}, n.executions, n.hash, f.unit})
    put(out, x);
  for (const std::uint32_t s : f.sleepers) put(out, s);
  out += '\n';
}

// The numbers of one line.
class Line {
 public:
  explicit Line(std::string_view text) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    word_ = text.substr(0, blank);
    rest_ = text.substr(blank);
  }
  [[nodiscard]] std::string_view word() const { return word_; }
  [[nodiscard]] bool empty() const { return rest_.empty(); }
  [[nodiscard]] bool wrong() const { return wrong_; }
  std::uint64_t number(std::uint64_t limit = UINT64_MAX) {
    std::uint64_t n = 0;
    if (rest_.empty() || rest_.front() != ' ') return fail();
    const auto [end, error] = std::from_chars(rest_.data() + 1, rest_.data() + rest_.size(), n, 16);
    if (error != std::errc() || n > limit) return fail();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return n;
  }
  template <class T>
  void read(T& to, std::uint64_t limit = std::numeric_limits<T>::max()) {
    to = static_cast<T>(number(limit));
  }
  void read(Choice& c, Operation& o) {
    read(c.thread, kMaxThreads - 1);
    read(c.alternative);
    read(o.kind, INSPECT_OP_COUNT - 1);
    read(o.order);
    read(o.rmw);
    read(o.flags);
    read(o.site);
    read(o.object);
    read(o.size);
    read(o.object2);
    read(o.size2);
  }

 private:
  std::uint64_t fail() {
    wrong_ = true;
    rest_ = {};
    return 0;
  }
  std::string_view word_, rest_;
  bool wrong_ = false;
};

// Reads lines into a frontier; false where one does not fit what came before.
class Reader {
 public:
  bool read(Line& line) {
    if (line.word() == "section") return read_transition(line, frontier.sections);
    if (line.word() == "sleeper") return read_transition(line, frontier.sleepers);
    if (line.word() == "node") return read_node(line);
    if (line.word() == "sequence") return read_sequence(line);
    return false;
  }
  // Has every sleeper a node in which it sleeps?
  [[nodiscard]] bool is_whole() const { return named_ == frontier.sleepers.size(); }
  Frontier frontier;

 private:
  static bool read_transition(Line& line, std::vector<Sleeper>& to) {
    Sleeper s{};
    line.read(s.choice, s.operation);
    to.push_back(s);
    return !line.wrong() && line.empty();
  }
  bool read_node(Line& line) {
    FrontierNode f;
    Node& n = f.node;
    line.read(n.depth);
    n.state = static_cast<NodeState>(line.number(static_cast<std::uint64_t>(NodeState::closed)));
    const std::uint64_t marks = line.number(kFree | kExact | kNeverSleeps | kRemote | kSent);
    n.free = marks & kFree;
    n.exact = marks & kExact;
    n.never_sleeps = marks & kNeverSleeps;
    n.remote = marks & kRemote;
    n.sent = marks & kSent;
    line.read(n.choice, n.operation);
    const std::uint64_t low = line.number(), high = line.number();
    n.backtrack = {low, high};
    line.read(n.preemptions);
    line.read(n.executions);
    line.read(n.hash);
    line.read(f.unit);
    while (!line.empty()) {
      const auto s = static_cast<std::uint32_t>(line.number(UINT32_MAX));
      const bool is_known = s < frontier.sleepers.size() && s <= named_ && std::ranges::find(f.sleepers, s) == f.sleepers.end();
      if (line.wrong() || !is_known) return false;
      if (s == named_) ++named_;
      f.sleepers.push_back(s);
    }
    // The parent of a node is the last one before it that is one less deep.
    const auto& all = frontier.nodes;
    const bool fits = all.empty() || (n.depth > all.front().node.depth && n.depth <= all.back().node.depth + 1);
    if (line.wrong() || !fits || n.state == NodeState::in_flight) return false;
    frontier.nodes.push_back(std::move(f));
    return true;
  }
  bool read_sequence(Line& line) {
    const std::uint64_t node = line.number();
    if (line.wrong() || node >= frontier.nodes.size()) return false;
    std::vector<SequenceStep> steps;
    while (!line.empty()) {
      SequenceStep& s = steps.emplace_back();
      s.exact = line.number(1) != 0;
      line.read(s.choice, s.operation);
      if (line.wrong()) return false;
    }
    frontier.sequences.emplace_back(static_cast<std::uint32_t>(node), std::move(steps));
    return true;
  }

  std::uint32_t named_ = 0;  // sleepers that nodes have named so far: numbers are given in that order
};

}  // namespace

std::string format_frontier(const Frontier& frontier) {
  std::string out;
  const auto put_all = [&](const char* word, const std::vector<Sleeper>& all) {
    for (const Sleeper& s : all) {
      out += word;
      put(out, s.choice, s.operation);
      out += '\n';
    }
  };
  put_all("section", frontier.sections);
  put_all("sleeper", frontier.sleepers);
  for (const FrontierNode& f : frontier.nodes) put(out, f);
  for (const auto& [node, steps] : frontier.sequences) {
    out += "sequence";
    put(out, node);
    for (const SequenceStep& s : steps) {
      put(out, s.exact);
      put(out, s.choice, s.operation);
    }
    out += '\n';
  }
  return out;
}

Result<Frontier> parse_frontier(std::string_view text) {
  Reader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    Line line(text.substr(0, end));
    if (end == std::string_view::npos || !reader.read(line))
      return Error{"line " + std::to_string(number) + ": expected a sleeper, a node or a sequence of an exploration tree"};
    text.remove_prefix(end + 1);
  }
  if (!reader.is_whole()) return Error{"a sleeper that sleeps nowhere"};
  return std::move(reader.frontier);
}

std::uint32_t FrontierWriter::number_of(NodeId sleeper) {
  const auto [at, fresh] = sleepers_.try_emplace(sleeper, static_cast<std::uint32_t>(frontier_.sleepers.size()));
  if (fresh) frontier_.sleepers.push_back({tree_[sleeper].choice, tree_[sleeper].operation});
  return at->second;
}

void FrontierWriter::add(NodeId id, std::uint64_t unit) {
  const Node& n = tree_[id];
  FrontierNode f;
  copy_facts(f.node, n);
  f.node.depth = n.depth;
  f.node.remote = n.remote;
  if (n.state == NodeState::in_flight || n.state == NodeState::away) f.node.state = NodeState::pending;
  if (mutated(Mutation::units_forget_the_scheduled)) f.node.backtrack = {};
  f.unit = unit;
  if (!mutated(Mutation::units_forget_sleepers))
    for (const NodeId s : n.sleep) f.sleepers.push_back(number_of(s));
  frontier_.nodes.push_back(std::move(f));
  nodes_.try_emplace(id, static_cast<std::uint32_t>(nodes_.size()));
}

void FrontierWriter::add_sequence(NodeId node, std::vector<SequenceStep> steps) {
  frontier_.sequences.emplace_back(nodes_.at(node), std::move(steps));
}

}  // namespace inspect::search
