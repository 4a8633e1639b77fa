// Frame records: what instrumented functions say of themselves while they are active, for executables built with
// --inspect-states.
//
// A function that can be stopped in keeps a record on its stack, linked to its caller's. The record says at which point the
// function is, and holds the values that are alive there. A point has a class: two points have one class iff what can be
// executed from there on is the same code but for the names of locals; then the values listed for them correspond, one by one,
// in order (the residual code of Y. Yang et al., SPIN 2009, rules R0 to R13). Guarantees: fixed layout; usable from C.
// Deliberately unknown here: how classes are computed, what threads and states are.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum inspect_point_flags {
  INSPECT_POINT_CALLS =
      1,  // inside a call of a function that may have a record of its own; else a call that the runtime serves
  INSPECT_POINT_OPAQUE = 2,  // what is alive here is not all listed
  INSPECT_POINT_JOINS = 4    // a join; the handles are used for nothing but this join and others that follow it directly
};

typedef struct inspect_point {
  uint64_t class_low, class_high;
  uint32_t first;  // of its values, in inspect_frame_function::live
  uint16_t count;  // of values that the code from here on names
  uint8_t others;  // of stack objects behind these that only pointers lead to
  uint8_t flags;   // inspect_point_flags
} inspect_point;

// A value that is alive at some point: `size` bytes at `offset` of the record; or, if INSPECT_SLOT_OBJECT is set in size, a
// stack object of that size whose address stands at `offset`.
#define INSPECT_SLOT_OBJECT 0x80000000u
typedef struct inspect_slot {
  uint32_t offset, size;
} inspect_slot;

typedef struct inspect_frame_function {
  const void* function;
  const inspect_point* points;
  const inspect_slot* slots;
  const uint16_t* live;  // numbers of slots
  uint32_t point_count, slot_count;
} inspect_frame_function;

typedef struct inspect_frame {
  struct inspect_frame* previous;
  const inspect_frame_function* function;
  uint64_t point;  // number of the point it is at
  uint64_t gap;    // called by code without records
} inspect_frame;

#ifdef __cplusplus
}
#endif
