// Mutexes, in the memory of pthread_mutex_t (mtx_t has the same layout): normal, recursive, error-checking, adaptive; robust or
// not.
//
// Guarantees: the error results of POSIX; what POSIX leaves undefined is api-misuse, but a normal mutex locked again by its
// owner blocks for ever, as it does in life. Priorities (protocols, ceilings) have no effect.
#pragma once
#include <pthread.h>
#include <time.h>

#include "runtime/platform/state.hpp"

namespace inspect::runtime {

int initialise_mutex(pthread_mutex_t* m, int kind, std::uint32_t site);
int destroy_mutex(pthread_mutex_t* m, std::uint32_t site);
int lock_mutex(pthread_mutex_t* m, std::uint32_t site);
int try_lock_mutex(pthread_mutex_t* m, std::uint32_t site);
int timed_lock_mutex(pthread_mutex_t* m, clockid_t clock, const timespec* deadline, std::uint32_t site);
int unlock_mutex(pthread_mutex_t* m, std::uint32_t site);

// Was it initialised, or used? If not, zeroes may be a static initialiser, which those of C11 do not have.
bool mutex_is_marked(const pthread_mutex_t* m);

// For condition variables, within a step of their own: no scheduling point.
bool mutex_owned_by(const pthread_mutex_t* m, unsigned thread);
// Would its unlock leave it free, or only one level of it given back?
bool mutex_is_given_back(const pthread_mutex_t* m, unsigned thread);
bool mutex_demands_owner(const pthread_mutex_t* m);                  // others get EPERM instead of undefined behaviour
bool mutex_lock_returns(const pthread_mutex_t* m, unsigned thread);  // a lock by this thread would not wait
void release_mutex_for_wait(pthread_mutex_t* m);
int take_mutex_after_wait(pthread_mutex_t* m, std::uint32_t site);  // 0, EOWNERDEAD, ENOTRECOVERABLE

// A thread ends: the robust mutexes that it holds go to whoever locks them next.
void abandon_robust_mutexes();

}  // namespace inspect::runtime
