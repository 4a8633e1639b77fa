// Every operation that exists is generated here, and an error that forgets what it depends on is noticed: no algorithm relies
// on an operation that nothing compares with enumeration.
//
// Prints a table: how many random programs of the model perform the operation, and the first that notices the error. With
// INSPECT_OPERATIONS_TABLE it is written to that file too, for test/native/operations.py, which adds what C programs show.
#include <gtest/gtest.h>

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "algorithms.hpp"
#include "oracle/compare.hpp"
#include "oracle/generator.hpp"
#include "oracle/interpreted_program.hpp"
#include "search/causality/forgotten.hpp"

namespace inspect::oracle {
namespace {

constexpr std::uint64_t kPrograms = 6000;
using Kinds = std::bitset<INSPECT_OP_COUNT>;

// What some executions perform, or have a thread wait for.
Kinds kinds_of(const ModelProgram& p) {
  InterpretedProgram target(p);
  Kinds kinds;
  for (std::uint64_t draw = 0; draw < 6; ++draw) {
    search::Request request;
    if (draw) request.policy = INSPECT_POLICY_RANDOM;
    request.seed = draw;
    const Execution execution = std::move(target.run({&request, 1}).front());
    for (const Event& e : execution.events) {
      kinds.set(e.operation.kind);
      kinds.set(e.next.operation.kind);
      for (const Operation& o : e.footprint) kinds.set(o.kind);
    }
  }
  return kinds;
}

const std::vector<Kinds>& kinds_by_seed() {
  static const std::vector<Kinds> all = [] {
    std::vector<Kinds> kinds(kPrograms + 1);
    for (std::uint64_t seed = 1; seed <= kPrograms; ++seed) kinds[seed] = kinds_of(random_program(seed));
    return kinds;
  }();
  return all;
}

// It has no object, or nothing comes after it.
bool needs_no_dependence(unsigned kind) {
  if (kind == INSPECT_OP_ProcessEnd) return true;
  return inspect_family_of(kind) == INSPECT_FAMILY_Local && kind != INSPECT_OP_External;
}

bool notices(std::uint64_t seed, unsigned kind) {
  const ModelProgram p = random_program(seed);
  const auto all = enumerate(p, 1500);
  if (!all) return false;
  search::forgotten_kind = kind;
  const bool noticed = std::ranges::any_of(algorithms([](const auto& r) { return reduces(r) && r.cut.empty(); }),
                                           [&](const std::string& a) { return !compare(p, *all, a, 1, false).wrong.empty(); });
  search::forgotten_kind = 0;
  return noticed;
}

std::uint64_t first_to_notice(unsigned kind) {
  for (std::uint64_t seed = 1; seed <= kPrograms; ++seed)
    if (kinds_by_seed()[seed][kind] && notices(seed, kind)) return seed;
  return 0;
}

TEST(Operations, EachIsGeneratedAndItsDependenceMatters) {
  std::ostringstream table;
  for (unsigned kind = 1; kind < INSPECT_OP_COUNT; ++kind) {
    const std::string name = inspect_kind_name(kind);
    const auto programs = std::ranges::count_if(kinds_by_seed(), [&](const Kinds& k) { return k[kind]; });
    EXPECT_GE(programs, 20) << name << " is not generated: no algorithm may rely on what it does";
    const bool free = needs_no_dependence(kind);
    const std::uint64_t seed = free ? 0 : first_to_notice(kind);
    EXPECT_TRUE(free || seed) << "nothing notices that " << name << " depends on nothing";
    table << name << '\t' << programs << '\t' << (free ? "-" : std::to_string(seed)) << '\n';
  }
  std::cout << "operation\tprograms\tmutant noticed by\n" << table.str();
  if (const char* file = std::getenv("INSPECT_OPERATIONS_TABLE")) std::ofstream(file) << table.str();
}

}  // namespace
}  // namespace inspect::oracle
