// expect: case=switch verdict=inconclusive assumption="an object that may be used after its block" cflags=-DSWITCH
// expect: case=switch_O0 verdict=inconclusive assumption="an object that may be used after its block" cflags="-DSWITCH -O0"
// expect: case=while verdict=inconclusive assumption="an object that may be used after its block" cflags=-DWHILE
// expect: case=handler verdict=inconclusive assumption="an object that may be used after its block" cflags=-DHANDLER
// expect: case=object_of_handler verdict=inconclusive assumption="an object that may be used after its block" cflags=-DOBJECT
// expect: case=if verdict=bug kind=memory-error cflags=-DIF algorithms=optimal
// expect: case=for verdict=bug kind=memory-error cflags=-DFOR algorithms=optimal
// A variable at the head of a statement, in a function with computed jumps: debug information does not tell where some of them
// end.
#include <pthread.h>

static int zero;
static int* volatile place;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct Number {
  int value = 1;
  Number() = default;
  Number(const Number& other) : value(other.value) {}
  ~Number() { value = 0; }
};

static int work(int n) {
  static void* const labels[] = {&&first, &&second};
  goto* labels[n];
first:
#if defined(SWITCH)
  switch (int k = n + 1) {
    case 1:
      place = &k;
      break;
    default:;
  }
#elif defined(WHILE)
  while (int k = !n++) place = &k;
#elif defined(HANDLER)
  try {
    throw 1;
  } catch (int k) {
    place = &k;
  }
#elif defined(OBJECT)
  try {
    throw Number();
  } catch (Number k) {
    place = &k.value;
  }
#elif defined(IF)
  if (int k = n + 1) place = &k;
#elif defined(FOR)
  for (int k = 0; k < 1; ++k) place = &k;
#endif
second:
  return *place; /* ERROR */
}

static void* worker(void* unused) {
  pthread_mutex_lock(&mutex);
  place = &zero;
  work(0);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  pthread_join(thread, nullptr);
}
