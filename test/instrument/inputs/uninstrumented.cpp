int outside(int x) { return x; }
