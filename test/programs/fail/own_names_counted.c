// expect: verdict=bug kind=data-race cflags=-fno-builtin sources=../parts/own_names_counted.c naive
// expect: case=pruned verdict=bug kind=data-race algorithms=pdp cflags=-fno-builtin sources=../parts/own_names_counted.c
// expect: case=option verdict=bug kind=data-race cflags="-fno-builtin -DOPTION" sources=../parts/own_names_counted.c
// Functions by names of the library's that another source file defines, and that count their calls without order. In
// pass/own_names_counted.c they do so under a lock.
#define DEFECT
#include "../pass/own_names_counted.c"
