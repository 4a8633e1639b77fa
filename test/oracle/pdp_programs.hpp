// Programs with and without data races, and in how many executions pdp tells.
#pragma once
#include <string_view>

namespace inspect::oracle {

struct RaceProgram {
  std::string_view name;
  bool racy;
  unsigned executions;  // of pdp, when it does not stop at the first race
  std::string_view text;
};

#define WORKERS_2 "thread 0: create t1; create t2;"

inline constexpr RaceProgram kRacePrograms[] = {
    // SEMANTICS I.3: the papers' version misses the race in each of the first two.
    {"pruned_part_backtracks_above", true, 2,
     WORKERS_2 "thread 1: write x0 1; lock m0; write x1 1; unlock m0;"
               "thread 2: lock m0; r0 = read x1; unlock m0; if r0 == 1 goto 5; write x0 1"},
    {"what_was_read_decides_what_is_touched", true, 2,
     WORKERS_2 "thread 1: lock m0; r0 = read x0; unlock m0; if r0 == 0 goto 6; write x2 1; if r1 == 0 goto 7; write x1 1;"
               "thread 2: lock m0; write x0 1; unlock m0; write x2 2"},
    // The race is one with an access before the state from which on "everything is free of races".
    {"a_race_with_the_past", true, 3,
     "thread 0: create t1; create t2; join t1; lock m0; unlock m0; thread 1: lock m0; unlock m0; write x0 2;"
     "thread 2: lock m0; write x0 2"},
    // Fig. 5.1.
    {"figure_5_1", true, 4,
     WORKERS_2
     "thread 1: lock m0; write x0 1; unlock m0; lock m1; write x1 1; unlock m1; lock m0; write x2 1; unlock m0;"
     "thread 2: lock m0; lock m1; write x2 2; r0 = read x0; unlock m1; unlock m0; lock m0; if r0 == 1 goto 9; write x1 "
     "2; unlock m0"},
    {"figure_5_1_repaired", false, 1,
     WORKERS_2
     "thread 1: lock m0; write x0 1; unlock m0; lock m1; write x1 1; unlock m1; lock m0; write x2 1; unlock m0;"
     "thread 2: lock m0; lock m1; write x2 2; r0 = read x0; unlock m1; unlock m0; lock m1; if r0 == 1 goto 9; write x1 "
     "2; unlock m1"},
    {"one_lock_for_all", false, 1,
     "thread 0: create t1; create t2; create t3; join t1; join t2; join t3; r0 = read x0;"
     "thread 1: lock m0; write x0 1; unlock m0; thread 2: lock m0; write x0 2; unlock m0; thread 3: lock m0; write x0 3; "
     "unlock "
     "m0"},
    {"readers_do_not_exclude", true, 1,
     WORKERS_2 "thread 1: rdlock l0; r0 = read x0; if r0 == 0 goto 4; write x1 1; rwunlock l0;"
               "thread 2: rdlock l0; write x0 1; write x1 1; rwunlock l0"},
    // In the first execution a mutex happens to order them.
    {"readers_write", true, 2,
     WORKERS_2 "thread 1: rdlock l0; write x0 1; rwunlock l0; lock m0; unlock m0;"
               "thread 2: lock m0; rdlock l0; write x0 2; rwunlock l0; unlock m0"},
    // In the first execution the second thread waits for ever, and touches nothing.
    {"a_thread_that_waits_for_ever", true, 2,
     "main_returns; thread 0: create t1; create t2; thread 1: lock m0; signal c0; unlock m0; write x0 1;"
     "thread 2: lock m0; wait c0 m0; unlock m0; write x0 2"},
    // What leads to the race is an operation on the other side of a branch, in a part that is free of races itself.
    {"an_operation_on_the_other_side", true, 2,
     WORKERS_2 "thread 1: lock m1; r1 = read x1; unlock m1; if r1 == 0 goto 5; write x2 1; lock m0; write x0 1; unlock m0;"
               "thread 2: lock m0; r0 = read x0; unlock m0; if r0 == 1 goto 7; lock m1; write x1 1; unlock m1; write x2 2"},
    {"released_on_the_other_side", true, 3,
     WORKERS_2
     "thread 1: lock m0; r0 = read x0; if r0 == 0 goto 4; unlock m0; if r0 != 0 goto 7; unlock m0; if r0 == 0 goto 8; "
     "write x1 1; thread 2: lock m0; write x0 1; unlock m0; lock m0; write x1 2; unlock m0"},
    // Who finds the mutex taken frees what was used before it was taken: no order, but never a use of freed memory.
    {"a_free_is_a_write", true, 3,
     WORKERS_2 "thread 1: lock m0; r0 = read x2; unlock m0; lock m2; unlock m2;"
               "thread 2: r1 = trylock m2; if r1 == 1 goto 4; free x2; if r1 == 0 goto 5; unlock m2"},
    {"a_free_under_the_lock", false, 1,
     WORKERS_2 "thread 1: lock m0; r0 = read x2; unlock m0; lock m2; unlock m2;"
               "thread 2: r1 = trylock m2; if r1 == 1 goto 6; lock m0; free x2; unlock m0; if r1 == 0 goto 7; unlock m2"},
    // What a section before the state has touched.
    {"an_atomic_section_in_the_past", true, 2,
     "thread 0: create t1; create t2; join t1; store x0 0; thread 1: atomic 1; r0 = read x1;"
     "thread 2: r1 = load x0; write x1 2"},
    // A clock is as late as all that its thread depends on.
    {"the_clock_decides", true, 2,
     WORKERS_2 "thread 1: lock m0; unlock m0; r0 = clock 1; if r0 == 0 goto 5; write x0 1;"
               "thread 2: r1 = clock 1; lock m0; unlock m0; write x0 2"},
    {"a_copy_decides", true, 2,
     "thread 0: create t1; join t1; r0 = read x1; create t2; if r0 == 0 goto 6; write x2 1; thread 1: create t3; lock m0; r1 = "
     "read x0; unlock m0; store x1 r1; thread 2: write x2 2; thread 3: lock m0; write x0 1; unlock m0"},
};
#undef WORKERS_2

}  // namespace inspect::oracle
