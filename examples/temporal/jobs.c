// Jobs on a linked list: two clients append theirs and wait until it is done, a worker takes one after the other.
//
//   inspect check --engine=explicit --ltl='G (queued1 -> F done1)' --fairness=weak examples/temporal/jobs.c
//
// holds: the list is a queue. With --cflags=-DSTACK it is a stack, and client 1's job may lie at the bottom for ever while
// client 0's come and go: no thread is held up, so no scheduler can help.
#include <inspect/inspect.h>
#include <pthread.h>
#include <stdlib.h>

struct job {
  int client, done;
  struct job* next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t queued = PTHREAD_COND_INITIALIZER, done[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static struct job* first;

static void append(struct job* job) {
  struct job** end = &first;
#ifdef STACK
  job->next = first;
#else
  while (*end) end = &(*end)->next;
  job->next = NULL;
#endif
  *end = job;
}

static void* client(void* argument) {
  struct job* job = argument;
  for (;;) {
    pthread_mutex_lock(&lock);
    job->done = 0;
    append(job);
    if (job->client == 1) {
      inspect_proposition("queued1", 1);
      inspect_proposition("done1", 0);
    }
    pthread_cond_signal(&queued);
    while (!job->done) pthread_cond_wait(&done[job->client], &lock);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void* work(void* unused) {
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!first) pthread_cond_wait(&queued, &lock);
    struct job* job = first;
    first = job->next;
    job->done = 1;
    if (job->client == 1) {
      inspect_proposition("queued1", 0);
      inspect_proposition("done1", 1);
    }
    pthread_cond_signal(&done[job->client]);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    struct job* job = malloc(sizeof *job);
    *job = (struct job){.client = i};
    pthread_create(&threads[i], NULL, client, job);
  }
  work(NULL);
}
