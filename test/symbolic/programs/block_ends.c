// expect: verdict=bug text="BUG: memory-error: an access outside of every object at block_ends.c:11"
// expect: cflags=-DINSIDE verdict=verified
// A variable is gone when its block has ended.
int main(void) {
  int *p = 0, sum = 0;
  for (int i = 0; i < 2; i++) {
    int local[2] = {i, i};
#ifdef INSIDE
    sum += local[i];
#else
    if (p) sum += *p;
    p = &local[1];
#endif
  }
  return sum == 5;
}
