// A jump leaves the function or the block whose local the other thread still writes to. An inlined function lies in the frame
// that the jump arrives in, and no instruction on the way says that its local has ended.
// expect: case=function verdict=bug kind=memory-error cflags=-DLEAVE=from_function()
// expect: case=function-unoptimised verdict=bug kind=memory-error cflags="-O0 -DLEAVE=from_function()"
// expect: case=always-inline verdict=bug kind=memory-error cflags="-O0 -DLEAVE=from_inlined()"
// expect: case=callee verdict=bug kind=memory-error cflags=-DLEAVE=from_callee()
// expect: case=array verdict=bug kind=memory-error cflags=-DLEAVE=from_array(3)
// expect: case=without-debug-information verdict=bug kind=memory-error cflags=-DLEAVE=without_debug_information()
// expect: case=block verdict=bug kind=memory-error cflags=-DLEAVE=BLOCK
#include <pthread.h>
#include <setjmp.h>

static jmp_buf start;
static pthread_t writer;

static void *write_late(void *local) {
  *(int *)local = 1; /* ERROR */
  return NULL;
}

static void lend(int *local) { pthread_create(&writer, NULL, write_late, local); }

static void from_function(void) {
  int local = 0;
  lend(&local);
  longjmp(start, 1);
}

__attribute__((always_inline)) static inline void from_inlined(void) {
  int local = 0;
  lend(&local);
  longjmp(start, 1);
}

__attribute__((noinline)) static void jump(void) { longjmp(start, 1); }
static void from_callee(void) {
  int local = 0;
  lend(&local);
  jump();
}

__attribute__((always_inline)) static inline void from_array(int count) {
  int local[count];
  local[0] = 0;
  lend(local);
  longjmp(start, 1);
}

__attribute__((nodebug)) static void without_debug_information(void) {
  int local = 0;
  lend(&local);
  longjmp(start, 1);
}

#define BLOCK           \
  {                     \
    int local = 0;      \
    lend(&local);       \
    longjmp(start, 1);  \
  }

int main(void) {
  if (!setjmp(start)) LEAVE;
  pthread_join(writer, NULL);
  (void)from_function, (void)from_callee, (void)without_debug_information;
  return 0;
}
