// expect: case=getvalue verdict=bug kind=data-race cflags=-DGETVALUE
// expect: case=join verdict=bug kind=data-race cflags=-DJOIN
// expect: case=create verdict=bug kind=data-race cflags=-DCREATE
// expect: case=sigwait verdict=bug kind=data-race cflags=-DSIGWAIT
// expect: case=deadline verdict=bug kind=data-race cflags=-DDEADLINE
// expect: case=sleep verdict=bug kind=data-race cflags=-DSLEEP
// expect: case=key verdict=bug kind=data-race cflags=-DKEY
// expect: case=mask verdict=bug kind=data-race cflags=-DMASK
// expect: case=attribute verdict=bug kind=data-race cflags=-DATTRIBUTE
// expect: case=type verdict=bug kind=data-race cflags=-DTYPE
// expect: case=cancel verdict=bug kind=data-race cflags=-DCANCEL
// expect: case=name verdict=bug kind=data-race cflags=-DNAME
// expect: case=affinity verdict=bug kind=data-race cflags=-DAFFINITY
// expect: case=action verdict=bug kind=data-race cflags=-DACTION
// What a call fills in, or looks at, is an access of its caller; main does the same without order.
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static union {
  int number;
  void* pointer;
  pthread_t thread;
  struct timespec time;
  pthread_key_t key;
  sigset_t set;
  char text[16];
  size_t size;
  cpu_set_t processors;
  struct sigaction action;
} shared;

static sem_t semaphore;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_attr_t attribute;
static pthread_mutexattr_t type;
static sigset_t signals;

static void* idle(void* unused) { return NULL; }

static void* worker(void* unused) {
  pthread_t thread;
#ifdef GETVALUE
  sem_getvalue(&semaphore, &shared.number);
#endif
#ifdef JOIN
  pthread_create(&thread, NULL, idle, NULL);
  pthread_join(thread, &shared.pointer);
#endif
#ifdef CREATE
  pthread_create(&shared.thread, NULL, idle, NULL);
#endif
#ifdef SIGWAIT
  sigwait(&signals, &shared.number);
#endif
#ifdef DEADLINE
  pthread_mutex_timedlock(&mutex, &shared.time);
#endif
#ifdef SLEEP
  nanosleep(&shared.time, NULL);
#endif
#ifdef KEY
  pthread_key_create(&shared.key, NULL);
#endif
#ifdef MASK
  pthread_sigmask(SIG_BLOCK, NULL, &shared.set);
#endif
#ifdef ATTRIBUTE
  pthread_attr_getstacksize(&attribute, &shared.size);
#endif
#ifdef TYPE
  pthread_mutexattr_gettype(&type, &shared.number);
#endif
#ifdef CANCEL
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &shared.number);
#endif
#ifdef NAME
  pthread_getname_np(pthread_self(), shared.text, sizeof shared.text);
#endif
#ifdef AFFINITY
  pthread_getaffinity_np(pthread_self(), sizeof shared.processors, &shared.processors);
#endif
#ifdef ACTION
  sigaction(SIGUSR2, NULL, &shared.action);
#endif
  return NULL;
}

int main(void) {
  sem_init(&semaphore, 0, 0);
  pthread_attr_init(&attribute);
  pthread_mutexattr_init(&type);
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_kill(thread, SIGUSR1);
  shared.number = 1;
  pthread_join(thread, NULL);
  return 0;
}
