#include "runtime/threads/exit_handlers.hpp"

#include <errno.h>
#include <link.h>
#include <string.h>

#include "runtime/memory/module.hpp"
#include "runtime/platform/memory_map.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/upcalls/identities.hpp"
#include "runtime/upcalls/points.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/unsafe_calls.hpp"

// Of the executable, from the linker; one function in it is the compiler's own.
extern "C" {
using FiniFunction = void (*)();
extern const FiniFunction __fini_array_start[] __attribute__((weak, visibility("hidden")));
extern const FiniFunction __fini_array_end[] __attribute__((weak, visibility("hidden")));
}

namespace inspect::runtime {
namespace {

struct ExitHandlers {
  unsigned count, count_at_boot, kept;  // kept: of those at boot, in this execution; the ones after them ran
  unsigned quick_count, quick_count_at_boot;
  std::uint16_t destructor_count_at_boot;
  ExitHandler list[kMaxExitHandlers], at_boot[kMaxExitHandlers];
  void (*quick[kMaxQuickHandlers])();
  void (*quick_at_boot[kMaxQuickHandlers])();
  Destructor destructors_at_boot[kMaxThreadDestructors];  // of main's thread_local objects
  const char* unseen;                                     // a library with code that runs at the end, without hooks; null: none
};
ExitHandlers& handlers() { return part<ExitHandlers>(Part::exit_handlers); }

// The order in which threads add handlers is the order, reversed, in which they run.
// order: tells the two lists apart, where the state is described (identity.cpp).
void handler_step(std::uint32_t site, std::uint8_t order = 0) {
  if (!active() || state().execution.created == 1) return;
  Operation o = operation(INSPECT_OP_ExitHandler, reinterpret_cast<void*>(INSPECT_EXIT_HANDLERS_OBJECT), 8, site);
  o.order = order;
  visible(o);
  executed();
}

// Is a handler left? Another thread may be adding one. Without a place: between two handlers.
bool any_left(const unsigned& count) {
  handler_step(0, &count == &handlers().quick_count);
  return count;
}

struct FiniArray {
  const FiniFunction* begin;
  std::size_t count;
};

FiniArray own_fini_array() {
  return {__fini_array_start, __fini_array_start ? std::size_t(__fini_array_end - __fini_array_start) : 0};
}

FiniArray fini_array_of(const dl_phdr_info& info) {
  FiniArray found{};
  for (int k = 0; k < info.dlpi_phnum; ++k) {
    if (info.dlpi_phdr[k].p_type != PT_DYNAMIC) continue;
    for (const auto* d = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[k].p_vaddr); d->d_tag; ++d) {
      if (d->d_tag == DT_FINI_ARRAY) found.begin = reinterpret_cast<const FiniFunction*>(info.dlpi_addr + d->d_un.d_ptr);
      if (d->d_tag == DT_FINI_ARRAYSZ) found.count = d->d_un.d_val / sizeof(FiniFunction);
    }
  }
  return found;
}

// Libraries built with the wrappers; what others do at their end cannot be seen.
template <class Visitor>
int for_each_library(Visitor visit) {
  return dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* visitor) {
        for (unsigned k = 1; k < modules().count; ++k)
          for (int segment = 0; segment < info->dlpi_phnum; ++segment) {
            const auto& header = info->dlpi_phdr[segment];
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            const auto table = reinterpret_cast<std::uintptr_t>(modules().list[k].tables.functions_begin);
            if (header.p_type == PT_LOAD && table >= begin && table < begin + header.p_memsz)
              (*static_cast<Visitor*>(visitor))(*info);
          }
        return 0;
      },
      &visit);
}

void run_backwards(FiniArray array) {
  while (array.count) array.begin[--array.count]();
}

bool has_unseen(FiniArray array) {
  unsigned unseen = 0;
  for (std::size_t i = 0; i < array.count; ++i) unseen += !is_instrumented(reinterpret_cast<const void*>(array.begin[i]));
  return unseen > 1;
}

// Whose functions of .fini_array have no hooks: the executable, or some library. Those of a library without wrappers are not
// run here at all.
const char* find_unseen_ending() {
  if (has_unseen(own_fini_array())) return "the executable";
  const char* found = nullptr;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        if (!*info->dlpi_name || is_system_library(info->dlpi_name) || !has_unseen(fini_array_of(*info))) return 0;
        *static_cast<const char**>(result) = info->dlpi_name;
        return 1;
      },
      &found);
  return found;
}

// Those of the executable, then of its libraries, in the order in which they were loaded.
void run_fini_arrays(void*) {
  run_backwards(own_fini_array());
  for_each_library([](const dl_phdr_info& info) { run_backwards(fini_array_of(info)); });
}

// Before the executable's own constructors, so that it runs after the handlers that they add.
void expect_fini_arrays() {
  map_state();
  bool any = own_fini_array().count > 1;
  for_each_library([&](const dl_phdr_info& info) { any |= fini_array_of(info).count > 1; });
  if (any) add_exit_handler({run_fini_arrays, nullptr, nullptr}, 0);
}
__attribute__((section(".init_array.00000"), used)) void (*const kExpectFiniArrays)() = expect_fini_arrays;

void run_plain(void* function) { reinterpret_cast<void (*)()>(function)(); }

const void* code_of(const ExitHandler& h) {
  if (h.with_status) return reinterpret_cast<const void*>(h.with_status);
  return h.function == run_plain ? h.argument : reinterpret_cast<const void*>(h.function);
}

}  // namespace

ExitHandler plain_handler(void (*function)()) { return {run_plain, reinterpret_cast<void*>(function), nullptr}; }

int add_exit_handler(ExitHandler handler, std::uint32_t site) {
  map_state();  // constructors of libraries come before boot
  if (active()) enter_unsafe_call("atexit", site);
  handler_step(site);
  ExitHandlers& h = handlers();
  if (h.count == kMaxExitHandlers) report_limit(INSPECT_LIMIT_MEMORY, "more than 1024 exit handlers", 0);
  h.list[h.count++] = handler;
  return 0;
}

int add_quick_handler(void (*function)(), std::uint32_t site) {
  map_state();
  handler_step(site);
  ExitHandlers& h = handlers();
  if (h.quick_count == kMaxQuickHandlers) return ENOMEM;
  h.quick[h.quick_count++] = function;
  return 0;
}

int add_thread_destructor(void (*function)(void*), void* object) {
  map_state();
  Thread& t = *state().current;
  if (t.destructor_count == kMaxThreadDestructors)
    report_limit(INSPECT_LIMIT_MEMORY, "more than 64 thread_local objects with destructors in one thread", 0);
  t.destructors[t.destructor_count++] = {function, object};
  return 0;
}

bool has_new_exit_handlers() { return handlers().count > handlers().count_at_boot; }

void run_exit_handlers() {
  const State& s = state();
  ExitHandlers& h = handlers();
  while (any_left(h.count)) {
    const ExitHandler last = h.list[--h.count];
    if (h.count < h.kept) h.kept = h.count;
    if (last.function != run_fini_arrays) about_to_call(code_of(last), "exit");
    if (last.with_status)
      last.with_status(s.execution.ending.begun ? s.execution.ending.status : 0, last.argument);
    else
      last.function(last.argument);
  }
  if (h.unseen) enter_uncovered("uninstrumented function called: a destructor function of ", h.unseen, nullptr);
}

void run_quick_handlers() {
  ExitHandlers& h = handlers();
  while (any_left(h.quick_count)) {
    void (*const handler)() = h.quick[--h.quick_count];
    about_to_call(handler, "quick_exit");
    handler();
  }
}

void exit_handlers_snapshot() {
  ExitHandlers& h = handlers();
  const Thread& main = state().threads[0];
  h.unseen = find_unseen_ending();
  h.count_at_boot = h.kept = h.count;
  h.quick_count_at_boot = h.quick_count;
  h.destructor_count_at_boot = main.destructor_count;
  memcpy(h.at_boot, h.list, h.count * sizeof *h.list);
  memcpy(h.quick_at_boot, h.quick, h.quick_count * sizeof *h.quick);
  memcpy(h.destructors_at_boot, main.destructors, main.destructor_count * sizeof *main.destructors);
}

void exit_handlers_restore() {
  ExitHandlers& h = handlers();
  // The places of handlers that ran may have been taken by others.
  for (; h.kept < h.count_at_boot; ++h.kept) h.list[h.kept] = h.at_boot[h.kept];
  h.count = h.count_at_boot;
  h.quick_count = h.quick_count_at_boot;
  for (unsigned i = 0; i < h.quick_count; ++i) h.quick[i] = h.quick_at_boot[i];
}

void restore_main_destructors(Thread& main) {
  const ExitHandlers& h = handlers();
  main.destructor_count = h.destructor_count_at_boot;
  memcpy(main.destructors, h.destructors_at_boot, main.destructor_count * sizeof *main.destructors);
}

bool exit_handlers_have_addresses_of_threads() {
  const ExitHandlers& h = handlers();
  for (unsigned i = 0; i < h.count; ++i)
    if (reinterpret_cast<std::uintptr_t>(h.list[i].argument) - kStackBase < 2 * kStackSlot * INSPECT_MAX_THREADS) return true;
  return false;
}

bool exit_handlers_have_addresses() {
  const ExitHandlers& h = handlers();
  for (unsigned i = 0; i < h.count; ++i)
    if (reinterpret_cast<std::uintptr_t>(h.list[i].argument) - kArenaBase < kArenaBytes) return true;
  return false;
}

void describe_exit_handlers(StateHash& hash) {
  const ExitHandlers& h = handlers();
  hash.word(h.count | std::uint64_t(h.quick_count) << 32);
  hash.bytes(h.list, h.count * sizeof *h.list);
  hash.bytes(h.quick, h.quick_count * sizeof *h.quick);
}

}  // namespace inspect::runtime
