// Our automata and those of two other translators, lbt and spin, must accept the same words.
//
// lbt prints generalised Büchi automata, spin never claims. Both are read and run here by an interpreter of its own; a tool
// that is not installed is passed over.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "explicit_engine/ltl/normal_form.hpp"
#include "explicit_engine/ltl/translate.hpp"
#include "reference.hpp"

namespace inspect::explicit_engine::ltl {
namespace {

using C = Connective;

// Acceptance on states; a guard is read with the letter of the state that is left.
struct Foreign {
  struct Edge {
    std::function<bool(Valuation)> guard;
    int target = 0;
  };
  std::vector<int> initial;
  std::vector<std::vector<Edge>> edges;
  std::vector<std::set<int>> marks;
  int mark_count = 0;
};

// Pairs of position and state, what leads from one to another, and what lies on a cycle with each.
class Run {
 public:
  Run(const Foreign& automaton, const Word& word) : automaton_(automaton), word_(word) {
    std::vector<Pair> open;
    for (const int s : automaton.initial) open.emplace_back(0, s);
    while (!open.empty()) {
      const Pair pair = open.back();
      open.pop_back();
      if (!after_.try_emplace(pair).second) continue;
      for (const Pair& next : successors(pair)) {
        after_[pair].push_back(next);
        before_[next].push_back(pair);
        open.push_back(next);
      }
    }
  }

  bool is_accepting() {
    for (const auto& [pair, next] : after_)
      if (pair.first == word_.prefix.size() && marks_around(pair) == automaton_.mark_count) return true;
    return false;
  }

 private:
  using Pair = std::pair<std::size_t, int>;
  using Edges = std::map<Pair, std::vector<Pair>>;

  [[nodiscard]] std::vector<Pair> successors(const Pair& pair) const {
    const auto [at, state] = pair;
    const std::size_t loop = word_.prefix.size(), length = loop + word_.cycle.size();
    const Valuation letter = at < loop ? word_.prefix[at] : word_.cycle[at - loop];
    std::vector<Pair> result;
    for (const Foreign::Edge& e : automaton_.edges[static_cast<std::size_t>(state)])
      if (e.guard(letter)) result.emplace_back(at + 1 == length ? loop : at + 1, e.target);
    return result;
  }
  static std::set<Pair> reach(Edges& edges, const Pair& from) {
    std::set<Pair> seen;
    std::vector<Pair> open{from};
    while (!open.empty()) {
      const Pair pair = open.back();
      open.pop_back();
      for (const Pair& next : edges[pair])
        if (seen.insert(next).second) open.push_back(next);
    }
    return seen;
  }
  // -1: on no cycle.
  int marks_around(const Pair& pair) {
    const std::set<Pair> later = reach(after_, pair), earlier = reach(before_, pair);
    if (!later.contains(pair)) return -1;
    std::set<int> marks;
    for (const Pair& other : later)
      if (earlier.contains(other)) marks.insert(marks_of(other).begin(), marks_of(other).end());
    return static_cast<int>(marks.size());
  }
  [[nodiscard]] const std::set<int>& marks_of(const Pair& pair) const {
    return automaton_.marks[static_cast<std::size_t>(pair.second)];
  }

  const Foreign& automaton_;
  const Word& word_;
  Edges after_, before_;
};

bool accepts(const Foreign& automaton, const Word& word) { return Run(automaton, word).is_accepting(); }

std::string output_of(const std::string& command) {
  std::string output;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (!pipe) return output;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
  pclose(pipe);
  return output;
}

bool is_installed(const std::string& tool) { return std::system(("command -v " + tool + " > /dev/null 2>&1").c_str()) == 0; }

// Formulas for both tools: W and M are written out.
std::string lbt_text(const Formula& f, Ref part) {
  const Node n = f.pool[part];
  const auto a = [&] { return lbt_text(f, n.left); };
  const auto b = [&] { return lbt_text(f, n.right); };
  switch (n.connective) {
    case C::truth:
      return "t";
    case C::falsehood:
      return "f";
    case C::proposition:
      return "p" + std::to_string(n.left);
    case C::negation:
      return "! " + a();
    case C::conjunction:
      return "& " + a() + " " + b();
    case C::disjunction:
      return "| " + a() + " " + b();
    case C::implication:
      return "i " + a() + " " + b();
    case C::equivalence:
      return "e " + a() + " " + b();
    case C::eventually:
      return "F " + a();
    case C::always:
      return "G " + a();
    case C::until:
      return "U " + a() + " " + b();
    case C::release:
      return "V " + a() + " " + b();
    case C::weak_until:
      return "V " + b() + " | " + a() + " " + b();
    case C::strong_release:
      return "U " + b() + " & " + a() + " " + b();
  }
  return {};
}

std::string spin_text(const Formula& f, Ref part) {
  const Node n = f.pool[part];
  const auto a = [&] { return "(" + spin_text(f, n.left) + ")"; };
  const auto b = [&] { return "(" + spin_text(f, n.right) + ")"; };
  switch (n.connective) {
    case C::truth:
      return "true";
    case C::falsehood:
      return "false";
    case C::proposition:
      return "p" + std::to_string(n.left);
    case C::negation:
      return "!" + a();
    case C::conjunction:
      return a() + "&&" + b();
    case C::disjunction:
      return a() + "||" + b();
    case C::implication:
      return a() + "->" + b();
    case C::equivalence:
      return a() + "<->" + b();
    case C::eventually:
      return "<>" + a();
    case C::always:
      return "[]" + a();
    case C::until:
      return a() + "U" + b();
    case C::release:
      return a() + "V" + b();
    case C::weak_until:
      return b() + "V(" + a() + "||" + b() + ")";
    case C::strong_release:
      return b() + "U(" + a() + "&&" + b() + ")";
  }
  return {};
}

// lbt's guards, in prefix form.
std::function<bool(Valuation)> prefix_guard(std::istream& in) {
  std::string word;
  in >> word;
  if (word == "t") return [](Valuation) { return true; };
  if (word == "f") return [](Valuation) { return false; };
  if (word == "!") {
    auto inner = prefix_guard(in);
    return [inner](Valuation v) { return !inner(v); };
  }
  if (word == "&" || word == "|") {
    auto left = prefix_guard(in), right = prefix_guard(in);
    if (word == "&") return [left, right](Valuation v) { return left(v) && right(v); };
    return [left, right](Valuation v) { return left(v) || right(v); };
  }
  const unsigned p = static_cast<unsigned>(std::stoul(word.substr(1)));
  return [p](Valuation v) { return (v >> p & 1) != 0; };
}

Foreign read_lbt(const std::string& text) {
  std::istringstream in(text);
  Foreign automaton;
  int states = 0;
  in >> states >> automaton.mark_count;
  struct Named {
    int target;
    std::function<bool(Valuation)> guard;
  };
  std::map<int, int> number;
  std::vector<std::vector<Named>> named;
  for (int s = 0; s < states; ++s) {
    int id = 0, initial = 0, mark = 0, target = 0;
    in >> id >> initial;
    number[id] = s;
    if (initial) automaton.initial.push_back(s);
    automaton.marks.emplace_back();
    while (in >> mark && mark != -1) automaton.marks.back().insert(mark);
    named.emplace_back();
    while (in >> target && target != -1) {
      auto guard = prefix_guard(in);
      named.back().push_back({target, guard});
    }
  }
  for (const auto& edges : named) {
    automaton.edges.emplace_back();
    for (const Named& e : edges) automaton.edges.back().push_back({e.guard, number.at(e.target)});
  }
  return automaton;
}

// spin's guards: !, &&, || and parentheses over names.
class InfixGuard {
 public:
  explicit InfixGuard(std::string text) : text_(std::move(text)) {}
  std::function<bool(Valuation)> read() {
    auto left = conjunction();
    while (take("||")) {
      auto right = conjunction();
      left = [left, right](Valuation v) { return left(v) || right(v); };
    }
    return left;
  }

 private:
  std::function<bool(Valuation)> conjunction() {
    auto left = single();
    while (take("&&")) {
      auto right = single();
      left = [left, right](Valuation v) { return left(v) && right(v); };
    }
    return left;
  }
  std::function<bool(Valuation)> single() {
    if (take("!")) {
      auto inner = single();
      return [inner](Valuation v) { return !inner(v); };
    }
    if (take("(")) {
      auto inner = read();
      EXPECT_TRUE(take(")")) << text_;
      return inner;
    }
    if (take("1") || take("true")) return [](Valuation) { return true; };
    if (take("0") || take("false")) return [](Valuation) { return false; };
    EXPECT_TRUE(take("p")) << text_;
    const unsigned p = static_cast<unsigned>(text_.at(at_++) - '0');
    return [p](Valuation v) { return (v >> p & 1) != 0; };
  }
  bool take(const std::string& word) {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    if (text_.compare(at_, word.size(), word) != 0) return false;
    at_ += word.size();
    return true;
  }
  std::string text_;
  std::size_t at_ = 0;
};

// Labels, and below each either `skip`, `false;`, or alternatives ":: guard -> goto label". An alternative that asserts the
// opposite of its guard ends the claim: everything that begins so is accepted.
Foreign read_never_claim(const std::string& text) {
  Foreign automaton;
  automaton.mark_count = 1;
  std::map<std::string, int> numbers;
  const auto number = [&](const std::string& label) {
    const auto [at, fresh] = numbers.try_emplace(label, static_cast<int>(automaton.edges.size()));
    if (fresh) {
      automaton.edges.emplace_back();
      automaton.marks.emplace_back();
      if (label.starts_with("accept")) automaton.marks.back().insert(0);
    }
    return at->second;
  };
  const auto anything = [](Valuation) { return true; };
  const int all = number("accept_all");
  automaton.edges[static_cast<std::size_t>(all)].push_back({anything, all});
  int here = -1;
  bool after_label = false;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos) continue;
    line.erase(0, begin);
    if (line.back() == ':') {
      const std::string label = line.substr(0, line.size() - 1);
      // "accept_init:" above "T0_init:" are two names of one state.
      if (after_label) EXPECT_TRUE(numbers.try_emplace(label, here).second) << text;
      here = number(label);
      after_label = true;
      if (automaton.initial.empty()) automaton.initial.push_back(here);
      continue;
    }
    after_label = false;
    if (line.starts_with(":: atomic { ")) {
      const std::size_t arrow = line.find(" -> assert");
      const std::string guard = line.substr(12, arrow - 12);
      automaton.edges[static_cast<std::size_t>(here)].push_back({InfixGuard(guard).read(), all});
    } else if (line.starts_with(":: ")) {
      const std::size_t arrow = line.find(" -> goto ");
      const int target = number(line.substr(arrow + 9));
      automaton.edges[static_cast<std::size_t>(here)].push_back({InfixGuard(line.substr(3, arrow - 3)).read(), target});
    } else if (line.starts_with("skip") && here != all) {
      automaton.edges[static_cast<std::size_t>(here)].push_back({anything, all});
    }
  }
  return automaton;
}

void compare(const std::string& tool, std::uint64_t formulas, const std::function<Foreign(const Formula&)>& translated) {
  if (!is_installed(tool)) GTEST_SKIP() << tool << " is not installed";
  unsigned accepted = 0, words = 0;
  for (std::uint64_t seed = 1; seed <= formulas; ++seed) {
    Random random(seed + 77'000);
    const Formula formula = random_formula(random, 3, 1 + random.below(5));
    const Result<Automaton> own = translate(normal_form(formula, Polarity::as_it_is));
    ASSERT_TRUE(own.ok());
    const Foreign other = translated(formula);
    ASSERT_FALSE(::testing::Test::HasFailure()) << formula.text;
    for (int i = 0; i < 15; ++i, ++words) {
      const Word word = random_word(random, 3);
      const bool yes = find_accepted(graph_of(word), *own, Fairness::none).value().has_value();
      ASSERT_EQ(yes, accepts(other, word)) << tool << ", seed " << seed << ": " << formula.text << " of " << to_text(word);
      accepted += yes;
    }
  }
  EXPECT_GT(accepted, words / 5);
  EXPECT_LT(accepted, words * 4 / 5);
}

TEST(Others, LbtAcceptsTheSame) {
  compare("lbt", 120, [](const Formula& f) { return read_lbt(output_of("echo '" + lbt_text(f, f.root) + "' | lbt")); });
}

TEST(Others, SpinAcceptsTheSame) {
  compare("spin", 80, [](const Formula& f) { return read_never_claim(output_of("spin -f '" + spin_text(f, f.root) + "'")); });
}

}  // namespace
}  // namespace inspect::explicit_engine::ltl
