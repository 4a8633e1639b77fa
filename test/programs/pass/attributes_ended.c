// expect: case=mutex verdict=verified cflags=-DMUTEX
// expect: case=condition verdict=verified cflags=-DCONDITION
// expect: case=rwlock verdict=verified cflags=-DRWLOCK
// expect: case=barrier verdict=verified cflags=-DBARRIER
// expect: case=thread verdict=verified cflags=-DTHREAD
// expect: case=static verdict=verified cflags="-DMUTEX -DWHERE=static"
// expect: case=static_thread verdict=verified cflags="-DTHREAD -DWHERE=static"
// Attributes are initialised, used, and destroyed; and again.
#include <pthread.h>
#include <stddef.h>

#ifndef WHERE
#define WHERE
#endif
#if defined MUTEX
#define OBJECT(x) pthread_mutex##x
#define INITIALISE(o, a) pthread_mutex_init(o, a)
#elif defined CONDITION
#define OBJECT(x) pthread_cond##x
#define INITIALISE(o, a) pthread_cond_init(o, a)
#elif defined RWLOCK
#define OBJECT(x) pthread_rwlock##x
#define INITIALISE(o, a) pthread_rwlock_init(o, a)
#elif defined BARRIER
#define OBJECT(x) pthread_barrier##x
#define INITIALISE(o, a) pthread_barrier_init(o, a, 1)
#endif

static void* worker(void* argument) { return argument; }

int main(void) {
#ifdef THREAD
  WHERE pthread_attr_t attributes;
  pthread_t thread;
#define BEGIN() pthread_attr_init(&attributes)
#define END() pthread_attr_destroy(&attributes)
#define USE() (pthread_create(&thread, &attributes, worker, NULL), pthread_join(thread, NULL))
#else
  WHERE OBJECT(attr_t) attributes;
  OBJECT(_t) object;
#define BEGIN() OBJECT(attr_init)(&attributes)
#define END() OBJECT(attr_destroy)(&attributes)
#define USE() (INITIALISE(&object, &attributes), OBJECT(_destroy)(&object))
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
#endif
#ifndef NEVER
  BEGIN();
#endif
#ifndef DEFECT
  USE();
#endif
#ifndef NEVER
  END();
#endif
#ifndef DEFECT
  BEGIN();
#endif
  USE();
#ifndef DEFECT
  END();
#endif
  return 0;
}
