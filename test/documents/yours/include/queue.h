// A queue of numbers for two threads; as small as it may be with -DSMALL.
#pragma once
#ifdef SMALL
enum { kRoom = 1 };
#else
enum { kRoom = 2 };
#endif
void put(int value);
int get(void);
