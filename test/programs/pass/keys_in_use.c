// expect: case=get verdict=verified cflags=-DGET
// expect: case=set verdict=verified cflags=-DSET
// expect: case=delete verdict=verified cflags=-DDELETE
// expect: case=c11 verdict=verified cflags=-DC11
// A key of thread-specific data is deleted when its uses are over.
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

#ifdef C11
static tss_t key;
#define MAKE() tss_create(&key, NULL)
#define USE() tss_get(key)
#define END() tss_delete(key)
#else
static pthread_key_t key;
#define MAKE() pthread_key_create(&key, NULL)
#define END() pthread_key_delete(key)
#if defined SET
#define USE() pthread_setspecific(key, &key)
#elif defined DELETE
static void delete_late(void) {
#ifdef DEFECT
  pthread_key_delete(key);
#endif
}
#define USE() delete_late()
#else
#define USE() pthread_getspecific(key)
#endif
#endif

static void* worker(void* argument) {
  USE();
  return argument;
}

int main(void) {
  MAKE();
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
#if defined DEFECT && !defined LATE
  END();
#endif
#if !defined LATE
  pthread_join(thread, NULL);
#endif
#ifndef DEFECT
  END();
#endif
#ifdef LATE
  pthread_join(thread, NULL);
  END();
  USE();
#endif
  return 0;
}
