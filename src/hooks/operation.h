// A visible operation as plain data, as the pass, the runtime and the explorer share it.
//
// Guarantees: layout is fixed (it crosses a process boundary); no pointers; usable from C.
// Deliberately unknown here: schedules, searches, how an operation is performed.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { INSPECT_MAX_THREADS = 128 };  // per program, over all executions; more is verdict "unsupported"

typedef enum inspect_family {
  INSPECT_FAMILY_Memory,
  INSPECT_FAMILY_Mutex,
  INSPECT_FAMILY_Cond,
  INSPECT_FAMILY_RwLock,
  INSPECT_FAMILY_Semaphore,
  INSPECT_FAMILY_Barrier,
  INSPECT_FAMILY_Once,
  INSPECT_FAMILY_Thread,
  INSPECT_FAMILY_Process,
  INSPECT_FAMILY_Local
} inspect_family;

typedef enum inspect_effect { INSPECT_EFFECT_None, INSPECT_EFFECT_Read, INSPECT_EFFECT_Write } inspect_effect;

typedef enum inspect_lock_effect {
  INSPECT_LOCK_None,
  INSPECT_LOCK_Takes,
  INSPECT_LOCK_Shares,
  INSPECT_LOCK_Gives,
  INSPECT_LOCK_GivesSecond,
  INSPECT_LOCK_Clears
} inspect_lock_effect;

typedef enum inspect_kind {
  INSPECT_OP_None = 0,  // a thread that has ended has no next operation
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) INSPECT_OP_##name,
#include "hooks/operations.def"
  INSPECT_OP_COUNT
} inspect_kind;

// C11/C++ memory orders, LLVM-independent. Unordered accesses are PLAIN.
typedef enum inspect_order {
  INSPECT_PLAIN = 0,
  INSPECT_RELAXED,
  INSPECT_CONSUME,
  INSPECT_ACQUIRE,
  INSPECT_RELEASE,
  INSPECT_ACQ_REL,
  INSPECT_SEQ_CST
} inspect_order;

// Read-modify-write operators. Two operations of one commuting group whose results are unused are independent (SEMANTICS B.5).
typedef enum inspect_rmw {
  INSPECT_RMW_Xchg,
  INSPECT_RMW_Add,
  INSPECT_RMW_Sub,
  INSPECT_RMW_And,
  INSPECT_RMW_Nand,
  INSPECT_RMW_Or,
  INSPECT_RMW_Xor,
  INSPECT_RMW_Max,
  INSPECT_RMW_Min,
  INSPECT_RMW_UMax,
  INSPECT_RMW_UMin,
  INSPECT_RMW_Other
} inspect_rmw;

// A load in a loop that only waits for its value: the loop goes on while `value relation operand` holds. Of an AtomicLoad `rmw`
// is the relation, and object2, of which no byte is touched, the operand; with a mask: that in the upper half, what it is
// compared with in the lower.
typedef enum inspect_relation {
  INSPECT_WAITS_NEVER = 0,  // an ordinary load
  INSPECT_WAITS_EQ,
  INSPECT_WAITS_NE,
  INSPECT_WAITS_ULT,
  INSPECT_WAITS_ULE,
  INSPECT_WAITS_UGT,
  INSPECT_WAITS_UGE,
  INSPECT_WAITS_SLT,
  INSPECT_WAITS_SLE,
  INSPECT_WAITS_SGT,
  INSPECT_WAITS_SGE,
  INSPECT_WAITS_MASKED_EQ,
  INSPECT_WAITS_MASKED_NE
} inspect_relation;

enum inspect_operation_flags {
  INSPECT_FLAG_FAILED = 1,         // attempt that changed nothing: failed trylock or compare-exchange, time-out
  INSPECT_FLAG_RESULT_UNUSED = 2,  // read-modify-write whose old value nobody reads
  INSPECT_FLAG_RANGES = 4,         // more accesses follow as Access records (atomic sections)
  INSPECT_FLAG_UNCHANGED = 8       // a store of the value that was there
};

// Shape: one operation, pending or executed. `object`/`size` is the byte range it touches (64-bit address, bytes).
// Threads are objects at inspect_thread_object(t); the process is INSPECT_PROCESS_OBJECT.
typedef struct inspect_operation {
  uint8_t kind;   // inspect_kind
  uint8_t order;  // inspect_order
  uint8_t rmw;    // inspect_rmw, for AtomicRmw; inspect_relation, for AtomicLoad
  uint8_t flags;  // inspect_operation_flags
  uint32_t site;  // source place: index into the program's site table; 0 = unknown
  uint64_t object;
  uint64_t object2;  // second object (the mutex of a wait), or what a load waits for; 0 if none
  uint32_t size;     // bytes at object
  uint32_t size2;    // bytes at object2
} inspect_operation;

#define INSPECT_PROCESS_OBJECT 0x1000ull
static inline uint64_t inspect_thread_object(unsigned thread) { return 0x2000ull + 64ull * thread; }

// What interrupts a thread: requests to cancel it, and signals sent to it. The thread reads it where it would notice.
static inline uint64_t inspect_cancel_object(unsigned thread) { return 0x4000ull + 64ull * thread; }
static inline uint64_t inspect_delivery_object(unsigned thread) { return inspect_cancel_object(thread) + 8; }

// The environment, outside memory. Of each descriptor: whether the number is taken (the lowest free one is the next), which
// open file it stands for, and its flag. An open file (what dup shares: offset, status flags, what a stream keeps of it) is the
// object of the descriptor that opened it, and stands right behind that one's; pipes: of their read end.
#define INSPECT_FILE_NAMES_OBJECT 0x8000ull         // which files exist under which name …
#define INSPECT_WORKING_DIRECTORY_OBJECT 0x8020ull  // … what a relative one means …
#define INSPECT_FILE_MASK_OBJECT 0x8030ull          // … and how they are made (umask): parts of one object
#define INSPECT_SIGNALS_OBJECT 0x8040ull            // actions, masks, signals pending for the process
#define INSPECT_EXIT_HANDLERS_OBJECT 0x8080ull
#define INSPECT_MEMORY_STREAMS_OBJECT 0x80C0ull  // streams (FILE) without a descriptor
enum { INSPECT_FILE_NAMES_BYTES = 32, INSPECT_FILE_NAMES_ALL_BYTES = 64, INSPECT_NUMBER_BYTES = 16 };
enum { INSPECT_MAX_DESCRIPTORS = 1024, INSPECT_MAX_OPEN_FILES = 2048, INSPECT_MAX_CONTENTS = 16384 };
static inline uint64_t inspect_number_object(unsigned descriptor) { return 0xC000ull + INSPECT_NUMBER_BYTES * descriptor; }
static inline uint64_t inspect_descriptor_object(unsigned descriptor) { return 0x10000ull + 128ull * descriptor; }
static inline uint64_t inspect_open_file_object(unsigned file) { return inspect_descriptor_object(file) + 64; }
// What a file contains: several files may share an object, which only makes more operations dependent.
static inline uint64_t inspect_content_object(unsigned content) {
  return 0x300000ull + 64ull * (content % INSPECT_MAX_CONTENTS);
}

static inline inspect_family inspect_family_of(unsigned kind) {
  static const uint8_t table[] = {
      INSPECT_FAMILY_Local,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) INSPECT_FAMILY_##family,
#include "hooks/operations.def"
  };
  return (inspect_family)table[kind];
}
static inline inspect_effect inspect_effect_of(unsigned kind) {
  static const uint8_t table[] = {
      INSPECT_EFFECT_None,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) INSPECT_EFFECT_##effect,
#include "hooks/operations.def"
  };
  return (inspect_effect)table[kind];
}
// Is it a load that waits for a value, and does it go on waiting where it finds this one?
static inline int inspect_awaits(const inspect_operation* o) { return o->kind == INSPECT_OP_AtomicLoad && o->rmw; }
static inline int inspect_waits_at(const inspect_operation* o, uint64_t value) {
  const unsigned unused = o->size < 8 ? 64 - 8 * o->size : 0;
  const uint64_t v = value << unused, w = o->object2 << unused;
  switch (o->rmw) {
    case INSPECT_WAITS_EQ:
      return v == w;
    case INSPECT_WAITS_NE:
      return v != w;
    case INSPECT_WAITS_ULT:
      return v < w;
    case INSPECT_WAITS_ULE:
      return v <= w;
    case INSPECT_WAITS_UGT:
      return v > w;
    case INSPECT_WAITS_UGE:
      return v >= w;
    case INSPECT_WAITS_SLT:
      return (int64_t)v < (int64_t)w;
    case INSPECT_WAITS_SLE:
      return (int64_t)v <= (int64_t)w;
    case INSPECT_WAITS_SGT:
      return (int64_t)v > (int64_t)w;
    case INSPECT_WAITS_SGE:
      return (int64_t)v >= (int64_t)w;
    case INSPECT_WAITS_MASKED_EQ:
      return (value & o->object2 >> 32) == (uint32_t)o->object2;
    case INSPECT_WAITS_MASKED_NE:
      return (value & o->object2 >> 32) != (uint32_t)o->object2;
    default:
      return 0;
  }
}
static inline inspect_lock_effect inspect_lock_effect_of(unsigned kind) {
  static const uint8_t table[] = {
      INSPECT_LOCK_None,
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) INSPECT_LOCK_##lock,
#include "hooks/operations.def"
  };
  return (inspect_lock_effect)table[kind];
}
// Locks of every kind, taken and given back; a wait on a condition variable gives back object2.
static inline int inspect_acquires(unsigned kind) {
  const inspect_lock_effect effect = inspect_lock_effect_of(kind);
  return effect == INSPECT_LOCK_Takes || effect == INSPECT_LOCK_Shares;
}
static inline int inspect_releases(unsigned kind) { return inspect_lock_effect_of(kind) == INSPECT_LOCK_Gives; }
static inline const char* inspect_kind_text(unsigned kind) {
  static const char* const table[] = {
      "nothing",
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) text,
#include "hooks/operations.def"
  };
  return kind < INSPECT_OP_COUNT ? table[kind] : "?";
}
static inline const char* inspect_kind_name(unsigned kind) {  // the word in schedule files
  static const char* const table[] = {
      "None",
#define OPERATION(name, text, family, effect, lock, waits, outcome, reply, claims) #name,
#include "hooks/operations.def"
  };
  return kind < INSPECT_OP_COUNT ? table[kind] : "?";
}

#ifdef __cplusplus
}
#endif
