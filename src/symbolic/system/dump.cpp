#include "symbolic/system/dump.hpp"

#include <set>

#include "symbolic/system/footprint.hpp"

namespace inspect::symbolic {

namespace {

// Terms that are used often can be very long when written out: beyond this depth they are shown by number.
constexpr int kDepth = 12;

std::string term_text(const System& system, Term t, int depth) {
  const TermNode& node = system.terms[t];
  const auto operand = [&](Term of) { return term_text(system, of, depth - 1); };
  if (node.kind == TermKind::constant) return std::to_string(node.value);
  if (node.kind == TermKind::cell) return system.cells[node.value].name;
  if (depth == 0) return "#" + std::to_string(t.id);
  switch (node.kind) {
    case TermKind::element:
      return system.cells[node.value].name + "[+" + operand(node.a) + "]";
    case TermKind::inverted:
      return (node.width == 1 ? "!" : "~") + operand(node.a);
    case TermKind::choice:
      return "(" + operand(node.a) + " ? " + operand(node.b) + " : " + operand(node.c) + ")";
    case TermKind::extended:
    case TermKind::signed_extended:
      return word_of(node.kind) + std::to_string(node.width) + "(" + operand(node.a) + ")";
    case TermKind::extracted:
      return operand(node.a) + "[" + std::to_string(node.value + node.width - 1) + ":" + std::to_string(node.value) + "]";
    default:
      return "(" + operand(node.a) + " " + word_of(node.kind) + " " + operand(node.b) + ")";
  }
}

std::string target_text(const System& system, const Target& target) {
  std::string text = system.cells[target.first].name;
  if (target.index) text += "[+" + to_text(system, *target.index) + " of " + std::to_string(target.extent) + "]";
  return text;
}

std::string footprint_text(const System& system, const Transition& transition) {
  std::set<std::string> reads, writes;
  for (const Touch& t : shared_touches(system, all_touches(system, transition))) {
    std::string name = system.cells[t.first].name;
    if (t.extent > 1) name += "[" + (t.index ? "+" + to_text(system, *t.index) : std::string("*")) + "]";
    (t.writes ? writes : reads).insert(name);
  }
  std::string text;
  for (const std::string& r : reads) text += " " + r;
  text += " |";
  for (const std::string& w : writes) text += " " + w;
  return text;
}

std::string transition_text(const System& system, const Transition& transition) {
  const Terms& terms = system.terms;
  std::string text = " " + transition.what;
  if (!transition.source.empty()) text += "  // " + transition.source;
  text += "\n";
  if (!terms.is_true(transition.guard)) text += "      when " + to_text(system, transition.guard) + "\n";
  text += "      reads | writes:" + footprint_text(system, transition) + "\n";
  for (const Update& u : transition.updates) {
    text += "      " + target_text(system, u.target) + " := " + to_text(system, u.value);
    if (!terms.is_true(u.condition)) text += " if " + to_text(system, u.condition);
    text += "\n";
  }
  for (const Check& c : transition.checks) {
    text += std::string("      ") + word_of(c.kind) + " if " + to_text(system, c.fails) + ": " + c.message;
    if (!c.source.empty()) text += "  // " + c.source;
    text += "\n";
  }
  for (const Branch& b : transition.branches) {
    text += "      goto " + std::to_string(b.next);
    if (!terms.is_true(b.condition)) text += " if " + to_text(system, b.condition);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const System& system, Term term) { return term_text(system, term, kDepth); }

std::string to_text(const System& system) {
  std::string text;
  for (const Cell& cell : system.cells) {
    text += "cell " + cell.name + ": " + std::to_string(cell.width) + (cell.width == 1 ? " bit" : " bits") +
            (cell.is_input ? ", input" : " = " + std::to_string(cell.initial));
    if (cell.owner != kShared) text += ", of " + system.threads[cell.owner].name;
    text += "\n";
  }
  for (const Thread& thread : system.threads) {
    text += "thread " + thread.name + ": starts at " + std::to_string(thread.start) + "\n";
    for (LocationId l = 0; l < thread.locations.size(); ++l) {
      const Location& location = thread.locations[l];
      text += "  " + std::to_string(l) + ":";
      if (location.kind == LocationKind::runs) text += transition_text(system, location.transition);
      if (location.kind == LocationKind::ended) text += " ended\n";
      if (location.kind == LocationKind::excuses) text += " ended, and excuses who waits\n";
    }
  }
  for (const Proposition& p : system.propositions) text += "proposition " + p.name + ": " + to_text(system, p.holds) + "\n";
  return text;
}

}  // namespace inspect::symbolic
