// expect: verdict=verified executions(optimal)=2 executions(dpor)=2 algorithms=dpor,source,optimal
// expect: case=eighteen verdict=verified cflags=-DN=18 executions(optimal)=32 algorithms=dpor,source,optimal
// expect: case=twenty verdict=verified algorithms=optimal cflags=-DN=20 executions(optimal)=128
// expect: case=permuted verdict=verified algorithms=optimal cflags='-DN=18 -DLAST_FIRST' executions(optimal)=32
// The file system of Flanagan and Godefroid: threads look for a free block for their inode, with a lock for each.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 14
#endif
enum { BLOCKS = 26, INODES = 32 };
static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void* allocate(void* argument) {
  const int i = (int)(long)argument % INODES;
  pthread_mutex_lock(&inode_lock[i]);
  if (inode[i] == 0) {
    for (int block = (i * 2) % BLOCKS;; block = (block + 1) % BLOCKS) {
      pthread_mutex_lock(&block_lock[block]);
      const int found = !busy[block];
      if (found) {
        busy[block] = 1;
        inode[i] = block + 1;
      }
      pthread_mutex_unlock(&block_lock[block]);
      if (found) break;
    }
  }
  assert(inode[i] != 0);
  pthread_mutex_unlock(&inode_lock[i]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_lock[i], NULL);
  for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_lock[i], NULL);
#ifdef LAST_FIRST
  for (long i = N; i-- > 0;) pthread_create(&threads[i], NULL, allocate, (void*)i);
#else
  for (long i = 0; i < N; i++) pthread_create(&threads[i], NULL, allocate, (void*)i);
#endif
  for (int i = 0; i < N; i++) pthread_join(threads[i], NULL);
  return 0;
}
