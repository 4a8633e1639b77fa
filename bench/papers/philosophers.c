// The dining philosophers of the MPOR paper, which describes them in words: no deadlock, local variables of their own, a shared
// array of chopsticks. That each takes the chopstick of the lower number first is ours.
//
// With its creation a philosopher is 7 transitions: created, started, two chopsticks taken and put down again, ended. main is
// one more, so that N of them are the 7 N + 1 steps of the paper's table; main does not wait for them. Eating and thinking are
// local. pa: all eat at the same time. pb: all have eaten.
#include <inspect/inspect.h>
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t chopsticks[N];
static const char* const eats[] = {"eats0",  "eats1",  "eats2",  "eats3",  "eats4",  "eats5",  "eats6",  "eats7",
                                   "eats8",  "eats9",  "eats10", "eats11", "eats12", "eats13", "eats14", "eats15",
                                   "eats16", "eats17", "eats18", "eats19", "eats20", "eats21", "eats22", "eats23",
                                   "eats24", "eats25", "eats26", "eats27", "eats28", "eats29"};
static const char* const ate[] = {"ate0",  "ate1",  "ate2",  "ate3",  "ate4",  "ate5",  "ate6",  "ate7",  "ate8",  "ate9",
                                  "ate10", "ate11", "ate12", "ate13", "ate14", "ate15", "ate16", "ate17", "ate18", "ate19",
                                  "ate20", "ate21", "ate22", "ate23", "ate24", "ate25", "ate26", "ate27", "ate28", "ate29"};

static void* dine(void* number) {
  const long i = (long)number;
  const long first = i == N - 1 ? 0 : i, second = i == N - 1 ? i : i + 1;
  pthread_mutex_lock(&chopsticks[first]);
  pthread_mutex_lock(&chopsticks[second]);
  inspect_proposition(eats[i], 1);
  pthread_mutex_unlock(&chopsticks[second]);
  inspect_proposition(eats[i], 0);
  inspect_proposition(ate[i], 1);
  pthread_mutex_unlock(&chopsticks[first]);
  return 0;
}

int main(void) {
  pthread_t thread;
  for (long i = 0; i < N; i++) pthread_create(&thread, 0, dine, (void*)i);
  pthread_exit(0);
}
