#include "runtime/environment/environment.hpp"

#include <sys/mman.h>

#include "runtime/environment/descriptors.hpp"
#include "runtime/environment/file_names.hpp"
#include "runtime/environment/mappings.hpp"
#include "runtime/environment/random.hpp"
#include "runtime/environment/signals.hpp"
#include "runtime/environment/standard_streams.hpp"
#include "runtime/environment/streams.hpp"
#include "runtime/platform/outside.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/threads/terminate.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/real.hpp"

namespace inspect::runtime {
namespace {

bool ready;  // set before the snapshot of the program's data, which therefore restores it as true

}  // namespace

void ensure_environment() {
  if (ready) [[likely]]
    return;
  ready = true;
  map_state();
  system_call(SYS_mmap, kEnvironmentBase, kEnvironmentBytes, PROT_READ | PROT_WRITE,
              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  note_inherited_descriptors();
  find_real_functions();
}

bool environment_is_real() { return !state().running || state().standalone; }

void boot_files() {
  ensure_environment();
  boot_descriptors();
  boot_file_names();
  boot_signals();
  boot_terminate();
  boot_standard_streams();
  state().descriptors_touched = false;  // what is open before main is no change
}

void reset_files() {
  State& s = state();
  reset_random();
  reset_signals();
  if (!s.descriptors_touched) return;
  reset_streams();
  reset_directories();
  reset_mappings();
  reset_descriptors();
  reset_file_names();
  s.descriptors_touched = false;
}

}  // namespace inspect::runtime
