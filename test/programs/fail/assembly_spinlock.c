// Locks in inline assembly that do not exclude: a test and a set that others may come between, and a counter without a lock prefix.
// expect: verdict=bug kind=data-race|assertion|livelock
// expect: case=unlocked verdict=bug kind=assertion cflags=-DUNLOCKED
// expect: case=held verdict=bug kind=livelock cflags=-DHELD
#include <assert.h>
#include <pthread.h>

static int counter;
static int word;

static void enter(void) {
#ifdef HELD
  __asm__ volatile("1: lock; btsl $0, %0; jc 1b" : "+m"(word) : : "memory", "cc");
#else
  int taken;
  do __asm__ volatile("movl %1, %0; movl $1, %1" : "=&r"(taken), "+m"(word) : : "memory");
  while (taken);
#endif
}
static void leave(void) {
#ifndef HELD
  __asm__ volatile("movl $0, %0" : "=m"(word) : : "memory");
#endif
}

static void* worker(void* argument) {
#ifdef UNLOCKED
  __asm__ volatile("incl %0" : "+m"(counter) : : "cc");
#else
  enter();
  ++counter;
  leave();
#endif
  return argument;
}

static int value(void) {
  int now;
  __asm__ volatile("movl %1, %0" : "=r"(now) : "m"(counter));
  return now;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  assert(value() == 2);
  return 0;
}
