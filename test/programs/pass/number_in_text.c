// expect: verdict=verified
// Numbers are read up to the first character that is no part of them; what stands behind that one is another thread's.
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <wchar.h>

static char integers[][8] = {"12,..", "12x..", "0x1g..", "08...", "+7 ..."};
static char reals[][8] = {"1.5 ..", "1e+5,.", "0x1p3g.", "-3'0..", "naN..."};
static wchar_t wide[] = L"12x..";
// No terminator, and nothing of the program's behind it.
static char* endless;
// Another thread's; with a base that there is not, nothing is read and no end told.
static char* other_end;

static void* reader(void* unused) {
  char* end;
  wchar_t* wide_end;
  if (atoi(integers[0]) != 12) abort();
  if (strtol(integers[1], &end, 10) != 12 || end != integers[1] + 2) abort();
  if (strtoul(integers[2], NULL, 0) != 1) abort();
  if (strtoll(integers[3], NULL, 0) != 0) abort();
  if (atol(integers[4]) != 7) abort();
  if (atof(reals[0]) != 1.5) abort();
  if (strtod(reals[1], NULL) != 1e5) abort();
  if (strtof(reals[2], &end) != 8 || *end != 'g') abort();
  if (strtold(reals[3], NULL) != -3) abort();
  strtod(reals[4], &end);
  if (wcstol(wide, &wide_end, 10) != 12) abort();
  if (strtol(integers[0], &other_end, 77) != 0) abort();
  if (strtol(endless, &end, 10) != 12 || *end != ';') abort();
  return unused;
}

int main(void) {
  endless = malloc(3);
  endless[0] = '1', endless[1] = '2', endless[2] = ';';
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  integers[0][3] = integers[1][3] = integers[2][4] = integers[3][2] = integers[4][3] = '5';
  reals[0][4] = reals[1][5] = reals[2][6] = reals[3][3] = reals[4][4] = '5';
  wide[3] = L'5';
  other_end = reals[0];
  pthread_join(thread, NULL);
  free(endless);
}
