// expect: case=string verdict=verified cflags=-DSTRING
// expect: case=characters verdict=verified cflags=-DCHARACTERS
// expect: case=thrown verdict=verified cflags=-DTHROWN
// expect: case=current verdict=verified cflags=-DCURRENT
// Exceptions take their texts, and pointers to exceptions what is handled, while nobody else uses them.
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

[[maybe_unused]] static std::string words = "a text that is longer than a string holds in itself";
[[maybe_unused]] alignas(std::exception_ptr) static unsigned char memory[sizeof(std::exception_ptr)];

static void work() {
#if defined STRING
  const std::runtime_error error(words);
#elif defined CHARACTERS
  const std::logic_error error(words.c_str());
#elif defined THROWN
  try {
    std::__throw_length_error(words.c_str());
  } catch (const std::length_error&) {
  }
#else
  try {
    throw 1;
  } catch (...) {
    new (memory) std::exception_ptr(std::current_exception());
  }
#endif
}

int main() {
  std::thread thread(work);
#ifndef DEFECT
  thread.join();
#endif
#ifdef CURRENT
  memory[0] = 0;
#else
  words[20] = 'T';
#endif
#ifdef DEFECT
  thread.join();
#endif
}
