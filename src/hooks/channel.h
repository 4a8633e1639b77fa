// The shared-memory channel between the explorer and one executor (the program under test with its runtime).
//
// One message carries a batch of requests; each request is a schedule prefix to replay, after which the executor runs on by
// its own policy to the end of the execution. The executor writes one log per request and counts completed requests, so that
// the explorer may read results while later requests still run.
//
// Guarantees: fixed layout, no pointers; version-checked. The explorer creates the memory (memfd), the executor maps it at
// kChannelBase (address_map.hpp) from the descriptor named by the environment variable INSPECT_CHANNEL.
#pragma once
#include <stdint.h>
#include "hooks/condition.h"
#include "hooks/execution.h"
#include "hooks/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

#define INSPECT_CHANNEL_ENVIRONMENT "INSPECT_CHANNEL"
enum { INSPECT_CHANNEL_VERSION = 7, INSPECT_REQUEST_BYTES = 8 << 20, INSPECT_MAX_BATCH = 256, INSPECT_MESSAGE_BYTES = 4096 };
#define INSPECT_LOG_BYTES (1ull << 30)  // address space; only what is written costs memory

// Behind the log: the runtime's table of locations that are scheduling points, which outlives a dead executor.
#define INSPECT_SHARED_TABLE_BYTES (128ull << 20)
// Behind it: states that were met (visited.h).
#define INSPECT_VISITED_BYTES (32ull << 20)

typedef enum inspect_record_type {
  INSPECT_RECORD_STEP = 1,  // an executed transition
  INSPECT_RECORD_PENDING,   // thread's next operation; value,value2: enabled threads as a 128-bit mask (last record of a step)
  INSPECT_RECORD_NEW_PENDING,   // next operation of a thread just created (before the step's PENDING)
  INSPECT_RECORD_ALTERNATIVES,  // thread's enabled alternatives changed; value,value2: 128-bit mask of them
  // One range of the preceding atomic section, or (verbose, accesses) a plain access; `value`: what was there before. Of kind
  // Free, verbose: an object of the heap ends, which is no access of its own.
  INSPECT_RECORD_ACCESS,
  INSPECT_RECORD_ALLOCATION,  // verbose: object of `size` bytes at `object` allocated by `thread` at `site`
  // The identity of the state after the step: value, value2; both 0: like no other, alternative says why (inspect_no_identity).
  INSPECT_RECORD_STATE,
  INSPECT_RECORD_STATE_WORDS,     // EXACT: the next `count` words of its description (inspect_words_of)
  INSPECT_RECORD_SYMMETRIC_PAIR,  // in it, thread and thread `value` can be swapped; value2: who is about to join both, or 128
  INSPECT_RECORD_UNSEEN,          // with accesses: code ran of which nothing is known
  INSPECT_RECORD_CLOCK,           // with accesses: the thread was told the time
  // verbose: one return address (value) of a stack, innermost first, and the frame pointer of the function that it leads back
  // to (value2; 0: not known); alternative: inspect_stack
  INSPECT_RECORD_STACK,
  // end of the execution: alternative = inspect_end, value = inspect_bug, inspect_limit or the step that diverged, value2 =
  // status
  INSPECT_RECORD_END
} inspect_record_type;

// Shape: 64 bytes. `value`: the value read, or old value, or the result; `value2`: the value written.
typedef struct inspect_record {
  uint8_t type;
  uint8_t thread;
  uint16_t alternative;
  uint32_t
      count;  // PENDING of a Choice: number of alternatives (all enabled); ACCESS: 2 for a range of an atomic section; else 1
  inspect_operation operation;
  uint64_t value, value2;
  uint64_t valuation;  // STATE: which conditions hold in it
} inspect_record;

// STATE_WORDS holds its words behind `count`.
enum { INSPECT_WORDS_IN_RECORD = 7 };
static inline uint64_t* inspect_words_of(inspect_record* r) { return (uint64_t*)&r->operation; }

// Which stack: of the thread of the preceding STEP, of the thread at the bug, at the access that the request names, of the
// preceding ALLOCATION or ACCESS, or of a thread that waits when an execution is stuck.
typedef enum inspect_stack {
  INSPECT_STACK_STEP = 0,
  INSPECT_STACK_BUG,
  INSPECT_STACK_ACCESS,
  INSPECT_STACK_MEMORY,
  INSPECT_STACK_WAITING
} inspect_stack;

enum inspect_request_flags {
  INSPECT_REQUEST_VERBOSE = 1,          // log plain accesses, values, allocations and stacks
  INSPECT_REQUEST_STATES = 4,           // log the identity of each state
  INSPECT_REQUEST_SYMMETRIC_PAIRS = 8,  // log which threads are symmetric in each state
  INSPECT_REQUEST_STARTS = 16,    // policy RUN: threads just created start first, and then the one that ran before goes on
  INSPECT_REQUEST_ACCESSES = 32,  // log plain accesses, of a place and address once between two steps, and where threads begin
  INSPECT_REQUEST_OUTPUT = 2,     // let the program's output through
  // An execution that was seen before is shown again: no race is noted, none makes a scheduling point.
  INSPECT_REQUEST_RERUN = 64,
  // A load that waits for a value (inspect_relation) is enabled only where it finds one with which its loop ends.
  INSPECT_REQUEST_WAITS = 256,
  INSPECT_REQUEST_STOPS_AT_RACE = 128,  // with RERUN: at one that is met once the prefix was taken, after `passed_races` others
  // With STATES: the execution ends, as redundant, in the first state behind its prefix that was met before (visited.h), or
  // after many. Loops that wait take their turns in vain: what ends them is that a state repeats. Without STATES: up to the end
  // of the prefix.
  INSPECT_REQUEST_VISITED = 512,
  INSPECT_REQUEST_CANONICAL = 1024,  // with STATES: they are alike whatever addresses their objects of the heap have
  // And whichever of the threads is which: sorted by where they are, by what they hold too, or exactly.
  INSPECT_REQUEST_SORTED_BY_PLACE = 2048,
  INSPECT_REQUEST_SORTED_BY_STATE = 4096,
  INSPECT_REQUEST_SORTED_EXACTLY = 8192,
  // With STATES, which threads' next transitions are independent of whatever others can do before them: the STATE record's
  // operation.object and object2 are a mask. Also how much was allocated up to there: size.
  INSPECT_REQUEST_INDEPENDENCE = 16384,
  // An infinite run is shown: the execution ends as the bug "temporal" at the end of its prefix, if the state is the one in
  // which the last `cycle` steps began, or, if `cycle` is 0, at the end of the program. With STATES.
  INSPECT_REQUEST_CYCLE = 1 << 20,
  INSPECT_REQUEST_EXACT = 1 << 21  // with STATES: their descriptions are logged too, word by word
};

// operation.size2 of a STATE record. PERMUTED: SORTED_* has moved threads. CONDITIONS_TOUCHED, with INDEPENDENCE: the step that
// leads there has set a proposition of the configuration, or changed a variable that is compared.
enum inspect_state_flags { INSPECT_STATE_PERMUTED = 1, INSPECT_STATE_CONDITIONS_TOUCHED = 2 };

enum { INSPECT_ALL_POINTS = 0x7FFFFFFF };

// One request in the request area: header, then prefix_length inspect_choice, sleep_length inspect_sleeper, change_length
// uint32_t.
typedef struct inspect_choice {
  uint8_t thread, reserved;
  uint16_t alternative;
} inspect_choice;
typedef struct inspect_sleeper {  // a transition already explored from the state at the end of the prefix, with its label
  uint8_t thread, kind, flags, reserved;
  uint16_t alternative, reserved2;
} inspect_sleeper;
typedef struct inspect_request {
  uint32_t flags, prefix_length, sleep_length, policy;  // policy: inspect_policy
  uint64_t known_length;                                // leading steps that the explorer knows: not logged again
  uint64_t known_hash;                                  // inspect_step_hash chained over those steps, 0 = do not check
  uint64_t seed;                                        // for random policies: sampling.h
  uint32_t change_length;  // PCT: steps, from 1, before which the thread of the highest priority is lowered
  uint32_t points;         // how many of the locations that became scheduling points are; INSPECT_ALL_POINTS: all
  uint32_t passed_races;
  // VERBOSE: the last access of the thread at the site to the address has its stack logged, if a bug ends the execution. 0:
  // none.
  uint32_t stack_site;
  uint64_t stack_address, stack_thread;
  uint64_t visited;  // VISITED: states met in executions with another number here do not count
  uint64_t cycle;    // CYCLE
} inspect_request;
static inline uint64_t inspect_request_bytes(const inspect_request* r) {  // the next one begins behind it, aligned to 8
  return (sizeof *r + r->prefix_length * sizeof(inspect_choice) + r->sleep_length * sizeof(inspect_sleeper) +
          r->change_length * sizeof(uint32_t) + 7) &
         ~7ull;
}

// One result: where its records stand in the log and its end.
typedef struct inspect_result {
  uint64_t begin, end;        // record indices
  uint32_t end_kind, detail;  // inspect_end; inspect_bug or inspect_limit
  uint32_t steps, threads;
  int32_t status;
  uint32_t message;               // length of this result's text in `messages`
  uint32_t bug_site, other_site;  // for races: the two places
  uint8_t bug_thread, other_thread;
  uint8_t reserved[6];
  uint64_t other_step, bug_address;
} inspect_result;

typedef enum inspect_executor_state {
  INSPECT_EXECUTOR_STARTING = 0,
  INSPECT_EXECUTOR_READY,
  INSPECT_EXECUTOR_FAILED,  // text in messages[0]
  INSPECT_EXECUTOR_RETIRED  // ended itself after an execution that may have corrupted memory, or used up what a process may
                            // have
} inspect_executor_state;

// What the explorer asks for all executions.
typedef struct inspect_configuration {
  uint8_t visible_all, spurious_wakeups, expect_any_exit;
  uint8_t abort_ends;              // abort() is no bug, but an end like exit's
  uint8_t checkpoints_everywhere;  // for tests: states are kept whatever they cost
  uint8_t races_go_on;  // a data race does not end the execution: its location becomes a scheduling point, and it is noted
  int32_t expected_exit;
  uint64_t max_steps, loop_budget;
  uint64_t checkpoint_bytes;  // that states kept along a path may take
  uint32_t hang_seconds;      // CPU time without a visible operation
  uint32_t input_range_count;
  uint32_t condition_count;
  uint64_t seed;
  inspect_input_range inputs[INSPECT_MAX_INPUT_RANGES];  // of inputs without bounds: ascending, apart; none: a few of each type
  inspect_condition conditions[INSPECT_MAX_CONDITIONS];  // condition_count of them
} inspect_configuration;

// Names of threads, by number: the parent, and which of its children the thread is (0: the first). Assigned at the first
// creation, stable over all executions.
typedef struct inspect_thread_name {
  uint8_t parent, used;
  uint16_t index;
} inspect_thread_name;

// The executable or an instrumented shared library. Places are numbered through: sites from 1, code by its offset from
// `begin` plus `first_code`, with the top bit set.
typedef struct inspect_module {
  uint64_t begin, end;         // where it is loaded
  uint64_t sites, site_count;  // its table of inspect_site, for process_vm_readv
  uint32_t first_site, first_code;
  char path[256];  // empty for the executable
} inspect_module;

enum { INSPECT_MAX_MODULES = 32, INSPECT_MAX_RACES = 256 };

// A race that did not end its execution. Of races between the same two places only the first is noted.
typedef struct inspect_race {
  uint64_t address;
  uint32_t site, other_site;
  uint32_t slot, steps;  // of which request, and how many steps had begun
  uint32_t points;       // how many locations were scheduling points in that execution
  uint8_t thread, other_thread, reserved[2];
} inspect_race;
enum { INSPECT_MAX_ASSUMPTIONS = 64, INSPECT_ASSUMPTION_BYTES = 120 };

// From where main is, which its state tells (a hash), it joins these threads before it does anything else.
typedef struct inspect_join_row {
  uint64_t low, high;
  uint64_t threads[2];
} inspect_join_row;
enum { INSPECT_MAX_JOIN_ROWS = 64 };

typedef struct inspect_channel {
  uint32_t version, state;
  inspect_configuration configuration;
  // Doorbells: spin, then futex. `request` is bumped by the explorer, `completed` by the executor after each result.
  uint32_t request __attribute__((aligned(64)));
  uint32_t explorer_sleeps, executor_sleeps;
  uint32_t completed __attribute__((aligned(64)));
  uint32_t batch;     // number of requests in this message
  uint32_t one_core;  // both processes share a core: do not spin
  uint32_t debugged;  // the executor is started by a debugger: it runs the one request at once, on OS threads, and ends
  uint32_t stop_before, present_step;  // debugged: steps from 1, the one to stop before (0: none) and the one under way
  uint32_t thread_count;
  inspect_thread_name threads[INSPECT_MAX_THREADS];
  uint32_t module_count;
  inspect_module modules[INSPECT_MAX_MODULES];  // the executable comes first
  uint64_t code, code_bytes, program_main;      // hooks/code_table.h, if there is one; address of the program's main
  uint64_t twin_ticks;                          // of the processor's clock, spent on finding out which threads are symmetric
  uint64_t weak_atomics;                        // atomics seen whose order is weaker than seq_cst
  uint64_t initial_valuation;                   // which conditions hold before the first step
  uint64_t conditions_set;                      // which of them are propositions that the program has set so far
  uint32_t assumption_count;
  uint32_t clock_read, time_used;  // the program was told the time; or it passed: some thread slept, or a wait timed out
  uint32_t uncovered_calls;  // code without hooks ran while several threads existed, or memory is used in ways not followed
  uint32_t unsafe_handlers;  // a handler that interrupts a thread does what is not covered wherever it may run; see assumptions
  uint32_t
      values_left_out;      // an input (nondet_int, …) has more values than are explored: at best inconclusive; see assumptions
  uint32_t waits_refused;   // turns in vain of a loop that waits for a value matter: what was explored without them is void
  uint32_t addresses_used;  // which address an object has was used as a number: threads are not symmetric
  // SORTED_*, INDEPENDENCE: a thread was created by another than main, or one that is joined in a row was used otherwise, so no
  // two trade places; whether a thread has ended was asked; rows of joins that were seen. Each change bumps the last.
  uint32_t threads_told_apart, thread_ends_seen, join_row_count, thread_facts_grew;
  inspect_join_row join_rows[INSPECT_MAX_JOIN_ROWS];
  uint32_t shared_locations_grew;       // bumped when a location became a scheduling point; counts before it are void
  uint32_t race_count, races_left_out;  // noted; 1: others found no room
  inspect_race races[INSPECT_MAX_RACES];
  char assumptions[INSPECT_MAX_ASSUMPTIONS][INSPECT_ASSUMPTION_BYTES];
  inspect_result results[INSPECT_MAX_BATCH];
  char messages[INSPECT_MAX_BATCH][INSPECT_MESSAGE_BYTES];
  uint8_t requests[INSPECT_REQUEST_BYTES];
  inspect_record log[] __attribute__((aligned(4096)));
} inspect_channel;

#define INSPECT_CHANNEL_BYTES (sizeof(inspect_channel) + INSPECT_LOG_BYTES + INSPECT_SHARED_TABLE_BYTES + INSPECT_VISITED_BYTES)

// What both sides must agree on: any change of the layout or of the operations changes it.
static inline uint32_t inspect_channel_version(void) {
  return INSPECT_CHANNEL_VERSION << 28 ^ (uint32_t)sizeof(inspect_channel) * 31u ^ INSPECT_OP_COUNT << 20;
}

#ifdef __cplusplus
}
#endif
