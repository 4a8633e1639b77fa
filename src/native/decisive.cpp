#include "native/decisive.hpp"

#include <chrono>
#include <vector>

namespace inspect::native {
namespace {

constexpr unsigned kMostTried = 64;
constexpr std::chrono::seconds kLongest{2};

// Is all known to be well when that thread goes on instead, and then whoever comes first? None: nothing can be tried any more.
std::optional<bool> goes_well(Session& session, const Execution& execution, const report::Turn& turn) {
  search::Request request;
  for (std::size_t i = 0; i < turn.event; ++i) request.prefix.push_back(execution.events[i].choice);
  request.prefix.push_back({turn.other, 0});
  request.waits = true;
  const std::uint32_t points = session.channel().shared_locations_grew;
  const Execution run = std::move(session.program->run({&request, 1}).front());
  // With other scheduling points the schedule would be another one.
  if (run.end == EndKind::stopped || session.channel().shared_locations_grew != points) return std::nullopt;
  return run.end == EndKind::complete;
}

}  // namespace

std::optional<report::Turn> decisive_turn(Session& session, const Execution& execution, const process::Shown& shown) {
  if (shown.all_turns || shown.cycle || execution.end != EndKind::bug) return std::nullopt;
  if (session.configuration.races_go_on && process::is_unordered(execution)) return std::nullopt;
  const auto began = std::chrono::steady_clock::now();
  const auto turns = report::turns_of(execution.events);
  for (std::size_t tried = 0; tried < turns.size() && tried < kMostTried; ++tried) {
    if (std::chrono::steady_clock::now() - began > kLongest) break;
    const auto well = goes_well(session, execution, turns[tried]);
    if (!well) return std::nullopt;
    if (*well) return turns[tried];
  }
  return std::nullopt;
}

}  // namespace inspect::native
