int linked(void) { return 1; }
