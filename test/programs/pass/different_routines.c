// expect: verdict=verified executions(optimal)=2 naive
// expect: case=symmetric options=--symmetry algorithms=dpor,sdpor verdict=verified executions(dpor)=1 executions(sdpor)=1
// Two routines with other names and operands in another order do the same: both orders are one, but for names.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void* first(void* unused) {
  (void)unused;
  int i = 2;
  pthread_mutex_lock(&mutex);
  sum += i * 3;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* second(void* argument) {
  (void)argument;
  int other = 2;
  pthread_mutex_lock(&mutex);
  sum = 3 * other + sum;
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
