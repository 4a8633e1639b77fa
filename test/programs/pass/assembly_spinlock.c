// Spinlocks as real code has them in inline assembly: they exclude, and waiting for them is waiting.
// expect: verdict=verified
// expect: case=bits verdict=verified cflags=-DBITS
// expect: case=ticket verdict=verified cflags=-DTICKET
// expect: case=exchange verdict=verified cflags=-DEXCHANGE
// expect: case=compare verdict=verified cflags="-DCOMPARE -O2"
#include <assert.h>
#include <pthread.h>

static int counter;

#if defined BITS  // a loop inside the text
static unsigned word;
static void enter(void) {
  __asm__ volatile("1:\n\tlock\n\tbtsl $0, %0\n\tjnc 2f\n\tpause\n\tjmp 1b\n2:" : "+m"(word) : : "memory", "cc");
}
static void leave(void) { __asm__ volatile("lock; btrl $0, %0" : "+m"(word) : : "memory", "cc"); }
#elif defined TICKET
static unsigned short next, serving;
static void enter(void) {
  unsigned short mine = 1, now;
  __asm__ volatile("lock; xaddw %0, %1" : "+r"(mine), "+m"(next) : : "memory", "cc");
  do __asm__ volatile("movw %1, %0" : "=r"(now) : "m"(serving) : "memory");
  while (now != mine);
}
static void leave(void) { __asm__ volatile("incw %0" : "+m"(serving) : : "memory", "cc"); }
#elif defined COMPARE
static unsigned word;
static void enter(void) {
  unsigned char done;
  do {
    unsigned expected = 0;
    __asm__ volatile("lock; cmpxchgl %3, %1; sete %0" : "=a"(done) : "m"(word), "a"(expected), "r"(1) : "cc", "memory");
  } while (!done);
}
static void leave(void) { __asm__ volatile("movl $0, %0" : "=m"(word) : : "memory"); }
#elif defined EXCHANGE  // without a bus lock of its own: the exchange has one
static unsigned char word;
static void enter(void) {
  char taken = 1;
  while (taken) __asm__ volatile("xchgb %0, %1" : "+q"(taken), "+m"(word) : : "memory");
}
static void leave(void) { __asm__ volatile("movb $0, %0" : "=m"(word) : : "memory"); }
#else  // as Linux had it: count down, and wait with plain reads
static int word = 1;
static void enter(void) {
  __asm__ volatile(
      "1: lock ; decl %0\n\t"
      "jns 3f\n"
      "2: rep; nop\n\t"
      "cmpl $0, %0\n\t"
      "jle 2b\n\t"
      "jmp 1b\n"
      "3:"
      : "+m"(word)
      :
      : "memory", "cc");
}
static void leave(void) { __asm__ volatile("movl $1, %0" : "=m"(word) : : "memory"); }
#endif

static void* worker(void* argument) {
  enter();
  ++counter;
  leave();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  assert(counter == 2);
  return 0;
}
