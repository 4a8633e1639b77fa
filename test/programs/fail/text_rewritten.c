// expect: verdict=bug kind=data-race|memory-error
// The thread's next address is written over the last one, which another thread reads.
#include <arpa/inet.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t there;
static const char* text;

static void* maker(void* unused) {
  text = inet_ntoa((struct in_addr){1});
  sem_post(&there);
  inet_ntoa((struct in_addr){2});
  return unused;
}

int main(void) {
  sem_init(&there, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, maker, NULL);
  sem_wait(&there);
  const int found = *text == 'x';
  pthread_join(thread, NULL);
  return found;
}
