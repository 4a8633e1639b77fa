// Publication and exclusion by single instructions of inline assembly, among them atomics of C.
// expect: verdict=verified
// expect: case=dekker verdict=verified cflags=-DDEKKER
// expect: case=thread verdict=verified cflags=-DTHREAD
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int load(int* from) {
  int now;
  __asm__ volatile("movl %1, %0" : "=r"(now) : "m"(*from) : "memory");
  return now;
}
static void store(int* to, int now) { __asm__ volatile("movl %1, %0" : "=m"(*to) : "r"(now) : "memory"); }

#if defined THREAD
// The thread's own address differs between threads.
static unsigned long first;
static unsigned long self(void) {
  unsigned long address;
  __asm__("movq %%fs:0, %0" : "=r"(address));
  return address;
}
static void* worker(void* argument) {
  assert(self() != first && self() == (unsigned long)__builtin_thread_pointer());
  return argument;
}
int main(void) {
  pthread_t thread;
  first = self();
  assert(first == *(unsigned long __seg_fs*)0);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
#elif defined DEKKER
static int wants[2], inside;
static void* worker(void* argument) {
  const int me = argument != 0;
  store(&wants[me], 1);
  __asm__ volatile("lock; addl $0, -4(%%rsp)" : : : "memory", "cc");
  if (!load(&wants[1 - me])) assert(++inside == 1);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, &thread);
  worker(0);
  pthread_join(thread, 0);
  return 0;
}
#else
static atomic_int ready;
static int data, other, seen;
static void* reader(void* argument) {
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 7);
  if (load(&other)) assert(seen == 3);
  return argument;
}
int main(void) {
  pthread_t thread;
  int one = 1;
  pthread_create(&thread, 0, reader, 0);
  data = 7;
  __asm__ volatile("xchg{l %1, %0| %0, %1}" : "+m"(ready), "+r"(one) : : "memory");
  seen = 3;
  store(&other, 1);
  pthread_join(thread, 0);
  return 0;
}
#endif
