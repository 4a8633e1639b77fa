#include "runtime/threads/exit_handlers.hpp"

#include <errno.h>
#include <link.h>
#include <string.h>

#include "runtime/memory/image.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/upcalls/points.hpp"

// Of the executable, from the linker; one function in it is the compiler's own.
extern "C" {
using FiniFunction = void (*)();
extern const FiniFunction __fini_array_start[] __attribute__((weak, visibility("hidden")));
extern const FiniFunction __fini_array_end[] __attribute__((weak, visibility("hidden")));
}

namespace inspect::runtime {
namespace {

// The order in which threads add handlers is the order, reversed, in which they run.
void handler_step(std::uint32_t site) {
  if (!active() || state().created == 1) return;
  visible(operation(INSPECT_OP_ExitHandler, reinterpret_cast<void*>(INSPECT_EXIT_HANDLERS_OBJECT), 8, site));
  executed();
}

// Is a handler left? Another thread may be adding one.
bool any_left(const unsigned& handlers) {
  handler_step(0);
  return handlers;
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
        const State& s = state();
        for (unsigned k = 1; k < s.image_count; ++k)
          for (int segment = 0; segment < info->dlpi_phnum; ++segment) {
            const auto& header = info->dlpi_phdr[segment];
            const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
            const auto table = reinterpret_cast<std::uintptr_t>(s.images[k].tables.functions_begin);
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
  handler_step(site);
  State& s = state();
  if (s.exit_handler_count == kMaxExitHandlers) report_limit(INSPECT_LIMIT_MEMORY, "more than 1024 exit handlers", 0);
  s.exit_handlers[s.exit_handler_count++] = handler;
  return 0;
}

int add_quick_handler(void (*function)(), std::uint32_t site) {
  map_state();
  handler_step(site);
  State& s = state();
  if (s.quick_handler_count == kMaxQuickHandlers) return ENOMEM;
  s.quick_handlers[s.quick_handler_count++] = function;
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

void run_exit_handlers() {
  State& s = state();
  while (any_left(s.exit_handler_count)) {
    const ExitHandler h = s.exit_handlers[--s.exit_handler_count];
    if (s.exit_handler_count < s.at_boot.exit_handlers_kept) s.at_boot.exit_handlers_kept = s.exit_handler_count;
    if (h.function != run_fini_arrays) about_to_call(code_of(h), "exit");
    if (h.with_status)
      h.with_status(s.exiting ? s.exit_status : 0, h.argument);
    else
      h.function(h.argument);
  }
  if (s.unseen_ending) enter_uncovered("uninstrumented function called: a destructor function of ", s.unseen_ending, nullptr);
}

void run_quick_handlers() {
  State& s = state();
  while (any_left(s.quick_handler_count)) {
    void (*const handler)() = s.quick_handlers[--s.quick_handler_count];
    about_to_call(handler, "quick_exit");
    handler();
  }
}

void exit_handlers_snapshot() {
  State& s = state();
  s.unseen_ending = find_unseen_ending();
  s.exit_handler_count_at_boot = s.at_boot.exit_handlers_kept = s.exit_handler_count;
  s.at_boot.quick_handler_count = s.quick_handler_count;
  s.at_boot.destructor_count = s.threads[0].destructor_count;
  memcpy(s.at_boot.exit_handlers, s.exit_handlers, s.exit_handler_count * sizeof *s.exit_handlers);
  memcpy(s.at_boot.quick_handlers, s.quick_handlers, s.quick_handler_count * sizeof *s.quick_handlers);
  memcpy(s.at_boot.destructors, s.threads[0].destructors, s.threads[0].destructor_count * sizeof(Destructor));
}

void exit_handlers_restore() {
  State& s = state();
  // The places of handlers that ran may have been taken by others.
  for (unsigned& i = s.at_boot.exit_handlers_kept; i < s.exit_handler_count_at_boot; ++i)
    s.exit_handlers[i] = s.at_boot.exit_handlers[i];
  s.exit_handler_count = s.exit_handler_count_at_boot;
  s.quick_handler_count = s.at_boot.quick_handler_count;
  for (unsigned i = 0; i < s.quick_handler_count; ++i) s.quick_handlers[i] = s.at_boot.quick_handlers[i];
}

void restore_main_destructors(Thread& main) {
  const State& s = state();
  main.destructor_count = s.at_boot.destructor_count;
  memcpy(main.destructors, s.at_boot.destructors, main.destructor_count * sizeof(Destructor));
}

}  // namespace inspect::runtime
