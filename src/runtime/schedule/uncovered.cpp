#include "runtime/schedule/uncovered.hpp"

#include <dlfcn.h>
#include <string.h>
#include <unwind.h>

#include "hooks/assembly.h"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/schedule/library_rows.hpp"
#include "runtime/upcalls/changes.hpp"
#include "runtime/upcalls/disturbance.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

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
  if (s.log_level == kLogAccesses) append_record(INSPECT_RECORD_UNSEEN, s.current->id, s.current->pending);
}

// It may be a lock, or publish something: what it orders is not known, so races are not claimed across two of them.
void order_assembly(std::uint8_t thread) {
  constexpr std::uint64_t object = kStateBase;
  race_acquire(thread, object);
  race_release(thread, object);
}

// Looking a name up takes long: the functions last found to be seen are remembered.
struct SeenCode {
  const void* functions[64];
};
const void*& place_in_cache(const void* function) {
  auto& functions = part<SeenCode>(Part::seen_code).functions;
  return functions[reinterpret_cast<std::uintptr_t>(function) / 16 % (sizeof functions / sizeof *functions)];
}

// The first of an execution, to be told once there are two threads. In memory that every execution finds as it was at its
// begin.
char kept[INSPECT_ASSUMPTION_BYTES];
// While there was one thread: the last call of code that nobody sees. Likewise.
char entered_unseen[INSPECT_ASSUMPTION_BYTES];
const void* creator;  // the place that pthread_create's call returns to

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

// The stack of the thread that creates the second one, outwards.
struct Callers {
  const void* first;  // where the walk ends; it begins at the creator, for what is before is ours
  bool begun, ended;
};
_Unwind_Reason_Code visit_caller(_Unwind_Context* context, void* data) {
  auto& callers = *static_cast<Callers*>(data);
  callers.begun |= reinterpret_cast<const void*>(_Unwind_GetIP(context)) == creator;
  const auto* const function = reinterpret_cast<const void*>(_Unwind_GetRegionStart(context));
  callers.ended = callers.begun && function == callers.first;
  if (!callers.begun || is_instrumented(function)) return _URC_NO_REASON;
  Dl_info about;
  const bool system = !callers.ended && dladdr(function, &about) && about.dli_fname && is_system_library(about.dli_fname);
  return system ? _URC_NO_REASON : _URC_END_OF_STACK;
}
bool all_callers_are_seen() {
  Callers callers{reinterpret_cast<const void*>(state().threads[0].routine), false, false};
  _Unwind_Backtrace(visit_caller, &callers);
  return callers.ended;
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
  const Text text = text_of(what, name, site);
  if (s.execution.created <= 1) {
    memcpy(entered_unseen, text.characters, sizeof entered_unseen);
    note_change(entered_unseen, sizeof entered_unseen);
    return;
  }
  note_uncovered(text.characters);
}

void keep_uncovered(const char* what, const void* memory, const inspect_site* site) {
  if (!kept[0]) {
    memcpy(kept, text_of("memory of the program's that the library keeps: ", what, site).characters, sizeof kept);
    note_change(kept, sizeof kept);
  }
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const bool may_end = address - kArenaBase < kArenaBytes || address - kStackBase < kStackSlot * INSPECT_MAX_THREADS;
  if (active() && (may_end || state().execution.created > 1)) note_uncovered(kept);
}

void note_uncovered(const char* why) {
  state().channel->uncovered_calls = 1;
  assume_text(why);
}

void about_to_create(const void* place) {
  if (state().execution.created != 1) return;
  creator = place;
  note_change(&creator, sizeof creator);
}

void threads_are_several() {
  if (kept[0]) note_uncovered(kept);
  if (entered_unseen[0] && !all_callers_are_seen()) note_uncovered(entered_unseen);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT void inspect_assembly(unsigned kind, const void* place) {
  const auto* const site = static_cast<const inspect_site*>(place);
  State& s = state();
  if (!active()) return;
  if (kind == INSPECT_ASSEMBLY_SYSTEM_CALL) report_unsupported("a system call by inline assembly", site_number(site));
  if (s.execution.created > 1 && kind == INSPECT_ASSEMBLY_LOOP)
    report_unsupported("a loop inside inline assembly, which may wait for another thread", site_number(site));
  if (s.execution.created > 1 && kind == INSPECT_ASSEMBLY_THREAD)
    report_unsupported("use of the thread's segment register (%fs, %gs)", site_number(site));
  if (s.recording) order_assembly(s.current->id);
  enter_uncovered("inline assembly that may touch memory", "", site);
}

// Whoever uses the literal too late, be it the only thread, goes unnoticed.
INSPECT_EXPORT void inspect_stack_unknown(const void* place) {
  if (!active()) return;
  note_uncovered(text_of("an object that may be used after its block, where that would not be seen", "",
                         static_cast<const inspect_site*>(place))
                     .characters);
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
