// expect: verdict=unsupported reason="rename of the working directory"
// A working directory that gets another name is not modelled: getcwd would say the old one.
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void* renamer(void* unused) {
  rename("/tmp/inspect_old_name", "/tmp/inspect_new_name");
  return unused;
}

int main(void) {
  char name[100];
  mkdir("/tmp/inspect_old_name", 0700);
  chdir("/tmp/inspect_old_name");
  pthread_t thread;
  pthread_create(&thread, NULL, renamer, NULL);
  getcwd(name, sizeof name);
  pthread_join(thread, NULL);
}
