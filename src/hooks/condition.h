// What temporal formulas speak of: propositions that the program sets, and comparisons of its variables with numbers. The
// runtime says of each state which of them hold.
//
// Guarantees: fixed layout, no pointers. Deliberately unknown here: formulas.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { INSPECT_MAX_CONDITIONS = 64, INSPECT_CONDITION_NAME_BYTES = 64 };

typedef enum inspect_comparison {
  INSPECT_COMPARISON_EQUAL = 0,
  INSPECT_COMPARISON_UNEQUAL,
  INSPECT_COMPARISON_LESS,
  INSPECT_COMPARISON_AT_MOST,
  INSPECT_COMPARISON_GREATER,
  INSPECT_COMPARISON_AT_LEAST
} inspect_comparison;

typedef struct inspect_condition {
  char name[INSPECT_CONDITION_NAME_BYTES];  // that of inspect_proposition("name", …); empty: of a variable
  uint64_t offset;                          // of the variable, from where the executable is loaded
  int64_t constant;                         // what it is compared with
  uint8_t bytes, is_signed;                 // of the variable: 1, 2, 4 or 8
  uint8_t comparison;                       // inspect_comparison
  uint8_t reserved[5];
} inspect_condition;

__extension__ typedef __int128 inspect_any_integer;  // of 64 bits, signed or not

// `value`: the variable's bytes, not extended.
static inline bool inspect_condition_holds(const inspect_condition* c, uint64_t value) {
  const unsigned unused = 64 - 8u * c->bytes;
  const inspect_any_integer is = c->is_signed ? (inspect_any_integer)((int64_t)(value << unused) >> unused)
                                              : (inspect_any_integer)(value << unused >> unused);
  switch ((inspect_comparison)c->comparison) {
    case INSPECT_COMPARISON_EQUAL:
      return is == c->constant;
    case INSPECT_COMPARISON_UNEQUAL:
      return is != c->constant;
    case INSPECT_COMPARISON_LESS:
      return is < c->constant;
    case INSPECT_COMPARISON_AT_MOST:
      return is <= c->constant;
    case INSPECT_COMPARISON_GREATER:
      return is > c->constant;
    case INSPECT_COMPARISON_AT_LEAST:
      return is >= c->constant;
  }
  return false;
}

#ifdef __cplusplus
}
#endif
