// expect: verdict=verified executions(optimal)=2
// Two threads read on in a file where main has stopped, and fill a pipe that main has made. Each schedule finds both as main left
// them, whatever the schedules before it did: also where states are kept in which main is done (test/native/checkpoints.py).
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file, ends[2], turn;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void* run(void* number) {
  char c = 0;
  pthread_mutex_lock(&m);
  assert(read(file, &c, 1) == 1);
  assert(c == "ELF"[turn++]);
  assert(write(ends[1], &c, 1) == 1);
  pthread_mutex_unlock(&m);
  return number;
}

int main(int argc, char** argv) {
  (void)argc;
  char got[3], magic = 0;
  file = open(argv[0], O_RDONLY);
  assert(file >= 0 && read(file, &magic, 1) == 1 && magic == 0x7f);
  assert(pipe(ends) == 0);
  pthread_t t[2];
  for (int i = 0; i < 2; ++i) pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(t[i], NULL);
  assert(read(ends[0], got, sizeof got) == 2 && got[0] == 'E' && got[1] == 'L');
  assert(close(ends[1]) == 0 && read(ends[0], got, 1) == 0);  // nobody else has the end for writing
  return 0;
}
