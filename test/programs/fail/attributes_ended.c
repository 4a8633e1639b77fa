// expect: case=mutex verdict=bug kind=api-misuse cflags=-DMUTEX
// expect: case=condition verdict=bug kind=api-misuse cflags=-DCONDITION
// expect: case=rwlock verdict=bug kind=api-misuse cflags=-DRWLOCK
// expect: case=barrier verdict=bug kind=api-misuse cflags=-DBARRIER
// expect: case=thread verdict=bug kind=api-misuse cflags=-DTHREAD
// expect: case=mutex_never verdict=bug kind=api-misuse cflags="-DMUTEX -DNEVER"
// expect: case=condition_never verdict=bug kind=api-misuse cflags="-DCONDITION -DNEVER"
// expect: case=rwlock_never verdict=bug kind=api-misuse cflags="-DRWLOCK -DNEVER"
// expect: case=barrier_never verdict=bug kind=api-misuse cflags="-DBARRIER -DNEVER"
// expect: case=thread_never verdict=bug kind=api-misuse cflags="-DTHREAD -DNEVER"
// expect: case=static_never verdict=bug kind=api-misuse cflags="-DMUTEX -DNEVER -DWHERE=static"
// expect: case=static_thread verdict=bug kind=api-misuse cflags="-DTHREAD -DNEVER -DWHERE=static"
// Attributes that were destroyed, or never initialised. In pass/attributes_ended.c they are used in time.
#define DEFECT
#include "../pass/attributes_ended.c"
