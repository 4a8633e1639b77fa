// What a program wants done at its end: atexit, on_exit, at_quick_exit, destructors of static objects, functions of
// .fini_array.
//
// Guarantees: they run in the C library's order; what constructors added before main is there again in every execution.
// Deliberately unknown here: who ends the process, and when (ending.hpp).
#pragma once
#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct ExitHandler {
  void (*function)(void*);
  void* argument;
  void (*with_status)(int, void*);  // of on_exit; else null
};
inline constexpr unsigned kMaxExitHandlers = 1024, kMaxQuickHandlers = 64;

// The handler of a function without arguments.
ExitHandler plain_handler(void (*function)());
int add_exit_handler(ExitHandler handler, std::uint32_t site);
int add_quick_handler(void (*function)(), std::uint32_t site);
int add_thread_destructor(void (*function)(void*), void* object);
// Has one been added since main began?
bool has_new_exit_handlers();
// Each may end the process with another status, or add more.
void run_exit_handlers();
void run_quick_handlers();

// What there is now is there whenever an execution begins.
void exit_handlers_snapshot();
void exit_handlers_restore();
// Of main, at the beginning of an execution.
void restore_main_destructors(Thread& main);

}  // namespace inspect::runtime
