// expect: verdict=inconclusive assumption=nondet_int
// An input without bounds cannot be enumerated: a few values are tried, and the verdict says that there are more.
int __VERIFIER_nondet_int(void);

int main(void) { return __VERIFIER_nondet_int() == 123456; }
