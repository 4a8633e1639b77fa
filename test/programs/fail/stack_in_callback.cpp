// A local of a function that has returned is used by one that the library or the runtime calls: it lies in their frames.
// expect: case=sort verdict=bug kind=memory-error cflags=-DCALL=by_sort()
// expect: case=sort-optimised verdict=bug kind=memory-error cflags="-O2 -DCALL=by_sort()"
// expect: case=sort-large verdict=bug kind=memory-error cflags=-DCALL=by_sort_of_large()
// expect: case=once verdict=bug kind=memory-error cflags=-DCALL=by_once()
// expect: case=call-once verdict=bug kind=memory-error cflags=-DCALL=by_call_once()
// expect: case=walk verdict=bug kind=memory-error cflags=-DCALL=by_walk()
// expect: case=key verdict=bug kind=memory-error cflags=-DCALL=by_key()
// expect: case=c11-key verdict=bug kind=memory-error cflags=-DCALL=by_c11_key()
// expect: case=thread-local verdict=bug kind=memory-error cflags=-DCALL=by_thread_local()
// expect: case=exit verdict=bug kind=memory-error cflags=-DCALL=atexit(use_plain)
// expect: case=quick-exit verdict=bug kind=memory-error cflags=-DCALL=by_quick_exit()
// expect: case=signal verdict=bug kind=memory-error cflags=-DCALL=by_signal()
// expect: case=search verdict=bug kind=memory-error cflags=-DCALL=by_search()
// expect: case=unseen verdict=inconclusive algorithms=source,dpor,optimal cflags=-DCALL=by_frame_of_library() assumption="memory of a stack whose object has ended"
#include <ftw.h>
#include <link.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>
#include <threads.h>
#include <mutex>
#include <thread>

static int *left[64];

// Many, so that some lie in whatever frames come to stand there.
__attribute__((noinline)) static void leave(int depth) {
  int local[4] = {depth};
  left[depth] = local;
  if (depth + 1 < 64) leave(depth + 1);
}

static int used;
static void use_plain() {
  for (int *at : left) used += *at; /* ERROR */
}
[[maybe_unused]] static int compare(const void *a, const void *b) {
  use_plain();
  return *(const int *)a - *(const int *)b;
}

[[maybe_unused]] static void by_sort() {
  int numbers[] = {2, 1};
  qsort(numbers, 2, sizeof *numbers, compare);
}
[[maybe_unused]] static void by_sort_of_large() {
  static int numbers[10][100];
  qsort(numbers, 10, sizeof *numbers, compare);
}
[[maybe_unused]] static void by_search() {
  int numbers[] = {1, 2}, key = 3;
  size_t count = 2;
  lfind(&key, numbers, &count, sizeof *numbers, compare);
}
[[maybe_unused]] static void by_once() {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, use_plain);
}
[[maybe_unused]] static void by_call_once() {
  static std::once_flag once;
  std::call_once(once, use_plain);
}
// What it is handed lies in the library's frame, of which nothing is known.
static int see(dl_phdr_info *about, size_t, void *) { return about->dlpi_phnum; }
[[maybe_unused]] static void by_frame_of_library() { dl_iterate_phdr(see, nullptr); }
[[maybe_unused]] static int visit(const char *, const struct stat *, int, struct FTW *) { return use_plain(), 1; }
[[maybe_unused]] static void by_walk() { nftw("/", visit, 4, 0); }
static void destroy(void *) { use_plain(); }
[[maybe_unused]] static void by_key() {
  static pthread_key_t key;
  pthread_key_create(&key, destroy);
  std::thread([] { pthread_setspecific(key, &key); leave(0); }).join();
}
[[maybe_unused]] static void by_c11_key() {
  static tss_t key;
  tss_create(&key, destroy);
  std::thread([] { tss_set(key, &key); leave(0); }).join();
}
struct AtEnd {
  int value = 0;
  ~AtEnd() { use_plain(); }
};
[[maybe_unused]] static void by_thread_local() {
  std::thread([] { thread_local AtEnd at_end; ++at_end.value; leave(0); }).join();
}
[[maybe_unused]] static void by_quick_exit() {
  at_quick_exit(use_plain);
  quick_exit(0);
}
static void handle(int, siginfo_t *, void *) { use_plain(); }
[[maybe_unused]] static void by_signal() {
  struct sigaction action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
}

int main() {
  leave(0);
  CALL;
}
