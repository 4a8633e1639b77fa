// How the runtime's replacements of library functions are declared: C linkage, visible to the libraries.
#pragma once
#define INSPECT_EXPORT extern "C" __attribute__((visibility("default"), used))
