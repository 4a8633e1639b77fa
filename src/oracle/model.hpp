// The model program: threads as lists of instructions over a few shared objects; small enough that all its schedules can be
// listed.
//
// Values, not behaviour: interpreter.hpp executes it, generator.hpp makes random ones. Control flow depends on values read
// (forward jumps only, so that every execution ends), so races decide what runs next.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace inspect::oracle {

inline constexpr unsigned kCells = 8, kLocks = 3, kConds = 2, kRwLocks = 2, kSemaphores = 2, kBarriers = 1, kRegisters = 3,
                          kOnces = 2, kFiles = 2, kPipes = 1;
inline constexpr unsigned kCellsPerBlock = 2;  // what `free` frees; a wide access covers one block
inline constexpr unsigned kModelThreads = 8;

// INSTRUCTION(name, text). Operands in the text: {o} object, {p} other object, {r} register, {v} value, {e} expected value, {t}
// target of a jump. Letters before them: m mutex, c condition variable, l read-write lock, s semaphore, b barrier, o once, x
// cell, f file, p pipe, t thread.
#define INSPECT_MODEL_INSTRUCTIONS(INSTRUCTION)                                                     \
  /* mutexes: object */                                                                             \
  INSTRUCTION(lock, "lock m{o}")                                                                    \
  INSTRUCTION(try_lock, "r{r} = trylock m{o}") /* 1 if taken */                                     \
  INSTRUCTION(timed_lock, "r{r} = timedlock m{o}")                                                  \
  INSTRUCTION(unlock, "unlock m{o}")                                                                \
  /* condition variables: object, other = the mutex */                                              \
  INSTRUCTION(wait, "wait c{o} m{p}")                                                               \
  INSTRUCTION(timed_wait, "r{r} = timedwait c{o} m{p}") /* 1 if it timed out */                     \
  INSTRUCTION(signal, "signal c{o}")                                                                \
  INSTRUCTION(broadcast, "broadcast c{o}")                                                          \
  /* read-write locks */                                                                            \
  INSTRUCTION(read_lock, "rdlock l{o}")                                                             \
  INSTRUCTION(write_lock, "wrlock l{o}")                                                            \
  INSTRUCTION(try_read_lock, "r{r} = tryrdlock l{o}")                                               \
  INSTRUCTION(try_write_lock, "r{r} = trywrlock l{o}")                                              \
  INSTRUCTION(timed_read_lock, "r{r} = timedrdlock l{o}")                                           \
  INSTRUCTION(timed_write_lock, "r{r} = timedwrlock l{o}")                                          \
  INSTRUCTION(rw_unlock, "rwunlock l{o}")                                                           \
  /* semaphores, barriers */                                                                        \
  INSTRUCTION(sem_wait, "semwait s{o}")                                                             \
  INSTRUCTION(sem_try_wait, "r{r} = semtrywait s{o}")                                               \
  INSTRUCTION(sem_timed_wait, "r{r} = semtimedwait s{o}")                                           \
  INSTRUCTION(sem_post, "post s{o}")                                                                \
  INSTRUCTION(sem_value, "r{r} = value s{o}")                                                       \
  INSTRUCTION(barrier, "r{r} = barrier b{o}") /* 1 for the serial thread */                         \
  /* their beginnings and ends; they begin initialised */                                           \
  INSTRUCTION(init_mutex, "init m{o}")                                                              \
  INSTRUCTION(destroy_mutex, "destroy m{o}")                                                        \
  INSTRUCTION(destroy_condition, "destroy c{o}")                                                    \
  INSTRUCTION(destroy_rwlock, "destroy l{o}")                                                       \
  INSTRUCTION(destroy_semaphore, "destroy s{o}")                                                    \
  INSTRUCTION(destroy_barrier, "destroy b{o}")                                                      \
  /* once: what is done already is jumped over */                                                   \
  INSTRUCTION(once, "once o{o} else goto {t}")                                                      \
  INSTRUCTION(once_done, "done o{o}")                                                               \
  INSTRUCTION(once_abort, "abort o{o}")                                                             \
  /* memory: object = cell */                                                                       \
  INSTRUCTION(load, "r{r} = load x{o}")                                                             \
  INSTRUCTION(store, "store x{o} {v}")                                                              \
  INSTRUCTION(store_register, "store x{o} r{r}")                                                    \
  INSTRUCTION(add, "add x{o} {v}") /* result unused: commutes */                                    \
  INSTRUCTION(fetch_add, "r{r} = add x{o} {v}")                                                     \
  INSTRUCTION(exchange, "r{r} = xchg x{o} {v}")                                                     \
  INSTRUCTION(compare_exchange, "r{r} = cas x{o} {e} {v}") /* 1 if it was e and became v */         \
  INSTRUCTION(read, "r{r} = read x{o}")                    /* plain */                              \
  INSTRUCTION(write, "write x{o} {v}")                                                              \
  INSTRUCTION(wide_load, "r{r} = load8 x{o}") /* the block of the cell */                           \
  INSTRUCTION(wide_store, "store8 x{o} {v}")                                                        \
  INSTRUCTION(free, "free x{o}")                                                                    \
  /* waits for a value: 0 woken, 1 another value, 2 timed out; and a loop that waits */             \
  INSTRUCTION(futex_wait, "r{r} = futexwait x{o} {v}")                                              \
  INSTRUCTION(futex_timed_wait, "r{r} = futextimedwait x{o} {v}")                                   \
  INSTRUCTION(futex_wake, "r{r} = futexwake x{o} {v}") /* how many of at most v */                  \
  INSTRUCTION(spin, "spin until x{o} == {v}")                                                       \
  INSTRUCTION(await, "await x{o} == {v}") /* the same, of which nothing but the end shows */        \
  INSTRUCTION(fence, "fence")                                                                       \
  INSTRUCTION(section, "atomic {v}") /* the next v instructions: memory, jumps, asserts */          \
  /* the environment: files with one offset each, pipes for one value, one signal, exit handlers */ \
  INSTRUCTION(read_file, "r{r} = readfile f{o}")                                                    \
  INSTRUCTION(write_file, "writefile f{o} {v}")                                                     \
  INSTRUCTION(read_pipe, "r{r} = readpipe p{o}")                                                    \
  INSTRUCTION(write_pipe, "writepipe p{o} {v}")                                                     \
  INSTRUCTION(send_signal, "sendsignal")                                                            \
  INSTRUCTION(take_signal, "takesignal")                                                            \
  INSTRUCTION(at_exit, "atexit {v}") /* the last but 0 is the status */                             \
  /* choices and properties */                                                                      \
  INSTRUCTION(clock, "r{r} = clock {v}") /* 1 if it says more than v */                             \
  INSTRUCTION(choose, "r{r} = choose {v}")                                                          \
  INSTRUCTION(assume, "assume r{r} == {v}")                                                         \
  INSTRUCTION(require, "assert r{r} != {v}")                                                        \
  INSTRUCTION(jump_if, "if r{r} == {v} goto {t}")                                                   \
  INSTRUCTION(jump_unless, "if r{r} != {v} goto {t}")                                               \
  /* threads */                                                                                     \
  INSTRUCTION(create, "create t{o}")                                                                \
  INSTRUCTION(join, "join t{o}")                                                                    \
  INSTRUCTION(try_join, "r{r} = tryjoin t{o}") /* 1 if it had ended */                              \
  INSTRUCTION(detach, "detach t{o}")                                                                \
  INSTRUCTION(exit, "exit {v}")

enum class Code : std::uint8_t {
#define INSTRUCTION(name, text) name,
  INSPECT_MODEL_INSTRUCTIONS(INSTRUCTION)
#undef INSTRUCTION
};

struct Instruction {
  Code code = Code::store;
  std::uint8_t object = 0, other = 0, reg = 0;
  std::int8_t value = 0, expected = 0;
  std::uint8_t target = 0;  // of a jump: index of an instruction, or the end of the list
  friend bool operator==(const Instruction&, const Instruction&) = default;
};

struct ModelProgram {
  std::vector<std::vector<Instruction>> threads;  // [0] is main; a thread is created at most once
  std::uint8_t semaphores[kSemaphores] = {};
  std::uint8_t barrier_size = 2;
  bool main_returns = false;  // the end of main ends the process
  bool spurious_wakeups = false;
  std::uint8_t prefers_writers = 0;  // a bit for each read-write lock
  std::uint8_t recursive = 0;        // a bit for each mutex: its owner may lock it again
  std::uint8_t checking = 0;         // a bit for each mutex: an owner that locks it again gets an error
};

// Does the instruction have a target?
inline bool is_jump(const Instruction& i) {
  return i.code == Code::jump_if || i.code == Code::jump_unless || i.code == Code::once;
}

// Settings, then for each thread a line "thread N:" and its instructions, one a line: "  lock m0".
std::string to_text(const ModelProgram& program);
// The reverse; ';' also ends an instruction. CHECKs its input: it is for our own tests.
ModelProgram parse_model(std::string_view text);

}  // namespace inspect::oracle
