// expect: case=size verdict=verified cflags=-DSIZE algorithms=optimal
// expect: case=usual verdict=verified cflags=-DUSUAL algorithms=optimal
// expect: case=own verdict=verified cflags=-DOWN algorithms=dpor,source,optimal
// expect: case=small verdict=verified cflags=-DSMALL
// A thread has the stack that its attributes ask for, and can find out which.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

#if defined(SIZE)
enum { kBytes = 64 << 20, kUsed = 20 << 20 };
#elif defined(USUAL)
enum { kBytes = 8 << 20, kUsed = 6 << 20 };
#else
enum { kBytes = 256 << 10, kUsed = 100 << 10 };
#endif

static int deep(int bytes) {
  volatile char room[64 << 10];
  room[0] = 1;
  return bytes > (int)sizeof room ? deep(bytes - (int)sizeof room) + room[0] : room[0];
}

static char *bottom, *local;

static void* worker(void* unused) {
  char here;
  void* address;
  size_t size;
  pthread_attr_t attributes;
  local = &here;
  assert(!pthread_getattr_np(pthread_self(), &attributes));
  assert(!pthread_attr_getstack(&attributes, &address, &size));
  assert(size == kBytes && &here > (char*)address && &here < (char*)address + size);
  bottom = address;
  deep(kUsed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  char* own = NULL;
#if defined(SIZE)
  assert(!pthread_attr_setstacksize(&attributes, kBytes));
#elif defined(SMALL)
  assert(pthread_attr_setstacksize(&attributes, 4096) == EINVAL);
  assert(!pthread_attr_setstacksize(&attributes, kBytes));
#elif defined(OWN)
  own = aligned_alloc(4096, kBytes);
  assert(!pthread_attr_setstack(&attributes, own, kBytes));
#endif
  pthread_create(&thread, &attributes, worker, NULL);
  pthread_join(thread, NULL);
#if defined(OWN)
  assert(bottom == own);
#endif
  free(own);
  return 0;
}
