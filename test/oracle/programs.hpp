// The small programs that break without a rule of the semantics: one a rule, in the model language (src/oracle/model.hpp).
//
// `classes` is the number of classes of equivalent executions, `bugs` what goes wrong in one of them, in words, "" if nothing
// does.
#pragma once
#include <string_view>

namespace inspect::oracle {

struct NamedProgram {
  std::string_view name;
  std::string_view bugs;  // kinds of bugs, in the order of inspect_bug
  unsigned classes;       // of executions that no bug cut short
  std::string_view text;
};

// Threads 1 … n are created by main, which does nothing else.
#define CREATE_2 "thread 0: create t1; create t2;"
#define CREATE_3 "thread 0: create t1; create t2; create t3;"

inline constexpr NamedProgram kPrograms[] = {
    // A transition is (thread, alternative).
    {"choice_keeps_its_other_value", "assertion", 3,
     CREATE_2 "thread 1: r0 = choose 2; store x0 r0; thread 2: r1 = load x0; assert r1 != 1"},
    {"signal_chooses_the_waiter", "deadlock", 10,
     CREATE_3 "thread 1: lock m0; wait c0 m0; unlock m0; thread 2: lock m0; wait c0 m0; unlock m0; thread 3: lock m0; signal "
              "c0; unlock m0"},
    {"timed_wait_times_out_without_signal", "", 5,
     CREATE_2 "thread 1: lock m0; r0 = timedwait c0 m0; unlock m0; thread 2: lock m0; signal c0; unlock m0"},
    {"a_bug_wakes_siblings_under_way", "assertion", 4,
     "thread 0: create t1; create t2; create t3; create t4; thread 1: store x0 1; thread 2: r0 = load x0; assert r0 != 0; "
     "thread 3: r0 = load x0; thread 4: r0 = load x0"},
    {"timed_lock_gives_up_only_while_it_would_block", "assertion", 3,
     CREATE_2
     "thread 1: lock m0; store x0 1; unlock m0; thread 2: r0 = timedlock m0; if r0 == 1 goto 4; r1 = load x0; assert r1 != 1; "
     "if r0 == 0 goto 6; unlock m0"},
    {"serial_thread_of_a_barrier_is_a_choice", "assertion", 2,
     CREATE_2 "thread 1: r0 = barrier b0; assert r0 != 1; thread 2: r0 = barrier b0"},
    {"atomic_sections_conflict_by_what_they_touch", "", 2,
     CREATE_2 "thread 1: atomic 2; r0 = load x0; store x1 1; thread 2: atomic 2; r0 = load x2; r1 = load x1"},
    {"atomic_sections_on_other_cells_commute", "", 1,
     CREATE_2 "thread 1: atomic 2; r0 = load x0; store x1 1; thread 2: atomic 2; r0 = load x0; store x2 1"},
    // Objects and dependence.
    {"mixed_sizes_overlap", "", 2, CREATE_2 "thread 1: store8 x0 1; thread 2: r0 = load x1"},
    {"failed_trylock_reads_the_mutex", "", 3,
     CREATE_2 "thread 1: lock m0; unlock m0; thread 2: r0 = trylock m0; if r0 == 0 goto 3; unlock m0"},
    {"failed_trywrlock_reads_the_readers", "assertion", 2,
     CREATE_2 "thread 1: rdlock l0; rwunlock l0; thread 2: r0 = trywrlock l0; assert r0 != 0; rwunlock l0"},
    {"a_preferred_writer_cuts_in_between_readers", "deadlock", 8,
     "writers 1; thread 0: create t1; create t2; wrlock l0; rwunlock l0; thread 1: rdlock l0; semwait s0; rwunlock l0; "
     "thread 2: rdlock l0; post s0; rwunlock l0"},
    {"a_writer_waits_for_who_took_it_not_for_who_came_later", "assertion deadlock", 4,
     "writers 1; thread 0: create t1; create t2; wrlock l0; rwunlock l0; thread 1: semwait s0; wrlock l0; thread 2: r0 = "
     "trywrlock l0; post s0; assert r0 != 0"},
    {"a_time_out_lets_readers_in_again", "", 25,
     "writers 1; thread 0: create t1; create t2; r0 = timedwrlock l0; if r0 == 0 goto 5; rwunlock l0; thread 1: rdlock l0; "
     "rwunlock l0; thread 2: rdlock l0; rwunlock l0"},
    {"once_waits_for_who_does_it", "", 2,
     CREATE_2 "thread 1: once o0 else goto 3; store x0 1; done o0; thread 2: once o0 else goto 3; store x0 2; done o0"},
    {"a_futex_wake_chooses_whom", "deadlock", 37,
     CREATE_3 "thread 1: r0 = futexwait x0 0; thread 2: r0 = futexwait x0 0; thread 3: r0 = futexwake x0 2; store x0 1; r0 = "
              "futexwake x0 1"},
    {"a_loop_waits_for_a_store", "", 1, CREATE_2 "thread 1: spin until x0 == 1; thread 2: store x0 1"},
    {"a_loop_waits_for_what_was_there", "livelock", 3,
     CREATE_2 "thread 1: spin until x0 == 1; thread 2: store x0 1; store x0 2"},
    {"semaphore_posts_commute", "", 1, CREATE_2 "thread 1: post s0; thread 2: post s0"},
    {"semaphore_wait_depends_on_posts", "", 5,
     CREATE_3 "thread 1: post s0; thread 2: post s0; thread 3: semwait s0; r0 = value s0"},
    {"readers_commute", "", 1, CREATE_2 "thread 1: rdlock l0; rwunlock l0; thread 2: rdlock l0; rwunlock l0"},
    {"free_before_the_access", "memory-error", 1, CREATE_2 "thread 1: free x0; thread 2: r0 = load x1"},
    {"commuting_adds", "", 1, CREATE_3 "thread 1: add x0 1; thread 2: add x0 2; thread 3: add x0 1"},
    {"adds_with_results_do_not_commute", "", 6,
     CREATE_3 "thread 1: r0 = add x0 1; thread 2: r0 = add x0 1; thread 3: r0 = add x0 1"},
    {"join_comes_after_exit", "assertion", 0,
     "thread 0: create t1; join t1; r0 = load x0; assert r0 != 1; thread 1: store x0 1"},
    // Known states.
    {"a_thread_created_behind_a_cut", "memory-error", 1,
     "thread 0: create t1; r0 = load8 x0; thread 1: create t2; thread 2: free x1"},
    {"conflicts_behind_a_cut_are_not_the_latest_only", "", 4,
     CREATE_2 "store x1 0; thread 1: r2 = add x0 1; thread 2: atomic 2; store x0 0; store x1 2"},
    {"what_sleeps_does_not_lead_to_what_comes_first", "deadlock", 21,
     "barrier 3;" CREATE_2 "r0 = choose 3; store x0 r0; thread 1: r2 = cas x0 1 1; if r2 != 1 goto 3; r2 = barrier b0;"
     "thread 2: r2 = choose 2; if r2 == 1 goto 5; r1 = load x0; if r1 == 0 goto 5; r1 = barrier b0"},
    // Mirror images.
    {"a_section_in_a_mirror_image", "", 3,
     CREATE_2 "thread 1: atomic 3; r1 = cas x0 1 0; if r1 != 0 goto 4; r2 = load x0;"
              "thread 2: write x0 1; add x0 1; atomic 3; r1 = cas x0 1 0; if r1 != 0 goto 6; r2 = load x0"},
    // The ends of executions.
    {"exit_does_not_end_the_others", "assertion", 0,
     CREATE_2
     "thread 1: r0 = load x0; if r0 == 1 goto 3; exit 0; thread 2: store x1 1; store x0 1; r0 = load x1; assert r0 != 1"},
    {"first_exit_fixes_the_status", "exit-status", 2, CREATE_2 "thread 1: exit 0; thread 2: exit 1"},
    {"failed_assume_is_no_deadlock", "", 2, CREATE_2 "thread 1: r0 = load x0; assume r0 == 1; thread 2: store x0 1"},
    {"return_from_main_lets_the_others_run", "assertion", 0,
     "main_returns; thread 0: create t1; thread 1: store x0 1; r0 = load x0; assert r0 != 1"},
    // What a thread's own holding settles.
    {"a_refused_unlock_is_in_a_race", "", 2, "checking 1; " CREATE_2 "thread 1: lock m0; thread 2: unlock m0"},
    {"one_level_is_no_release", "", 3,
     "recursive 1; " CREATE_2 "thread 1: lock m0; lock m0; unlock m0; unlock m0; "
     "thread 2: r0 = trylock m0; if r0 == 0 goto 3; unlock m0"},
    {"a_writer_that_reads_is_told_so", "deadlock", 10,
     "writers 1; thread 0: create t1; r0 = timedwrlock l0; thread 1: wrlock l0; rdlock l0"},
    // Races.
    {"the_latest_race_may_already_be_ordered", "", 2,
     CREATE_3 "thread 1: r0 = load x0; thread 2: r0 = load x0; post s0; thread 3: semwait s0; store x0 1"},
    {"blocked_threads_have_races_too", "", 2,
     CREATE_3 "thread 1: rdlock l0; post s0; semwait s1; r0 = load x0; rwunlock l0;"
              "thread 2: rdlock l0; post s1; semwait s0; rwunlock l0; thread 3: wrlock l0; store x0 1; rwunlock l0"},
    {"locks_are_reversed", "", 6,
     CREATE_3 "thread 1: lock m0; unlock m0; thread 2: lock m0; unlock m0; thread 3: lock m0; unlock m0"},
    {"lock_order_deadlock", "deadlock", 3,
     CREATE_2 "thread 1: lock m0; lock m1; unlock m1; unlock m0; thread 2: lock m1; lock m0; unlock m0; unlock m1"},
    {"whoever_comes_first_initialises", "", 3,
     CREATE_3 "thread 1: once o0 else goto 3; store x0 1; done o0; thread 2: once o0 else goto 3; store x0 2; done o0; "
              "thread 3: once o0 else goto 3; store x0 3; done o0"},
    {"reversed_cas_changes_its_kind", "assertion", 2,
     CREATE_2 "thread 1: r0 = cas x0 0 1; assert r0 != 0; thread 2: r0 = cas x0 1 2; r1 = cas x0 0 3"},
    {"shared_locks_do_not_exclude", "", 2,
     CREATE_2 "thread 1: rdlock l0; store x0 1; rwunlock l0; thread 2: rdlock l0; r0 = load x0; rwunlock l0"},
    {"a_wait_holds_nothing", "deadlock", 2,
     CREATE_2 "thread 1: lock m0; wait c0 m0; r0 = load x0; unlock m0; thread 2: lock m0; store x0 1; broadcast c0; unlock m0"},
    {"sleepers_of_an_earlier_state", "", 6,
     CREATE_2 "thread 1: store x0 1; store x0 2; thread 2: store x1 1; store x0 3; store x1 2; r0 = load x0"},
    // One operation in races with two that are independent of each other: with sleep sets both races must be reversed, not only
    // the
    // latest, since what would show the other one sleeps.
    {"two_races_of_one_write", "", 4,
     "thread 0: create t1; create t2; store8 x0 0; thread 1: write x1 1; thread 2: store x0 1"},
    {"two_races_of_one_writer", "deadlock", 4,
     CREATE_3 "thread 1: r0 = trywrlock l0; thread 2: rdlock l0; thread 3: rdlock l0"},
    {"lost_by_a_symmetric_skip", "", 4,
     CREATE_3 "thread 1: atomic 4; r0 = load x1; if r0 != 0 goto 5; store x0 1; store x1 1;"
              "thread 2: atomic 3; r0 = load x1; if r0 != 0 goto 4; store x1 2; if r0 == 0 goto 8; r1 = cas x2 0 1; "
              "if r1 == 0 goto 8; r2 = load x0;"
              "thread 3: r1 = cas x2 0 1; if r1 == 0 goto 3; r2 = load x0"},
    // Behind the write both are symmetric; that the second may add before it shows only in the part that is skipped.
    {"lost_without_mirrored_backtracking", "", 3,
     "thread 0: create t1; create t2; join t1; join t2; thread 1: write x1 1; lock m1; add x1 2; unlock m1;"
     "thread 2: lock m1; add x1 2; unlock m1"},
    // The same with the threads in another order: the first execution shows less of what the second thread's section may touch.
    {"a_section_touches_more_elsewhere", "", 4,
     CREATE_3 "thread 1: atomic 3; r0 = load x1; if r0 != 0 goto 4; store x1 2; if r0 == 0 goto 8; r1 = cas x2 0 1; "
              "if r1 == 0 goto 8; r2 = load x0;"
              "thread 2: atomic 4; r0 = load x1; if r0 != 0 goto 5; store x0 1; store x1 1;"
              "thread 3: r1 = cas x2 0 1; if r1 == 0 goto 3; r2 = load x0"},
};

// Nothing can be reordered in these: one execution, and no redundant one.
inline constexpr NamedProgram kOrdered[] = {
    {"join_orders", "", 1,
     "thread 0: create t1; create t2; join t2; join t1; r0 = load x0; thread 1: store x0 1; thread 2: store x1 1"},
    {"create_orders", "", 1, "thread 0: store x0 1; create t1; create t2; thread 1: r0 = load x0; thread 2: r0 = load x0"},
    {"the_end_orders", "", 1, "main_returns; thread 0: create t1; create t2; thread 1: store x0 1; thread 2: r0 = load x1"},
};

#undef CREATE_2
#undef CREATE_3

}  // namespace inspect::oracle
