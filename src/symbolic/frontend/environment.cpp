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

void drop_unneeded(Program& program, Environment& environment) {
  for (Frame& frame : environment.frames) {
    const Shape& shape = program.shape(frame.function);
    std::erase_if(frame.values, [&](const auto& entry) { return !shape.is_needed(entry.first, frame.block, frame.index); });
  }
}

}  // namespace inspect::symbolic
