// The rows of engines.def as values.
#pragma once
#include <string_view>

namespace inspect::engine {

struct EngineInfo {
  std::string_view name;
  // It explores states, not executions: so it has a limit of its own on their number, and where it meets a bug, loops that wait
  // take turns in vain.
  bool by_states;
};

inline constexpr EngineInfo kEngines[] = {
#define ENGINE(name, factory, by_states) {name, by_states},
#include "engine/engines.def"
};
inline constexpr const EngineInfo& kDefault = kEngines[0];

// An empty name is that of the default one. The name must be one of a row.
constexpr const EngineInfo& engine_of(std::string_view name) {
  for (const EngineInfo& e : kEngines)
    if (e.name == name) return e;
  return kDefault;
}

}  // namespace inspect::engine
