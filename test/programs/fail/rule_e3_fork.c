// expect: verdict=unsupported|inconclusive
// A child process is not modelled.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = 0;
  waitpid(child, &status, 0);
  return 0;
}
