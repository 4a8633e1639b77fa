#include "runtime/schedule/library_state.hpp"

#include "runtime/memory/race.hpp"
#include "runtime/upcalls/points.hpp"

namespace inspect::runtime {
namespace {

constexpr std::size_t kObjectBytes = 8;  // as the pass counts
enum LibraryState : unsigned {
#define LIBRARY(names, effects)
#define LIBRARY_STATE(o) library_state_##o,
#include "hooks/library.def"
#undef LIBRARY
#undef LIBRARY_STATE
  library_state_count
};
static_assert(library_state_rand == 0 && library_state_random == 1 && library_state_log == 2 && library_state_handlers == 3);
constexpr std::uint32_t kGeneratorBytes = 2 * kObjectBytes, kLockedBytes = 4 * kObjectBytes;

}  // namespace
}  // namespace inspect::runtime

extern "C" {
__attribute__((visibility("default"),
               used)) char inspect_library_state[inspect::runtime::library_state_count * inspect::runtime::kObjectBytes];
}

namespace inspect::runtime {

bool is_locked_library_state(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(inspect_library_state) < kLockedBytes;
}

bool is_library_state(std::uintptr_t address) {
  return address - reinterpret_cast<std::uintptr_t>(inspect_library_state) < sizeof inspect_library_state;
}

void use_locked_library_state(std::uintptr_t address, std::uint32_t site) {
  if (state().execution.created < 2) return;
  const std::uintptr_t offset = address - reinterpret_cast<std::uintptr_t>(inspect_library_state);
  const bool random = offset < kGeneratorBytes;
  char* const place = inspect_library_state + (random ? 0 : offset / kObjectBytes * kObjectBytes);
  visible(operation(INSPECT_OP_FileOperation, place, random ? kGeneratorBytes : kObjectBytes, site));
  const auto object = reinterpret_cast<std::uint64_t>(place);
  race_acquire(current_thread(), object);
  race_release(current_thread(), object);
  executed();
}

}  // namespace inspect::runtime
