#include "runtime/hidden.hpp"

#include "runtime/race.hpp"
#include "runtime/schedule.hpp"

namespace inspect::runtime {
namespace {

constexpr std::size_t kObjectBytes = 8;  // as the pass counts
enum HiddenObject : unsigned {
#define LIBRARY(names, effects)
#define HIDDEN(o) hidden_##o,
#include "hooks/library.def"
#undef LIBRARY
#undef HIDDEN
  hidden_count
};
static_assert(hidden_rand == 0 && hidden_random == 1);
constexpr std::uint32_t kGeneratorBytes = 2 * kObjectBytes;

}  // namespace
}  // namespace inspect::runtime

extern "C" {
__attribute__((visibility("default"),
               used)) char inspect_hidden_objects[inspect::runtime::hidden_count * inspect::runtime::kObjectBytes];
}

namespace inspect::runtime {

bool is_locked_library_state(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(inspect_hidden_objects) < kGeneratorBytes;
}

bool is_library_state(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(inspect_hidden_objects) < sizeof inspect_hidden_objects;
}

void use_locked_library_state(std::uint32_t site) {
  if (state().created < 2) return;
  visible(operation(INSPECT_OP_FileOperation, inspect_hidden_objects, kGeneratorBytes, site));
  const auto object = reinterpret_cast<std::uint64_t>(inspect_hidden_objects);
  race_acquire(current_thread(), object);
  race_release(current_thread(), object);
  executed();
}

}  // namespace inspect::runtime
