// expect: case=read verdict=bug kind=data-race cflags=-DREAD algorithms=optimal
// expect: case=in_order verdict=verified algorithms=optimal,dpor
// The next name of a directory may be written over the one before.
#include <dirent.h>
#include <pthread.h>
#include <stddef.h>

static const struct dirent* entry;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void* reader(void* unused) {
#if !defined(READ)
  pthread_mutex_lock(&mutex);
#endif
  volatile char first = entry ? entry->d_name[0] : 0; /* ERROR */
  (void)first;
#if !defined(READ)
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  DIR* const directory = opendir("/proc/self/task");
  DIR* const other = opendir("/proc/self/task");
  entry = readdir(directory);
  pthread_create(&thread, NULL, reader, NULL);
  pthread_mutex_lock(&mutex);
#if !defined(READ)
  entry = NULL;
#endif
  readdir(directory); /* ERROR */
  pthread_mutex_unlock(&mutex);
  while (readdir(other)) continue;
  pthread_join(thread, NULL);
  closedir(other);
  return closedir(directory);
}
