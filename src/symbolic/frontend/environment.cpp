#include "symbolic/frontend/environment.hpp"

namespace inspect::symbolic {

Key key_of(Program& program, const Environment& environment) {
  Key key;
  for (std::size_t i = 0; i < environment.frames.size(); ++i) {
    const Frame& frame = environment.frames[i];
    if (i > 0) key.push_back(static_cast<int>(program.memory.function(frame.function)));
    program.shape(frame.function).append_place(frame.block, frame.iterations, key);
    key.push_back(frame.index);
  }
  if (environment.stage > 0) key.push_back(environment.stage);
  return key;
}

bool is_next_turn(const Environment& before, const Environment& now) {
  if (before.frames.size() != now.frames.size() || before.slots != now.slots || before.dead != now.dead ||
      before.stage != now.stage || before.has_ended != now.has_ended || before.has_begun != now.has_begun)
    return false;
  int turns = 0;
  for (std::size_t f = 0; f < now.frames.size(); ++f) {
    const Frame &a = before.frames[f], &b = now.frames[f];
    if (a.function != b.function || a.block != b.block || a.index != b.index || a.values != b.values || a.locals != b.locals ||
        a.iterations.size() != b.iterations.size())
      return false;
    for (const auto& [loop, n] : b.iterations) {
      const auto it = a.iterations.find(loop);
      if (it == a.iterations.end() || n < it->second) return false;
      turns += n - it->second;
    }
  }
  return turns == 1;
}

void drop_unneeded(Program& program, Environment& environment) {
  for (Frame& frame : environment.frames) {
    const Shape& shape = program.shape(frame.function);
    std::erase_if(frame.values, [&](const auto& entry) { return !shape.is_needed(entry.first, frame.block, frame.index); });
  }
}

}  // namespace inspect::symbolic
