// What a handler does that matters at places where it is not run: it makes the verdict inconclusive, by name.
//
// expect: case=errno cflags=-DERRNO verdict=inconclusive reason="a signal's handler that interrupts a thread" assumption="leaves another value in errno" algorithms=source
// expect: case=copy cflags=-DCOPY verdict=inconclusive assumption="shares memory with a call or copy" algorithms=source
// expect: case=text cflags=-DTEXT verdict=inconclusive assumption="shares memory with a call or copy" algorithms=source
// expect: case=generator cflags=-DGENERATOR verdict=inconclusive assumption="shares memory with a call or copy" algorithms=source
// expect: case=jump cflags=-DJUMP verdict=inconclusive assumption="leaves it by a jump" algorithms=source
// expect: case=allocates cflags=-DALLOCATES verdict=inconclusive assumption="not async-signal-safe: malloc" algorithms=source
// expect: case=frees cflags=-DFREES verdict=inconclusive assumption="not async-signal-safe: free" algorithms=source
// expect: case=registers cflags=-DREGISTERS verdict=inconclusive assumption="not async-signal-safe" algorithms=source
// expect: case=exits cflags=-DEXITS verdict=inconclusive assumption="not async-signal-safe: exit" algorithms=source
// expect: case=prints cflags=-DPRINTS verdict=inconclusive assumption="not async-signal-safe: puts" algorithms=source
// expect: case=rewinds cflags=-DREWINDS verdict=inconclusive assumption="not async-signal-safe: a call on an open directory" algorithms=source
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct position {
  long x, y, z;
};

static struct position place;
static char text[16];
static sigjmp_buf start;
static volatile sig_atomic_t started;
static volatile long kept;
static void* volatile allocated;
#ifdef REWINDS
static DIR* directory;
#endif

#ifdef REGISTERS
static void leave(void) { kept = 0; }
#endif

static void handle(int number) {
  (void)number;
#if defined ERRNO
  errno = 77;
#elif defined COPY
  kept = place.x - place.z;
#elif defined TEXT
  text[0] = 'a';
#elif defined GENERATOR
  kept = rand();
#elif defined JUMP
  if (started) siglongjmp(start, 1);
#elif defined ALLOCATES
  allocated = malloc(8);
#elif defined REWINDS
  rewinddir(directory);
#elif defined FREES
  free(allocated);
  allocated = NULL;
#elif defined REGISTERS
  atexit(leave);
#elif defined EXITS
  exit(0);
#elif defined PRINTS
  puts("handled");
#endif
}

static void* run(void* argument) {
  const struct position other = *(struct position*)argument;
  if (sigsetjmp(start, 1)) return NULL;
  started = 1;
  errno = 5;
  place = other;
  strcpy(text, "bcdef");
  kept = rand();
  started = 0;
  return errno == 5 ? argument : NULL;
}

int main(void) {
  struct position one = {1, 1, 1};
  pthread_t thread;
  signal(SIGUSR1, handle);
#ifdef FREES
  allocated = malloc(8);
#elif defined REWINDS
  directory = opendir("/");
#endif
  pthread_create(&thread, NULL, run, &one);
  pthread_kill(thread, SIGUSR1);
  pthread_join(thread, NULL);
  free(allocated);
  return 0;
}
