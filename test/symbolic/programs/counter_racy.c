// expect: verdict=bug text="BUG: data-race"
// expect: options=--no-races verdict=bug text="BUG: assertion: assertion failed at counter_racy.c:15"
#include <assert.h>
#include <pthread.h>
int count;
void *add(void *unused) {
  count++;
  return unused;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, add, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  // A lost update.
  assert(count == 2);
  return 0;
}
