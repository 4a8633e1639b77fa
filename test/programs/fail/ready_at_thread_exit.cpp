// expect: case=promise verdict=bug kind=data-race cflags=-DPROMISE
// expect: case=task verdict=bug kind=data-race cflags=-DTASK
// expect: case=notify verdict=bug kind=data-race cflags=-DNOTIFY
// Nobody waits until the thread_local objects of a thread have ended. In pass/ready_at_thread_exit.cpp somebody does.
#define DEFECT
#include "../pass/ready_at_thread_exit.cpp"
