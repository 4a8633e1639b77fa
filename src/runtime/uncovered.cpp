#include "runtime/uncovered.hpp"

#include <dlfcn.h>
#include <string.h>

#include "hooks/assembly.h"
#include "runtime/ending.hpp"
#include "runtime/export.hpp"
#include "runtime/image.hpp"
#include "runtime/library_rows.hpp"
#include "runtime/memory_hash.hpp"
#include "runtime/race.hpp"
#include "runtime/schedule.hpp"
#include "runtime/spin.hpp"

namespace inspect::runtime {
namespace {

struct Text {
  char characters[INSPECT_ASSUMPTION_BYTES] = {};
  unsigned length = 0;

  void add(const char* part) {
    while (*part && length + 1 < sizeof characters) characters[length++] = *part++;
  }
  void add(unsigned number) {
    char digits[11];
    unsigned at = sizeof digits - 1;
    digits[at] = 0;
    do digits[--at] = char('0' + number % 10);
    while (number /= 10);
    add(digits + at);
  }
};

const char* base_name(const char* path) {
  const char* const slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

void tell_unseen(State& s) {
  if (s.telling == kTellsAccesses) append_record(INSPECT_RECORD_UNSEEN, s.current->id, s.current->pending);
}

// It may be a lock, or publish something: what it orders is not known, so races are not claimed across two of them.
void order_assembly(std::uint8_t thread) {
  constexpr std::uint64_t object = kStateBase;
  race_acquire(thread, object);
  race_release(thread, object);
}

// Looking a name up takes long: the functions last found to be seen are remembered.
const void*& place_in_cache(const void* function) {
  return state().seen_code[reinterpret_cast<std::uintptr_t>(function) / 16 % kSeenCode];
}

// The first of an execution, to be told once there are two threads. In memory that every execution finds as it was at its
// begin.
char kept[INSPECT_ASSUMPTION_BYTES];

void tell_kept() {
  State& s = state();
  s.channel->uncovered_calls = 1;
  assume_text(kept);
}

Text text_of(const char* what, const char* name, const inspect_site* site) {
  Text text;
  text.add(what);
  text.add(name);
  if (site && site->file) {
    text.add(" at ");
    text.add(base_name(site->file));
    text.add(":");
    text.add(site->line);
  }
  return text;
}

}  // namespace

bool is_seen_code(const void* function) {
  if (is_instrumented(function)) return true;
  const void*& known = place_in_cache(function);
  if (known == function) return true;
  if (!is_harmless_library_function(function)) return false;
  known = function;
  return true;
}

void about_to_call(const void* function, const char* caller) {
  if (!active() || is_seen_code(function)) return;
  Dl_info about;
  const bool named = dladdr(function, &about) && about.dli_saddr == function && about.dli_sname;
  Text text;
  text.add(named ? about.dli_sname : "a function");
  text.add(" by ");
  text.add(caller);
  enter_uncovered("uninstrumented function called: ", text.characters, nullptr);
}

void enter_uncovered(const char* what, const char* name, const inspect_site* site) {
  State& s = state();
  disturb(*s.current);
  note_unseen_changes();
  tell_unseen(s);
  if (s.created <= 1) return;
  s.channel->uncovered_calls = 1;
  assume_text(text_of(what, name, site).characters);
}

void keep_uncovered(const char* what, const inspect_site* site) {
  if (!kept[0]) memcpy(kept, text_of("memory of the program's that the library keeps: ", what, site).characters, sizeof kept);
  if (active() && state().created > 1) tell_kept();
}

void threads_are_several() {
  if (kept[0]) tell_kept();
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT void inspect_assembly(unsigned kind, const void* place) {
  const auto* const site = static_cast<const inspect_site*>(place);
  State& s = state();
  if (!active()) return;
  if (kind == INSPECT_ASSEMBLY_SYSTEM_CALL) report_unsupported("a system call by inline assembly", site_number(site));
  if (s.created > 1 && kind == INSPECT_ASSEMBLY_LOOP)
    report_unsupported("a loop inside inline assembly, which may wait for another thread", site_number(site));
  if (s.created > 1 && kind == INSPECT_ASSEMBLY_THREAD)
    report_unsupported("use of the thread's segment register (%fs, %gs)", site_number(site));
  if (s.recording) order_assembly(s.current->id);
  enter_uncovered("inline assembly that may touch memory", "", site);
}

INSPECT_EXPORT void inspect_external_call(void* entry) {
  auto* const e = static_cast<inspect_external*>(entry);
  if (!active() || e->state == 1) return;
  if (is_seen_code(e->function)) {
    e->state = 1;
    return;
  }
  enter_uncovered("uninstrumented function called: ", e->name, e->site);
}
