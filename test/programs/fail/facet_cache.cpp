// expect: verdict=bug kind=data-race
// Threads share a facet of the classic locale, and the place of its result. In pass/facet_cache.cpp each has its own.
#define DEFECT
#include "../pass/facet_cache.cpp"
