// A jump leaves a function whose local nobody writes to any more, and a block of a function that lies beyond: its own local lives.
// expect: case=inlined verdict=verified executions(optimal)=1 naive
// expect: case=unoptimised verdict=verified executions(optimal)=1 naive cflags=-O0
// expect: case=optimised verdict=verified executions(optimal)=1 naive cflags=-O2
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>

static jmp_buf start;
static sem_t left;

static void *write_at_once(void *local) {
  *(int *)local = 1;
  return NULL;
}

static void *write_late(void *local) {
  sem_wait(&left);
  *(int *)local = 1;
  return NULL;
}

static void joined_before(void) {
  int local = 0;
  pthread_t writer;
  pthread_create(&writer, NULL, write_at_once, &local);
  pthread_join(writer, NULL);
  assert(local == 1);
  longjmp(start, 1);
}

int main(void) {
  int own = 0;
  pthread_t writer;
  sem_init(&left, 0, 0);
  pthread_create(&writer, NULL, write_late, &own);
  if (!setjmp(start)) {
    int block = 0;
    pthread_t other;
    pthread_create(&other, NULL, write_at_once, &block);
    pthread_join(other, NULL);
    joined_before();
  }
  sem_post(&left);
  pthread_join(writer, NULL);
  assert(own == 1);
  return 0;
}
