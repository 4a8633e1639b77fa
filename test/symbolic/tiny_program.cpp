#include "tiny_program.hpp"

#include <algorithm>

namespace inspect::symbolic::tiny {

namespace {

constexpr std::uint64_t kMask = (1u << kWidth) - 1;

bool meet(const std::set<std::uint32_t>& a, const std::set<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t x) { return b.contains(x); });
}

bool synchronises(Code code) {
  return code == Code::wait || code == Code::wait_at || code == Code::lock || code == Code::unlock;
}

std::vector<std::uint32_t> some_cells(Random& random, std::uint32_t cells, std::uint32_t most) {
  std::set<std::uint32_t> chosen;
  for (std::uint32_t n = random.below(most + 1); n > 0; --n) chosen.insert(random.below(cells));
  return {chosen.begin(), chosen.end()};
}

Instruction random_instruction(Random& random, const Program& p, std::size_t length) {
  Instruction i;
  static constexpr Code kCodes[] = {Code::assign,  Code::assign,  Code::assign,  Code::assign,   Code::wait,
                                    Code::lock,    Code::lock,    Code::unlock,  Code::store_at, Code::store_at,
                                    Code::load_at, Code::jump_if, Code::wait_at, Code::fail_if};
  i.code = kCodes[random.below(std::size(kCodes))];
  i.a = random.below(p.cells);
  i.b = random.below(p.cells - 1);
  i.c = random.below(p.cells);
  i.value = random.chance(50) ? 0 : random.below(4);
  if (i.code == Code::fail_if) i.value = 1 + random.below(3);
  i.reads = some_cells(random, p.cells, 2);
  i.writes = some_cells(random, p.cells, 1);
  i.target = random.below(static_cast<std::uint32_t>(length) + 1);
  return i;
}

Target element(System& s, const Instruction& i) { return {i.b, 2, s.terms.extract(s.read(i.a), 0, 1)}; }

Term element_value(System& s, const Instruction& i) {
  return s.terms.element(i.b, 2, s.terms.extract(s.read(i.a), 0, 1), kWidth);
}

Transition to_transition(System& s, const Instruction& i, std::size_t next) {
  Transition t;
  const Term value = s.terms.constant(kWidth, i.value), zero = s.terms.constant(kWidth, 0), one = s.terms.constant(kWidth, 1);
  t.branches = {{Terms::truth(true), static_cast<LocationId>(next)}};
  switch (i.code) {
    case Code::assign: {
      Term sum = value;
      for (const auto r : i.reads) sum = s.terms.binary(TermKind::sum, sum, s.read(r));
      for (const auto w : i.writes) {
        t.updates.push_back({{w}, sum});
        t.accesses.push_back({{w}, true});
        for (const auto r : i.reads) t.accesses.push_back({{r}, false});
      }
      break;
    }
    case Code::wait:
      t.guard = s.terms.equal(s.read(i.a), value);
      break;
    case Code::lock:
      t.guard = s.terms.equal(s.read(i.a), zero);
      t.updates.push_back({{i.a}, one});
      break;
    case Code::unlock:
      t.updates.push_back({{i.a}, zero});
      break;
    case Code::store_at:
      t.updates.push_back({element(s, i), value});
      t.accesses = {{element(s, i), true}, {{i.a}, false}};
      break;
    case Code::load_at:
      t.updates.push_back({{i.c}, element_value(s, i)});
      t.accesses = {{element(s, i), false}, {{i.a}, false}, {{i.c}, true}};
      break;
    case Code::jump_if:
      t.accesses = {{{i.a}, false}};
      t.branches.insert(t.branches.begin(), {s.terms.equal(s.read(i.a), value), static_cast<LocationId>(i.target)});
      break;
    case Code::wait_at:
      t.guard = s.terms.equal(element_value(s, i), value);
      break;
    case Code::fail_if:
      t.accesses = {{{i.a}, false}};
      t.checks.push_back({s.terms.equal(s.read(i.a), value), FailureKind::assertion, "value", ""});
      break;
  }
  return t;
}

using Event = std::pair<std::uint32_t, std::uint32_t>;  // thread, and which of its transitions

class Enumerator {
 public:
  Enumerator(const Program& program, std::size_t length, std::size_t limit)
      : program_(program), interpreter_(program), length_(length), limit_(limit) {}

  Enumeration run() {
    for (std::uint64_t input = 0; input <= (program_.has_input ? kMask : 0u); ++input) {
      input_ = input;
      visit(interpreter_.start(input));
    }
    result_.classes = classes_.size();
    return std::move(result_);
  }

 private:
  struct Taken {
    Event event;
    std::set<std::uint32_t> reads, writes;
  };

  static bool dependent(const Taken& a, const Taken& b) {
    return a.event.first == b.event.first || meet(a.writes, b.reads) || meet(a.writes, b.writes) || meet(a.reads, b.writes);
  }

  void visit(const TinyState& state) {
    const std::size_t depth = path_.size();
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      if (interpreter_.enabled(state, t) && interpreter_.fails(state, t)) lower(result_.assertion_depth, depth);
    if (interpreter_.racy(state)) lower(result_.race_depth, depth);
    if (interpreter_.deadlocked(state)) lower(result_.deadlock_depth, depth);
    if (depth == length_) return add_class();
    for (std::uint32_t t = 0; t < program_.threads.size() && !result_.too_many; ++t) {
      if (!interpreter_.enabled(state, t)) continue;
      const auto [reads, writes] = interpreter_.touches(state, t);
      TinyState next = state;
      interpreter_.take(next, t);
      path_.push_back({{t, taken_[t]++}, reads, writes});
      visit(next);
      path_.pop_back();
      --taken_[t];
    }
  }
  static void lower(std::size_t& depth, std::size_t to) { depth = std::min(depth, to); }

  void add_class() {
    std::set<std::pair<Event, Event>> order;
    Schedule schedule;
    for (std::size_t b = 0; b < path_.size(); ++b) {
      schedule.push_back(path_[b].event.first);
      order.insert({path_[b].event, path_[b].event});
      for (std::size_t a = 0; a < b; ++a)
        if (dependent(path_[a], path_[b])) order.insert({path_[a].event, path_[b].event});
    }
    const auto it = classes_.try_emplace({input_, order}, classes_.size()).first;
    result_.class_of[{input_, schedule}] = it->second;
    result_.too_many |= result_.class_of.size() > limit_;
  }

  const Program& program_;
  TinyInterpreter interpreter_;
  std::size_t length_, limit_;
  std::uint64_t input_ = 0;
  std::vector<Taken> path_;
  std::map<std::uint32_t, std::uint32_t> taken_;
  std::map<std::pair<std::uint64_t, std::set<std::pair<Event, Event>>>, std::size_t> classes_;
  Enumeration result_;
};

}  // namespace

Program random_program(std::uint64_t seed) {
  Random random(seed);
  Program p;
  p.cells = 2 + random.below(3);
  p.has_input = random.chance(25);
  const std::uint32_t threads = 2 + random.below(10) / 4;  // 2 or 3 mostly, 4 at times
  for (std::uint32_t t = 0; t < threads; ++t) {
    const std::uint32_t length = threads == 4 ? 1 + random.below(2) : 1 + random.below(threads == 2 ? 5 : 3);
    auto& code = p.threads.emplace_back();
    for (std::uint32_t i = 0; i < length; ++i) code.push_back(random_instruction(random, p, length));
  }
  return p;
}

std::string to_text(const Program& program) {
  std::string text = "cells " + std::to_string(program.cells) + (program.has_input ? ", input c0\n" : "\n");
  static constexpr const char* kWords[] = {"assign",  "wait",    "lock",    "unlock", "store_at",
                                           "load_at", "jump_if", "wait_at", "fail_if"};
  for (const auto& thread : program.threads) {
    text += "thread:";
    for (const Instruction& i : thread) {
      text += std::string(" ") + kWords[static_cast<int>(i.code)] + "(a" + std::to_string(i.a) + " b" + std::to_string(i.b) +
              " c" + std::to_string(i.c) + " v" + std::to_string(i.value) + " ->" + std::to_string(i.target) + " R";
      for (const auto r : i.reads) text += std::to_string(r);
      text += " W";
      for (const auto w : i.writes) text += std::to_string(w);
      text += ");";
    }
    text += "\n";
  }
  return text;
}

System to_system(const Program& program) {
  System s;
  for (std::uint32_t c = 0; c < program.cells; ++c) s.add_cell({"c" + std::to_string(c), kWidth});
  s.cells[0].is_input = program.has_input;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    Thread thread{"t" + std::to_string(t), {}};
    for (std::size_t i = 0; i < program.threads[t].size(); ++i)
      thread.locations.push_back({LocationKind::runs, to_transition(s, program.threads[t][i], i + 1)});
    thread.locations.push_back({LocationKind::ended});
    s.threads.push_back(std::move(thread));
  }
  return s;
}

TinyState TinyInterpreter::start(std::uint64_t input) const {
  TinyState state{std::vector<std::uint64_t>(program_.cells, 0), std::vector<std::size_t>(program_.threads.size(), 0)};
  if (program_.has_input) state.cells[0] = input;
  return state;
}

bool TinyInterpreter::enabled(const TinyState& state, std::size_t thread) const {
  if (state.at[thread] >= program_.threads[thread].size()) return false;
  const Instruction& i = program_.threads[thread][state.at[thread]];
  switch (i.code) {
    case Code::wait:
      return state.cells[i.a] == i.value;
    case Code::lock:
      return state.cells[i.a] == 0;
    case Code::wait_at:
      return state.cells[i.b + (state.cells[i.a] & 1)] == i.value;
    default:
      return true;
  }
}

bool TinyInterpreter::fails(const TinyState& state, std::size_t thread) const {
  const Instruction& i = program_.threads[thread][state.at[thread]];
  return i.code == Code::fail_if && state.cells[i.a] == i.value;
}

void TinyInterpreter::take(TinyState& state, std::size_t thread) const {
  const Instruction& i = program_.threads[thread][state.at[thread]++];
  auto& cells = state.cells;
  switch (i.code) {
    case Code::assign: {
      std::uint64_t sum = i.value;
      for (const auto r : i.reads) sum += cells[r];
      for (const auto w : i.writes) cells[w] = sum & kMask;
      break;
    }
    case Code::lock:
      cells[i.a] = 1;
      break;
    case Code::unlock:
      cells[i.a] = 0;
      break;
    case Code::store_at:
      cells[i.b + (cells[i.a] & 1)] = i.value;
      break;
    case Code::load_at:
      cells[i.c] = cells[i.b + (cells[i.a] & 1)];
      break;
    case Code::jump_if:
      if (cells[i.a] == i.value) state.at[thread] = i.target;
      break;
    case Code::wait:
    case Code::wait_at:
    case Code::fail_if:
      break;
  }
}

bool TinyInterpreter::deadlocked(const TinyState& state) const {
  bool waits = false;
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    if (enabled(state, t)) return false;
    waits |= state.at[t] < program_.threads[t].size();
  }
  return waits;
}

bool TinyInterpreter::racy(const TinyState& state) const {
  for (std::size_t a = 0; a < program_.threads.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (!enabled(state, a) || !enabled(state, b)) continue;
      if (synchronises(program_.threads[a][state.at[a]].code) || synchronises(program_.threads[b][state.at[b]].code)) continue;
      const auto [reads_a, writes_a] = touches(state, a);
      const auto [reads_b, writes_b] = touches(state, b);
      if (meet(writes_a, writes_b) || meet(writes_a, reads_b) || meet(reads_a, writes_b)) return true;
    }
  return false;
}

std::pair<std::set<std::uint32_t>, std::set<std::uint32_t>> TinyInterpreter::touches(const TinyState& state,
                                                                                     std::size_t thread) const {
  const Instruction& i = program_.threads[thread][state.at[thread]];
  const std::uint32_t element = i.b + static_cast<std::uint32_t>(state.cells[i.a] & 1);
  switch (i.code) {
    case Code::assign:
      if (i.writes.empty()) return {};
      return {{i.reads.begin(), i.reads.end()}, {i.writes.begin(), i.writes.end()}};
    case Code::wait:
    case Code::jump_if:
    case Code::fail_if:
      return {{i.a}, {}};
    case Code::lock:
      return {{i.a}, {i.a}};
    case Code::unlock:
      return {{}, {i.a}};
    case Code::store_at:
      return {{i.a}, {element}};
    case Code::load_at:
      return {{i.a, element}, {i.c}};
    case Code::wait_at:
      return {{i.a, element}, {}};
  }
  return {};
}

Enumeration enumerate(const Program& program, std::size_t length, std::size_t limit) {
  return Enumerator(program, length, limit).run();
}

}  // namespace inspect::symbolic::tiny
