// expect: verdict=unsupported reason=system
// What is not modelled is named, never passed over.
#include <stdlib.h>

int main(void) { return system("true"); }
