// expect: verdict=verified
// expect: case=optimised verdict=verified cflags=-O2
// Threads share a facet of the classic locale, which keeps what it found.
#include <locale>
#include <thread>

static const auto& facet = std::use_facet<std::ctype<char>>(std::locale::classic());
#ifdef DEFECT
static char narrow;
#endif

static void work() {
#ifndef DEFECT
  char narrow;
#endif
  narrow = facet.narrow('x', '?');
  if (narrow != 'x' || facet.widen('y') != 'y') throw narrow;
}

int main() {
  std::thread thread(work);
  work();
  thread.join();
}
