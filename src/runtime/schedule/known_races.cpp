// Races that do not end their execution: each is noted for the explorer, once, and its location is a scheduling point from the
// next execution on.
#include "runtime/memory/race.hpp"
#include "runtime/platform/mutation.hpp"
#include "runtime/platform/state.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/races.hpp"

namespace inspect::runtime {
namespace {

bool is_noted(const inspect_channel& c, const RaceReport& race) {
  for (std::uint32_t i = 0; i < c.race_count; ++i) {
    const inspect_race& r = c.races[i];
    if (r.site == race.site && r.other_site == race.other_site) return true;
    if (r.site == race.other_site && r.other_site == race.site) return true;
  }
  return false;
}

void note(State& s, const RaceReport& race) {
  inspect_channel& c = *s.channel;
  if (is_noted(c, race)) return;
  if (c.race_count == INSPECT_MAX_RACES) {
    c.races_left_out = 1;
    return;
  }
  inspect_race& r = c.races[c.race_count];
  r = {};
  r.address = race.address;
  r.site = race.site;
  r.other_site = race.other_site;
  r.slot = s.request.slot;
  r.steps = s.execution.opened;
  r.points = s.request.point_limit;
  r.thread = race.thread;
  r.other_thread = race.other_thread;
  __atomic_store_n(&c.race_count, c.race_count + 1, __ATOMIC_RELEASE);
}

// Shall the execution that is shown again end at this race?
bool is_looked_for(State& s) {
  if (!(s.request.message->flags & INSPECT_REQUEST_STOPS_AT_RACE) || s.execution.opened < s.request.prefix_length) return false;
  return s.execution.races_passed++ >= s.request.message->passed_races;
}

}  // namespace

bool race_goes_on() {
  State& s = state();
  const RaceReport& race = race_report();
  if (s.standalone || !s.channel->configuration.races_go_on || race.with_free) return false;
  if (is_never_a_point(race.address)) return false;
  if (s.execution.probing) return true;
  if (s.request.message->flags & INSPECT_REQUEST_RERUN) return !is_looked_for(s);
  make_shared(race.address);
  note(s, race);
  return true;
}

}  // namespace inspect::runtime
