// expect: case=links cflags="'-DCHANGE=unlink(name)' '-DFINE=!fstat(file, &status) && status.st_nlink == 1'" verdict=bug kind=assertion
// expect: case=size cflags="'-DCHANGE=ftruncate(file, 5)' '-DFINE=!fstat(file, &status) && status.st_size == 0'" verdict=bug kind=assertion
// expect: case=mode cflags="'-DCHANGE=chmod(name, 0400)' '-DFINE=!fstat(file, &status) && (status.st_mode & 0777) == 0600'" verdict=bug kind=assertion
// expect: case=directory cflags="'-DCHANGE=chdir(\"/\")' '-DFINE=getcwd(place, sizeof place) && place[1]'" verdict=bug kind=assertion
// expect: case=relative cflags="'-DCHANGE=chdir(\"/\")' '-DFINE=!access(name, R_OK)'" verdict=bug kind=assertion
// expect: case=mask cflags="'-DCHANGE=umask(0777)' '-DFINE=!fstat(open(\"other\", O_CREAT | O_RDWR, 0600), &status) && status.st_mode & 0200'" verdict=bug kind=assertion
// expect: case=append cflags="'-DCHANGE=fcntl(file, F_SETFL, O_APPEND)' '-DFINE=!(fcntl(file, F_GETFL) & O_APPEND)'" verdict=bug kind=assertion
// expect: case=offset cflags="'-DCHANGE=lseek(file, 7, SEEK_SET)' '-DFINE=lseek(file, 0, SEEK_CUR) == 0'" verdict=bug kind=assertion
// What one thread changes of a file, of names or of the process, another asks for at the same time.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static const char name[] = "inspect-file-told-of";
static int file;

static void* change(void* unused) {
  (void)(CHANGE);
  return unused;
}

int main(void) {
  struct stat status;
  char place[4096];
  (void)status, (void)place;
  chdir("/tmp");
  file = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  pthread_t thread;
  pthread_create(&thread, NULL, change, NULL);
  assert(FINE); /* ERROR */
  pthread_join(thread, NULL);
  return 0;
}
