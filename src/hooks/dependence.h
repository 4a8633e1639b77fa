// The dependence relation between visible operations of different threads (SEMANTICS B).
//
// Two operations are dependent when executing them in the two orders can differ in result or in what is enabled.
// Guarantees: symmetric; an over-approximation where an operation's outcome is not known yet (a pending compare-exchange is a
// write). Shared by the runtime (waking sleepers) and by every reduction, so that the two can never disagree.
#pragma once
#include <stdbool.h>
#include "hooks/operation.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline bool inspect_overlap(uint64_t a, uint32_t an, uint64_t b, uint32_t bn) { return a < b + bn && b < a + an; }

static inline bool inspect_writes(const inspect_operation* o) {
  return inspect_effect_of(o->kind) == INSPECT_EFFECT_Write && !(o->flags & INSPECT_FLAG_FAILED);
}

// Same operator group on integers, results unused: the final value does not depend on the order (SEMANTICS B.5).
static inline bool inspect_rmw_commute(const inspect_operation* a, const inspect_operation* b) {
  if (a->kind != INSPECT_OP_AtomicRmw || b->kind != INSPECT_OP_AtomicRmw) return false;
  if (!(a->flags & b->flags & INSPECT_FLAG_RESULT_UNUSED) || a->object != b->object || a->size != b->size) return false;
  const bool sum_a = a->rmw == INSPECT_RMW_Add || a->rmw == INSPECT_RMW_Sub;
  const bool sum_b = b->rmw == INSPECT_RMW_Add || b->rmw == INSPECT_RMW_Sub;
  if (sum_a || sum_b) return sum_a && sum_b;
  return a->rmw == b->rmw && a->rmw != INSPECT_RMW_Xchg && a->rmw != INSPECT_RMW_Nand && a->rmw != INSPECT_RMW_Other;
}

static inline bool inspect_is_sem_take(unsigned k) {
  return k == INSPECT_OP_SemWait || k == INSPECT_OP_SemTryWait || k == INSPECT_OP_SemTimedWait || k == INSPECT_OP_SemDestroy;
}

// Readers change the number of readers without disturbing each other; a writer's failed attempt has read that number.
static inline bool inspect_is_failed_writer(const inspect_operation* o) {
  return (o->kind == INSPECT_OP_WriteTryLock || o->kind == INSPECT_OP_WriteTimedLock) && (o->flags & INSPECT_FLAG_FAILED);
}
static inline bool inspect_moves_readers(const inspect_operation* o) {
  const bool reader = o->kind == INSPECT_OP_ReadLock || o->kind == INSPECT_OP_ReadTryLock ||
                      o->kind == INSPECT_OP_ReadTimedLock || o->kind == INSPECT_OP_ReadUnlock;
  return reader && !(o->flags & INSPECT_FLAG_FAILED);
}

// One object of each: do a and b conflict there?
static inline bool inspect_conflict_at(const inspect_operation* a, const inspect_operation* b) {
  const unsigned ka = a->kind, kb = b->kind;
  if (inspect_is_sem_take(ka) || inspect_is_sem_take(kb)) return true;  // whatever the state and outcome: SEMANTICS B.2
  if (ka == INSPECT_OP_SemPost && kb == INSPECT_OP_SemPost) return false;
  if (inspect_rmw_commute(a, b)) return false;
  if (inspect_is_failed_writer(a) && inspect_moves_readers(b)) return true;
  if (inspect_is_failed_writer(b) && inspect_moves_readers(a)) return true;
  return inspect_writes(a) || inspect_writes(b);
}

// Shape: a and b are of different threads. Atomic sections that list further ranges are compared by the caller, range by range;
// a pending one (no ranges known yet) depends on everything.
static inline bool inspect_dependent(const inspect_operation* a, const inspect_operation* b) {
  if (a->kind == INSPECT_OP_AtomicSection || b->kind == INSPECT_OP_AtomicSection) {
    if (!(a->flags & INSPECT_FLAG_RANGES) && a->kind == INSPECT_OP_AtomicSection) return true;
    if (!(b->flags & INSPECT_FLAG_RANGES) && b->kind == INSPECT_OP_AtomicSection) return true;
  }
  // Enabled only when nothing else is: every transition comes before it or after it, and no order can be reversed.
  if (a->kind == INSPECT_OP_ProcessEnd || b->kind == INSPECT_OP_ProcessEnd) return true;
  if (a->size && b->size && inspect_overlap(a->object, a->size, b->object, b->size) && inspect_conflict_at(a, b)) return true;
  if (!(a->size2 | b->size2)) return false;
  // The mutex of a wait is written (released) by it.
  if (a->size2 && b->size && inspect_overlap(a->object2, a->size2, b->object, b->size)) return true;
  if (b->size2 && a->size && inspect_overlap(b->object2, b->size2, a->object, a->size)) return true;
  return a->size2 && b->size2 && inspect_overlap(a->object2, a->size2, b->object2, b->size2);
}

#ifdef __cplusplus
}
#endif
