#include "symbolic/encode/properties.hpp"

#include <map>

namespace inspect::symbolic {

namespace {

// Whether a thread that is enabled, or waits in a loop, is about to access one cell, by kind of access.
struct AccessBits {
  std::vector<Literal> plain_reads, plain_writes, atomic_reads, atomic_writes;
};

std::map<CellId, AccessBits> accesses_of(Encoding& encoding, ThreadIndex t) {
  std::map<CellId, AccessBits> cells;
  Gates& gates = encoding.gates();
  const Thread& thread = encoding.system().threads[t];
  for (LocationId l = 0; l < thread.locations.size(); ++l) {
    if (thread.locations[l].kind != LocationKind::runs) continue;
    const bool awaits = thread.locations[l].transition.awaits;
    const Literal fires = awaits ? encoding.last().at[t][l] : encoding.pending().fires[t][l];
    if (gates.is_false(fires)) continue;
    for (const Access& access : thread.locations[l].transition.accesses) {
      const Literal happens = gates.both(fires, encoding.terms().truth(access.condition));
      for (std::uint32_t i = 0; i < access.target.extent; ++i) {
        const CellId cell = access.target.first + i;
        if (encoding.system().cells[cell].owner != kShared) continue;
        AccessBits& bits = cells[cell];
        auto& of_kind = access.is_atomic ? (access.writes ? bits.atomic_writes : bits.atomic_reads)
                                         : (access.writes ? bits.plain_writes : bits.plain_reads);
        of_kind.push_back(gates.both(happens, encoding.terms().hits(access.target, i)));
      }
    }
  }
  return cells;
}

Literal race_on_cell(Gates& gates, const AccessBits& a, const AccessBits& b) {
  const auto any = [&](const std::vector<Literal>& x) { return gates.any(x); };
  const Literal plain_a = gates.either(any(a.plain_reads), any(a.plain_writes));
  const Literal plain_b = gates.either(any(b.plain_reads), any(b.plain_writes));
  const Literal writes_a = gates.either(any(a.plain_writes), any(a.atomic_writes));
  const Literal writes_b = gates.either(any(b.plain_writes), any(b.atomic_writes));
  const Literal some_a = gates.any({plain_a, writes_a, any(a.atomic_reads)});
  const Literal some_b = gates.any({plain_b, writes_b, any(b.atomic_reads)});
  return gates.all({some_a, some_b, gates.either(writes_a, writes_b), gates.either(plain_a, plain_b)});
}

}  // namespace

std::vector<Candidate> failing_checks(Encoding& encoding) {
  std::vector<Candidate> candidates;
  Gates& gates = encoding.gates();
  const System& system = encoding.system();
  for (ThreadIndex t = 0; t < system.threads.size(); ++t)
    for (LocationId l = 0; l < system.threads[t].locations.size(); ++l) {
      const Literal fires = encoding.pending().fires[t][l];
      if (gates.is_false(fires)) continue;
      for (const Check& check : system.threads[t].locations[l].transition.checks) {
        const Literal fails = gates.both(fires, encoding.terms().truth(check.fails));
        if (!gates.is_false(fails)) candidates.push_back({fails, PropertyKind::check, t, t, &check});
      }
    }
  return candidates;
}

Candidate deadlock(Encoding& encoding) {
  Gates& gates = encoding.gates();
  const System& system = encoding.system();
  std::vector<Literal> all, waits;
  for (ThreadIndex t = 0; t < system.threads.size(); ++t) {
    all.push_back(-encoding.pending().enabled[t]);
    for (LocationId l = 0; l < system.threads[t].locations.size(); ++l) {
      const LocationKind kind = system.threads[t].locations[l].kind;
      const Literal here = encoding.last().at[t][l];
      if (kind == LocationKind::runs) waits.push_back(here);
      if (kind == LocationKind::excuses) all.push_back(-here);
    }
  }
  all.push_back(gates.any(std::move(waits)));
  return {gates.all(std::move(all)), PropertyKind::deadlock};
}

std::vector<Candidate> races(Encoding& encoding) {
  std::vector<Candidate> candidates;
  Gates& gates = encoding.gates();
  std::vector<std::map<CellId, AccessBits>> accesses;
  for (ThreadIndex t = 0; t < encoding.system().threads.size(); ++t) accesses.push_back(accesses_of(encoding, t));
  for (ThreadIndex a = 0; a < accesses.size(); ++a)
    for (ThreadIndex b = a + 1; b < accesses.size(); ++b) {
      std::vector<Literal> ways;
      for (const auto& [cell, of_a] : accesses[a])
        if (const auto of_b = accesses[b].find(cell); of_b != accesses[b].end())
          ways.push_back(race_on_cell(gates, of_a, of_b->second));
      const Literal some = gates.any(std::move(ways));
      if (!gates.is_false(some)) candidates.push_back({some, PropertyKind::race, a, b});
    }
  return candidates;
}

Candidate proposition(Encoding& encoding, std::size_t index) {
  Candidate candidate{encoding.terms().truth(encoding.system().propositions[index].holds), PropertyKind::proposition};
  candidate.proposition = index;
  return candidate;
}

}  // namespace inspect::symbolic
