// After the structure of aget as the papers describe it: a download in THREADS parts, one thread each; every thread receives
// its part packet by packet, writes each packet to its place in the file, and adds to a counter of bytes under a lock; the main
// thread waits for all of them.
#include <assert.h>
#include <pthread.h>
#include <string.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef PACKETS
#define PACKETS 2
#endif
enum { PACKET_BYTES = 64 };

struct part {
  size_t offset, end;
};

static char remote[THREADS * PACKETS * PACKET_BYTES], file[sizeof remote];
static pthread_mutex_t written_mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t written;

static size_t receive(char* to, size_t offset, size_t end) {
  const size_t bytes = end - offset < PACKET_BYTES ? end - offset : PACKET_BYTES;
  memcpy(to, remote + offset, bytes);
  return bytes;
}

static void* download(void* argument) {
  struct part* const part = argument;
  char packet[PACKET_BYTES];
  while (part->offset < part->end) {
    const size_t bytes = receive(packet, part->offset, part->end);
    memcpy(file + part->offset, packet, bytes);
    part->offset += bytes;
    pthread_mutex_lock(&written_mutex);
    written += bytes;
    pthread_mutex_unlock(&written_mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  struct part parts[THREADS];
  for (int i = 0; i < THREADS; i++) {
    parts[i].offset = (size_t)i * PACKETS * PACKET_BYTES;
    parts[i].end = parts[i].offset + PACKETS * PACKET_BYTES;
    pthread_create(&threads[i], NULL, download, &parts[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  assert(written == sizeof file && !memcmp(file, remote, sizeof file));
  return 0;
}
