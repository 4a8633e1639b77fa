// expect: case=table verdict=bug kind=data-race cflags=-DTABLE algorithms=optimal
// expect: case=index verdict=bug kind=data-race cflags=-DINDEX algorithms=optimal
// expect: case=flag verdict=bug kind=data-race cflags=-DFLAG algorithms=optimal
// getopt_long reads its table, and writes the number of the option and the variable that the entry names.
#include <getopt.h>
#include <pthread.h>
#include <stddef.h>

static int flag, number;
static struct option table[] = {{"loud", no_argument, &flag, 5}, {NULL, 0, NULL, 0}};

static void* parse(void* unused) {
  char program[] = "p", loud[] = "--loud";
  char* arguments[] = {program, loud, NULL};
  getopt_long(2, arguments, "", table, &number);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, parse, NULL);
#if defined TABLE
  table[0].val = 6;
#elif defined INDEX
  number = 1;
#else
  flag = 1;
#endif
  pthread_join(thread, NULL);
  return 0;
}
