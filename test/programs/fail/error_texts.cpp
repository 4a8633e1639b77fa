// expect: case=string verdict=bug kind=data-race cflags=-DSTRING
// expect: case=characters verdict=bug kind=data-race cflags=-DCHARACTERS
// expect: case=thrown verdict=bug kind=data-race cflags=-DTHROWN
// expect: case=current verdict=bug kind=data-race cflags=-DCURRENT
// Texts of exceptions change while the exceptions take them. In pass/error_texts.cpp afterwards.
#define DEFECT
#include "../pass/error_texts.cpp"
