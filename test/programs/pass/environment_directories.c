// expect: verdict=verified
// Directories, links and the working directory belong to the execution too.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  struct stat status;
  char text[32] = "/tmp/inspect-XXXXXX", here[4096], path[64];
  assert(mkdtemp(text));
  assert(stat(text, &status) == 0 && S_ISDIR(status.st_mode) && (status.st_mode & 0777) == 0700);
  assert(chdir(text) == 0 && getcwd(here, sizeof here) && strcmp(here, text) == 0);
  assert(mkdir("a", 0755) == 0 && mkdir("a", 0755) < 0 && errno == EEXIST);
  assert(close(open("a/b", O_CREAT | O_WRONLY, 0644)) == 0);
  assert(symlink("a/b", "link") == 0 && lstat("link", &status) == 0 && S_ISLNK(status.st_mode));
  assert(readlink("link", path, sizeof path) == 3 && memcmp(path, "a/b", 3) == 0);
  FILE* file = fopen("link", "w");
  assert(file && fputs("through the link", file) >= 0 && fclose(file) == 0);
  assert(stat("a/../a/b", &status) == 0 && status.st_size == 16 && (status.st_mode & 0777) == 0644);
  assert(rmdir("a") < 0 && errno == ENOTEMPTY);
  assert(rename("a", "c") == 0 && stat("c/b", &status) == 0 && stat("a", &status) < 0);
  assert(stat("link", &status) < 0 && errno == ENOENT);
  assert(link("c/b", "d") == 0 && stat("d", &status) == 0 && status.st_nlink == 2);
  assert(chmod("d", 0600) == 0 && stat("c/b", &status) == 0 && (status.st_mode & 0777) == 0600);
  char* real = realpath("c/./b", NULL);
  snprintf(path, sizeof path, "%s/c/b", text);
  assert(real && strcmp(real, path) == 0);
  free(real);
  assert(remove("d") == 0 && remove("c/b") == 0 && remove("c") == 0 && remove("link") == 0);
  assert(chdir("/") == 0 && rmdir(text) == 0 && access(text, F_OK) < 0);
  return 0;
}
