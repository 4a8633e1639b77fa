// expect: case=get verdict=bug kind=api-misuse cflags=-DGET naive
// expect: case=set verdict=bug kind=api-misuse cflags=-DSET
// expect: case=delete verdict=bug kind=api-misuse cflags=-DDELETE
// expect: case=c11 verdict=bug kind=api-misuse cflags=-DC11
// expect: case=late_get verdict=bug kind=api-misuse cflags="-DGET -DLATE"
// expect: case=late_set verdict=bug kind=api-misuse cflags="-DSET -DLATE"
// expect: case=late_delete verdict=bug kind=api-misuse cflags="-DDELETE -DLATE"
// A key of thread-specific data that is deleted without order to its uses, or used after that. POSIX leaves both undefined.
#define DEFECT
#include "../pass/keys_in_use.c"
