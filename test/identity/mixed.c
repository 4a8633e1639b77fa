// Half of the program is built without records: what its functions hold while they call the other half is not known.
#include <pthread.h>
#include <stdatomic.h>

#ifdef WITHOUT_RECORDS
atomic_int count[2];
#else
extern atomic_int count[2];
#endif
void step(int bit);

#ifdef WITHOUT_RECORDS
static void* run(void* unused) {
  (void)unused;
  for (int k = 0; k < 4; k++) {
    step(k & 1);
    atomic_store(&count[0], 0);
    if (k > 1) atomic_fetch_xor(&count[1], 1);
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
#else
void step(int bit) {
  (void)bit;
  atomic_fetch_xor(&count[0], 1);
}
#endif
