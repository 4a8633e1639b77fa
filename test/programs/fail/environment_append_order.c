// expect: verdict=bug kind=assertion
// Two threads write to one file through descriptors of their own; the order is in the file, and whoever reads it sees it.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static void* appender(void* text) {
  const int fd = open("environment_append_order.txt", O_WRONLY | O_APPEND);
  assert(fd >= 0 && write(fd, text, 1) == 1 && close(fd) == 0);
  return NULL;
}

int main(void) {
  close(open("environment_append_order.txt", O_CREAT | O_WRONLY, 0600));
  const int fd = open("environment_append_order.txt", O_RDONLY);
  pthread_t a, b;
  pthread_create(&a, NULL, appender, "a");
  pthread_create(&b, NULL, appender, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  char found[4] = "";
  assert(read(fd, found, sizeof found) == 2);
  assert(strcmp(found, "ab") == 0); /* ERROR */
  return 0;
}
