// Exceptions leave functions whose locals nobody writes to any more, again and again; the locals of those that catch live on.
// expect: case=inlined verdict=verified executions(optimal)=1
// expect: case=unoptimised verdict=verified executions(optimal)=1 cflags=-O0
// expect: case=optimised verdict=verified executions(optimal)=1 cflags=-O2
#include <pthread.h>
#include <semaphore.h>
#include <cassert>

static sem_t left;

static void *write_at_once(void *local) {
  *static_cast<int *>(local) += 1;
  return nullptr;
}

static void *write_late(void *local) {
  sem_wait(&left);
  *static_cast<int *>(local) = 1;
  return nullptr;
}

static int try_once(int turn) {
  int local = turn;
  pthread_t writer;
  pthread_create(&writer, nullptr, write_at_once, &local);
  pthread_join(writer, nullptr);
  if (local < 3) throw local;
  return local;
}

static int try_often() {
  int own = 0, result = 0;
  pthread_t writer;
  pthread_create(&writer, nullptr, write_late, &own);
  for (int turn = 0; result == 0; ++turn) {
    try {
      result = try_once(turn);
    } catch (int) {
    }
  }
  sem_post(&left);
  pthread_join(writer, nullptr);
  assert(own == 1);
  throw result;
}

int main() {
  int own = 0;
  pthread_t writer;
  sem_init(&left, 0, 0);
  try {
    try_often();
  } catch (int result) {
    assert(result == 3);
  }
  pthread_create(&writer, nullptr, write_late, &own);
  sem_post(&left);
  pthread_join(writer, nullptr);
  assert(own == 1);
}
