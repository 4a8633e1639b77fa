// Condition variables, in the memory of pthread_cond_t (cnd_t has the same layout).
//
// Guarantees (SEMANTICS A.2, D): a signal may wake any of the waiters; a timed wait chooses when it is called whether it times
// out, and then is unlock; lock. A spurious wake likewise, where the explorer asks for them: at most one for each thread and
// condition variable between two signals on it, so that a loop around a wait ends.
#pragma once
#include <pthread.h>
#include <time.h>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

// Was it initialised, or used? Zeroes may be a static initialiser, which those of C11 do not have.
bool condition_is_marked(pthread_cond_t* c);
int initialise_condition(pthread_cond_t* c, clockid_t clock, std::uint32_t site);
int destroy_condition(pthread_cond_t* c, std::uint32_t site);
int wait_condition(pthread_cond_t* c, pthread_mutex_t* m, std::uint32_t site);
int timed_wait_condition(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* deadline, std::uint32_t site);
int signal_condition(pthread_cond_t* c, std::uint32_t site);
int broadcast_condition(pthread_cond_t* c, std::uint32_t site);

}  // namespace inspect::runtime
