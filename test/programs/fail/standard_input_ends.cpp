// expect: verdict=bug kind=data-race
// A thread clears the state of the standard input, which is no input function, while another reads.
#define DEFECT
#include "../pass/standard_input_ends.cpp"
