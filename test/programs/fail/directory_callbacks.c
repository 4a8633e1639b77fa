// expect: case=select verdict=bug kind=data-race cflags=-DSELECT
// expect: case=order verdict=bug kind=data-race cflags=-DORDER
// expect: case=walk verdict=bug kind=data-race cflags=-DWALK
// expect: case=glob verdict=bug kind=data-race cflags=-DGLOB
// expect: case=result verdict=bug kind=data-race cflags=-DRESULT
// Functions that the library calls while it reads a directory count without order; in pass/directory_callbacks.c under a lock.
#define DEFECT
#include "../pass/directory_callbacks.c"
