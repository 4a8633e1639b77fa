// Threads of the program: creation, ends, handles.
//
// Guarantees: a pthread_t is a function of the thread's number alone and is never reused within an execution.
#pragma once
#include <pthread.h>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

struct Deadline;
using ThreadRoutine = void* (*)(void*);

inline pthread_t handle_of(const Thread& t) { return kStackBase + t.id * kStackSlot; }
// The thread of a handle; null when it is none of this execution's.
Thread* thread_of(pthread_t handle);

// The stack that a new thread is to have.
struct Stack {
  std::size_t size = kStackBytes;
  char* address = nullptr;  // null: one of the runtime's
};
// As attributes ask for it; they may be null.
Stack stack_of_attributes(const pthread_attr_t* attributes, std::uint32_t site);

// The thread of a handle that a call uses. Ends the execution if the life of the handle is over: of the thread, once it was
// joined, or has ended detached. call: its name, for the message; as_step: the use is a step, for it may come too late.
Thread& used_thread(pthread_t handle, const char* call, std::uint32_t site, bool as_step = true);

struct NewThread {
  ThreadRoutine routine;
  void* argument;
  bool detached = false;
  Stack stack = {};
  bool stores_late = false;  // its handle may be there only after it runs
};
// Creates a thread as a visible operation. Returns 0 or EAGAIN.
int create_thread(pthread_t* handle, const NewThread& wanted, std::uint32_t site);
enum class JoinMode { wait, attempt, timed };
// deadline: of a timed one, which gives up only while it would wait.
int join_thread(pthread_t handle, void** result, std::uint32_t site, JoinMode mode = JoinMode::wait,
                const Deadline* deadline = nullptr);
int detach_thread(pthread_t handle, std::uint32_t site);
// Ends the current thread: destructors of thread_local objects and keys, then the visible exit.
[[noreturn]] void end_thread(void* result);
// As pthread_exit: unwinds the stack first.
[[noreturn]] void unwind_thread(void* result, std::uint32_t site);
void run_thread_destructors(Thread& t);
// Of thread-specific data: is it to be run at the end of the current thread? Another may be deleting the key.
bool key_has_destructor(unsigned key);
// Puts thread 0 in place for a new execution, its routine not yet started.
Thread& make_main_thread(ThreadRoutine routine);
// Number for the `index`-th child of `parent`, stable over executions; -1 when there are too many.
int thread_number(unsigned parent, unsigned index);

}  // namespace inspect::runtime
