// expect: case=block_O0 verdict=bug kind=memory-error cflags="-DBLOCK -O0" algorithms=optimal
// expect: case=block_O1 verdict=bug kind=memory-error cflags="-DBLOCK -O1" algorithms=optimal
// expect: case=block_O2 verdict=bug kind=memory-error cflags="-DBLOCK -O2" algorithms=optimal
// expect: case=argument_O1 verdict=bug kind=memory-error cflags="-DARGUMENT -O1" algorithms=optimal
// expect: case=loop_O1 verdict=bug kind=memory-error cflags="-DLOOP -O1" algorithms=optimal
// expect: case=turn_O1 verdict=bug kind=memory-error cflags="-DTURN -O1" algorithms=optimal
// expect: case=branch_O1 verdict=bug kind=memory-error cflags="-DBRANCH -O1" algorithms=optimal
// expect: case=statement_O1 verdict=bug kind=memory-error cflags="-DSTATEMENT -O1" algorithms=optimal
// expect: case=jump_O1 verdict=bug kind=memory-error cflags="-DJUMP -O1" algorithms=optimal
// expect: case=endless_O0 verdict=bug kind=memory-error cflags="-DENDLESS -O0" algorithms=optimal
// expect: case=endless_O1 verdict=bug kind=memory-error cflags="-DENDLESS -O1" algorithms=optimal
// expect: case=endless_O2 verdict=bug kind=memory-error cflags="-DENDLESS -O2" algorithms=optimal
// expect: case=macro_O0 verdict=bug kind=memory-error cflags="-DMACRO -O0" algorithms=optimal
// expect: case=macro_O1 verdict=bug kind=memory-error cflags="-DMACRO -O1" algorithms=optimal
// expect: case=macro_O2 verdict=bug kind=memory-error cflags="-DMACRO -O2" algorithms=optimal
// expect: case=thread_O0 verdict=bug kind=memory-error cflags="-DTHREAD -O0" algorithms=optimal
// expect: case=thread_O1 verdict=bug kind=memory-error cflags="-DTHREAD -O1" algorithms=optimal
// expect: case=thread_O2 verdict=bug kind=memory-error cflags="-DTHREAD -O2" algorithms=optimal
// expect: case=g0 verdict=bug kind=memory-error cflags="-DBLOCK -g0" algorithms=optimal
// expect: case=g1 verdict=bug kind=memory-error cflags="-DBLOCK -g1" algorithms=optimal
// expect: case=gline_tables_only verdict=bug kind=memory-error cflags="-DBLOCK -gline-tables-only -gdwarf-4" algorithms=optimal
// A compound literal ends with the block that it stands in; a body without braces is a block too.
#include <pthread.h>
#include <stddef.h>

struct pair {
  int first, second;
};

static volatile int one = 1;
static const int* kept;

__attribute__((noinline)) static int look(const int* p) { return *p; /* ERROR */ }
__attribute__((noinline)) static void keep(const struct pair* pair) { kept = &pair->second; }

#if defined(BLOCK)
static void run(void) {
  {
    kept = (int[]){1, 2};
    look(kept);
  }
  look(kept);
}
#elif defined(ARGUMENT)
static void run(void) {
  if (one) {
    keep(&(struct pair){one, 2});
    look(kept);
  }
  look(kept);
}
#elif defined(LOOP)
static void run(void) {
  for (int i = 0; i < 2; ++i) {
    if (i == 1) look(kept);
    kept = &(int){i};
  }
}
#elif defined(TURN)
static void run(void) {
  while (one) kept = &(int){one--};
  look(kept);
}
#elif defined(BRANCH)
static void run(void) {
  if (one)
    kept = &(int){1};
  else
    kept = &(int){2};
  look(kept);
}
#elif defined(STATEMENT)
static void run(void) {
  const int* p = ({ &(int){one}; });
  look(p);
}
#elif defined(JUMP)
static void run(void) {
  {
    kept = &(int){1};
    if (one) goto out;
    look(kept);
  }
out:
  look(kept);
}
#elif defined(ENDLESS)
static void run(void) {
  while (1) {
    if (kept) look(kept);
    kept = &(int){1};
    if (one) continue;
    look(kept);
  }
}
#elif defined(MACRO)
#define KEEP_AND_LOOK()    \
  do {                     \
    {                      \
      kept = &(int){one};  \
      look(kept);          \
    }                      \
    look(kept);            \
  } while (0)
static void run(void) { KEEP_AND_LOOK(); }
#elif defined(THREAD)
static void* reader(void* argument) {
  look(argument);
  return NULL;
}
static void run(void) {
  pthread_t thread;
  {
    pthread_create(&thread, NULL, reader, &(struct pair){1, 2}); /* ERROR */
  }
  pthread_join(thread, NULL);
}
#endif

int main(void) { run(); }
