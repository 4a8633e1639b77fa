// expect: verdict=bug kind=data-race cflags=-DNUMBER=behind
// expect: case=digit verdict=bug kind=data-race cflags=-DNUMBER=digit
// expect: case=prefix verdict=bug kind=data-race cflags=-DNUMBER=prefix
// expect: case=base verdict=bug kind=data-race cflags=-DNUMBER=base
// expect: case=exponent verdict=bug kind=data-race cflags=-DNUMBER=exponent
// expect: case=word verdict=bug kind=data-race cflags=-DNUMBER=word
// expect: case=no_number verdict=bug kind=data-race cflags=-DNUMBER=no_number
// expect: case=wide verdict=bug kind=data-race cflags=-DNUMBER=wide
// A character that is looked at to read a number, if only to see that the number has ended.
#include <pthread.h>
#include <stdlib.h>
#include <wchar.h>

static char text[8];
static wchar_t wide_text[8];

static void begins(const char* with) {
  for (int i = 0; with[i]; i++) text[i] = with[i];
}

enum { behind, digit, prefix, base, exponent, word, no_number, wide };

static void prepare(void) {
  static const char* const begin[] = {"12,.", "12,.", "0xg.", "zZ:.", "1e+x", "infix", "-.e."};
  if (NUMBER != wide) begins(begin[NUMBER]);
  wide_text[0] = L'1', wide_text[1] = L'x';
}

static void* reader(void* unused) {
  char* end;
  switch (NUMBER) {
    case behind:
    case digit: (void)atoi(text); break;
    case prefix: strtol(text, NULL, 0); break;
    case base: strtoull(text, &end, 36); break;
    case exponent: strtod(text, NULL); break;
    case word: strtof(text, &end); break;
    case no_number: (void)atof(text); break;
    case wide: wcstol(wide_text, NULL, 10); break;
  }
  return unused;
}

int main(void) {
  static const int at[] = {2, 1, 2, 2, 3, 4, 2};
  prepare();
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  if (NUMBER == wide)
    wide_text[1] = L'2';
  else
    text[at[NUMBER]] = '1';
  pthread_join(thread, NULL);
}
