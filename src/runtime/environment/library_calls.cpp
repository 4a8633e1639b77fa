// The hooks of library calls whose effects are computed as they happen (library_actions.hpp).
#include "runtime/environment/bounds.hpp"
#include "runtime/environment/library_actions.hpp"
#include "runtime/environment/signals.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/module.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/library_state.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/changes.hpp"
#include "runtime/upcalls/interruption.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"

extern "C" {
__attribute__((visibility("default"), used)) std::int64_t inspect_words[64];
}

namespace inspect::runtime {

namespace {

// While it lives, a fault is the program's, at this place; not while an access may give the turn to others.
class Looking {
 public:
  explicit Looking(const void* site) { state().execution.touching = site_number(static_cast<const inspect_site*>(site)); }
  ~Looking() { state().execution.touching = 0; }
  Looking(const Looking&) = delete;
  Looking& operator=(const Looking&) = delete;
};

void not_read(const void* format, bool wide) {
  State& s = state();
  if (s.execution.created <= 1) return;
  s.channel->uncovered_calls = 1;
  assume_text(wide ? "a format of wide characters could not be read"
                   : format_message("a format could not be read: %s", static_cast<const char*>(format)));
}

// Of a call whose effects follow.
void enter_library_call(const void* site) {
  if (may_be_cancelled_within()) cancel_within("one of the library", site_number(static_cast<const inspect_site*>(site)));
}

// What was given stays out of the program's state.
FormatArguments take_words(unsigned count, std::uint64_t* copy) {
  for (unsigned i = 0; i < count; ++i) {
    copy[i] = std::uint64_t(inspect_words[i]);
    inspect_words[i] = 0;
  }
  return {copy, count, nullptr};
}

}  // namespace

namespace {
void touch(const void* address, std::size_t size, bool write, const void* site) {
  if (!size) return;
  State& s = state();
  const std::uint32_t looking = s.execution.touching;
  const ArgumentBounds* const bounds = s.execution.bounds;
  if (bounds) check_bounds(*bounds, reinterpret_cast<std::uintptr_t>(address), size);
  s.execution.touching = 0;
  s.execution.bounds = nullptr;
  note_access_of_handlers(reinterpret_cast<std::uintptr_t>(address), size, write, AccessBy::call);
  access(reinterpret_cast<std::uintptr_t>(address), size, write, site_number(static_cast<const inspect_site*>(site)));
  s.execution.bounds = bounds;
  s.execution.touching = looking;
}
}  // namespace

void touch_read(const void* address, std::size_t size, const void* site) { touch(address, size, false, site); }
void touch_write(const void* address, std::size_t size, const void* site) { touch(address, size, true, site); }

void touch_locked(const void* address, std::size_t size, bool write, const void* site) {
  const State& s = state();
  if (!size || !s.recording) return;
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const std::uint32_t number = site_number(static_cast<const inspect_site*>(site));
  if (check_access(place, size) != MemoryFault::none) report_dead_access(place, size, write, number);
  never_a_point(place, size);
  if (!race_object_access(s.current->id, place, size, write, number)) report_race();
}

void meet_unseen(const char* what, const void* site) { enter_uncovered(what, "", static_cast<const inspect_site*>(site)); }
void keep_memory(const char* what, const void* memory, const void* site) {
  keep_uncovered(what, memory, static_cast<const inspect_site*>(site));
}

void touch_library_state(LibraryState object, bool write, const void* site) {
  constexpr std::size_t kBytes = 8;
  const char* const place = inspect_library_state + kBytes * unsigned(object);
  write ? touch_write(place, kBytes, site) : touch_read(place, kBytes, site);
}

bool is_on_heap(const void* object) { return reinterpret_cast<std::uintptr_t>(object) - kArenaBase < kArenaBytes; }

void keep_signal_mask(const void* place, bool keeps) { save_mask(place, keeps); }
void restore_signal_mask(const void* place, const void* site) {
  restore_mask(place, site_number(static_cast<const inspect_site*>(site)));
}
void begin_thread_locale(const void* locale) { state().current->locale = locale; }
void settle_block(const void* p) {
  ObjectRecord *block = nullptr, *part = nullptr;
  const auto settle = [](ObjectRecord& r) {
    race_settled(r.begin, r.size);
    r.birth = 0;
  };
  if (arena_lookup(p, &block) != FreeFault::none) return;
  settle(*block);
  const auto* const words = reinterpret_cast<void* const*>(block->begin);
  for (std::size_t i = 0; i < block->size / sizeof *words; ++i)
    if (arena_lookup(words[i], &part) == FreeFault::none) settle(*part);
}
void check_locale_unused(const void* locale, const void* site) {
  const State& s = state();
  s.execution.alive.for_each([&](unsigned i) {
    if (s.threads[i].locale == locale)
      misuse("freelocale of a locale that is a thread's (uselocale)", site_number(static_cast<const inspect_site*>(site)));
  });
}

char** random_place() { return reinterpret_cast<char**>(inspect_library_state + 8 * unsigned(LibraryState::random_array)); }
char** split_place() { return reinterpret_cast<char**>(inspect_library_state + 8 * unsigned(LibraryState::strtok)); }

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT std::uint64_t inspect_text_size(const void* text, std::uint64_t limit, std::uint32_t unit, const void* site) {
  if (!active()) return 0;
  const Looking looking(site);
  return text_size(text, limit, unit);
}

INSPECT_EXPORT void inspect_act(std::uint32_t action, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                                std::uint64_t e, std::uint64_t f, std::uint64_t result, const void* site) {
  ArgumentBounds bounds = state().execution.given_bounds;
  state().execution.given_bounds.count = 0;
  if (LibraryAction(action) == LibraryAction::count) return;
  if (!active()) {
    if (keeps_memory(LibraryAction(action))) perform(LibraryAction(action), {{a, b, c, d, e, f}, result}, site);
    return;
  }
  enter_library_call(site);
  note_unseen_changes();  // of the library's own memory
  const Looking looking(site);
  if (bounds.count) state().execution.bounds = &bounds;
  perform(LibraryAction(action), {{a, b, c, d, e, f}, result}, site);
  state().execution.bounds = nullptr;
}

INSPECT_EXPORT void inspect_print_list(void* list, const void* format, std::uint32_t wide, const void* site) {
  if (!active() || !format) return;
  enter_library_call(site);
  const Looking looking(site);
  if (!touch_printed(format, wide, {nullptr, 0, list}, site)) not_read(format, wide);
}

INSPECT_EXPORT void inspect_print_words(const void* format, std::uint32_t count, std::uint32_t wide, const void* site) {
  std::uint64_t copy[64];
  const FormatArguments arguments = take_words(count, copy);
  if (!active() || !format) return;
  enter_library_call(site);
  const Looking looking(site);
  if (!touch_printed(format, wide, arguments, site)) not_read(format, wide);
}

INSPECT_EXPORT void inspect_scanned_list(void* list, const void* format, std::int64_t stored, std::uint32_t wide,
                                         const void* site) {
  if (!active() || !format) return;
  enter_library_call(site);
  const Looking looking(site);
  if (!touch_scanned(format, wide, {nullptr, 0, list}, stored, site)) not_read(format, wide);
}

INSPECT_EXPORT void inspect_scanned_words(const void* format, std::uint32_t count, std::int64_t stored, std::uint32_t wide,
                                          const void* site) {
  std::uint64_t copy[64];
  const FormatArguments arguments = take_words(count, copy);
  if (!active() || !format) return;
  enter_library_call(site);
  const Looking looking(site);
  if (!touch_scanned(format, wide, arguments, stored, site)) not_read(format, wide);
}
