// expect: verdict=verified
#include <assert.h>
#include <pthread.h>
struct work {
  int in, out;
};
void *square(void *where) {
  struct work *w = where;
  w->out = w->in * w->in;
  return 0;
}
static int run(int x) {
  struct work w;
  pthread_t t;
  w.in = x;
  w.out = 0;
  pthread_create(&t, 0, square, &w);
  pthread_join(t, 0);
  return w.out;
}
int main(void) {
  assert(run(3) + run(4) == 25);
  return 0;
}
