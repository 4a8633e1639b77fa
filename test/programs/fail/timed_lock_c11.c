// expect: verdict=bug kind=api-misuse cflags=-DTYPE=mtx_plain
// expect: case=recursive verdict=bug kind=api-misuse cflags=-DTYPE="(mtx_plain|mtx_recursive)"
// A timed lock of a C11 mutex that was not made mtx_timed, which C leaves undefined.
#include "../pass/timed_lock_c11.c"
