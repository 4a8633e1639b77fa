// expect: case=destroyed verdict=bug kind=memory-error cflags=-DDESTROYED
// expect: case=destroyed_O0 verdict=bug kind=memory-error cflags="-DDESTROYED -O0" algorithms=optimal
// expect: case=destroyed_O2 verdict=bug kind=memory-error cflags="-DDESTROYED -O2" algorithms=optimal
// expect: case=plain_O0 verdict=bug kind=memory-error cflags="-DPLAIN -O0" algorithms=optimal
// expect: case=plain_O2 verdict=bug kind=memory-error cflags="-DPLAIN -O2" algorithms=optimal
// expect: case=text_O0 verdict=bug kind=memory-error cflags="-DTEXT -O0" algorithms=optimal
// expect: case=text_O2 verdict=bug kind=memory-error cflags="-DTEXT -O2" algorithms=optimal
// expect: case=choice_O0 verdict=bug kind=memory-error cflags="-DCHOICE -O0" algorithms=optimal
// expect: case=choice_O2 verdict=bug kind=memory-error cflags="-DCHOICE -O2" algorithms=optimal
// expect: case=thrown_O0 verdict=bug kind=memory-error cflags="-DTHROWN -O0" algorithms=optimal
// expect: case=thrown_O2 verdict=bug kind=memory-error cflags="-DTHROWN -O2" algorithms=optimal
// expect: case=discarded_O0 verdict=bug kind=memory-error cflags="-DDISCARDED -O0" algorithms=optimal
// expect: case=discarded_O2 verdict=bug kind=memory-error cflags="-DDISCARDED -O2" algorithms=optimal
// An argument of class type lies in the caller, but ends with the statement of the call there, as a result does that nobody takes.
#include <atomic>
#include <cassert>
#include <string>
#include <thread>

static std::atomic<const int*> published;
static std::atomic<const char*> letters;

struct Value {
  int numbers[20] = {};
  explicit Value(int n) { numbers[1] = n; }
  Value(const Value& other) { numbers[1] = other.numbers[1]; }
#ifndef PLAIN
  ~Value() {}
#endif
};

[[gnu::noinline]] static int take(Value value, bool fail) {
  published = &value.numbers[1]; /* ERROR */
  if (fail) throw 1;
  return 1;
}

[[gnu::noinline]] static void take_text(std::string text) { letters = text.c_str(); }

struct Announcer {
  int number = 1;
  Announcer() { published = &number; } /* ERROR */
  ~Announcer() {}
};

static void look() {
  if (const int* number = published) assert(*number > 0); /* ERROR */
  if (const char* text = letters) assert(*text == 'x');   /* ERROR */
}

int main(int argc, char**) {
  std::thread reader(look);
#if defined DESTROYED || defined PLAIN
  take(Value(1), false); /* ERROR */
#elif defined TEXT
  take_text("x"); /* ERROR */
#elif defined CHOICE
  const int taken = argc > 0 ? take(argc > 1 ? Value(2) : Value(1), false) : 0; /* ERROR */
  assert(taken == 1);
#elif defined THROWN
  try {
    take(Value(argc), true); /* ERROR */
  } catch (int) {            /* ERROR */
  }
#else
  Announcer(); /* ERROR */
#endif
  reader.join();
}
