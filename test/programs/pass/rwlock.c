// expect: verdict=verified executions(optimal)=4
// One writer between two readers: before both, after both, between in either order.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  assert(left == right);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

static void* writer(void* unused) {
  pthread_rwlock_wrlock(&lock);
  left++;
  right++;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, reader, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_create(&threads[2], NULL, writer, NULL);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  return 0;
}
