// Calls a routine that may leave by an exception or by pthread_exit. In C, compiled with -fexceptions: the cleanup then needs
// only the personality routine of C, which every program has; that of C++ would pull libstdc++ into C programs.
#include "runtime/platform/once_call.h"

struct guard {
  void (*unwound)(void*);
  void* object;
};

static void leave(struct guard* g) {
  if (g->unwound) g->unwound(g->object);
}

void inspect_call_guarded(void (*routine)(void), void (*unwound)(void*), void* object) {
  __attribute__((cleanup(leave))) struct guard g = {unwound, object};
  routine();
  g.unwound = 0;
}
