int named(void) { return 2; }
