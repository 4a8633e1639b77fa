// expect: case=handed verdict=bug kind=memory-error cflags=-DHANDED algorithms=optimal
// expect: case=handed_O0 verdict=bug kind=memory-error cflags="-DHANDED -O0" algorithms=optimal
// expect: case=handed_O2 verdict=bug kind=memory-error cflags="-DHANDED -O2" algorithms=optimal
// expect: case=stored verdict=bug kind=memory-error cflags=-DSTORED algorithms=optimal
// expect: case=in_registers verdict=bug kind=memory-error cflags=-DIN_REGISTERS algorithms=optimal
// expect: case=chosen verdict=bug kind=memory-error cflags=-DCHOSEN algorithms=optimal
// expect: case=chosen_O0 verdict=bug kind=memory-error cflags="-DCHOSEN -O0" algorithms=optimal
// expect: case=in_head verdict=bug kind=memory-error cflags=-DIN_HEAD algorithms=optimal
// expect: case=around_a_statement verdict=inconclusive assumption="an object that may be used after its block" cflags=-DAROUND
// expect: case=in_time verdict=verified algorithms=optimal
// expect: case=in_time_O0 verdict=verified cflags=-O0 algorithms=optimal
// expect: case=in_time_O2 verdict=verified cflags=-O2 algorithms=optimal
// What a function returns by value ends with the expression that the call stands in, arrays in it too. Not before: the address may
// go through memory, other results, and further parts of the expression.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct large {
  char name[32];
  int values[4];
};
struct small {
  int values[2];
};

static struct large large(int n) {
  struct large made;
  memset(&made, 0, sizeof made);
  strcpy(made.name, "name");
  made.values[1] = n;
  return made;
}
static struct small small(int n) {
  struct small made = {{n, n}};
  return made;
}

static char* text;
static int* numbers;
__attribute__((noinline)) static void keep(char* place) { text = place; }
__attribute__((noinline)) static int second(const int* values) { return values[1]; }
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

struct view {
  int* values;
};
static struct view view(int* values) { return (struct view){values}; }
__attribute__((noinline)) static int keep_number(int* place) { return numbers = place, 1; }

static int whole_expressions(void) {
  int *place, sum = 0;
  sum += second(view(large(3).values).values);
  if ((place = large(7).values) && place[1] == 7) ++sum;
  do ++sum;
  while ((place = large(sum).values, place[1] < 4));
  sum += keep_number(large(9).values) && numbers[1] == 9;
  keep_number(large(5).values), assert(numbers[1] == 5);
  sum += second(large(2).values) + second((int[]){1, 2}) + (keep_number(large(2).values), numbers[1]);
  return keep_number(large(1).values) || numbers[1] ? sum : numbers[1];
}

__attribute__((unused, noinline)) static int either(const int* values, int index) { return values[index]; }

static void* worker(void* argument) {
  pthread_mutex_lock(&mutex);
  const int chosen = argument != NULL;
  int sum = second(large(1).values) + second(small(2).values) + (chosen ? second(large(3).values) : 0);
  sum += second(chosen ? large(4).values : large(5).values);
  for (int i = 0; i < second(large(3).values); ++i) ++sum;
  printf("%s %d %zu\n", large(6).name, large(7).values[1], strlen(strchr(large(8).name, 'm')));
  sum += second(large(1).values) && second(large(0).values);
  sum += whole_expressions();
  assert(large(7).values[1] == 7 && small(3).values[0] == 3);
#if defined(HANDED)
  keep(large(1).name);
  sum += *text; /* ERROR */
#elif defined(STORED)
  numbers = large(1).values;
  sum += *numbers; /* ERROR */
#elif defined(CHOSEN)
  numbers = chosen ? large(1).values : large(2).values;
  sum += *numbers; /* ERROR */
#elif defined(AROUND)
  sum += either(large(1).values, ({
                  int number = chosen;
                  number;
                }));
#elif defined(IN_HEAD)
  if ((numbers = large(1).values)) sum += *numbers; /* ERROR */
#elif defined(IN_REGISTERS)
  numbers = small(1).values;
  sum += *numbers; /* ERROR */
#else
  keep(NULL);
  numbers = &sum;
#endif
  pthread_mutex_unlock(&mutex);
  return sum ? argument : NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, &mutex);
  worker(NULL);
  pthread_join(thread, NULL);
  return text != NULL && numbers != NULL;
}
