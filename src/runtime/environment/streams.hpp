// The C library's streams (FILE) as objects of threads: their operations are steps on the open file below (SEMANTICS G).
//
// Guarantees: two threads' operations on streams of one open file are dependent; a stream locked by flockfile is entered by its
// owner only. Output to standard output and error is no scheduling point: the order of its lines steers no program, and it is
// discarded anyway.
#pragma once
#include <stdio.h>

#include <cstdint>

namespace inspect::runtime {

struct Thread;

enum class StreamEffect : std::uint8_t {
  read,   // of the content
  write,  // of the content
  move,   // position, flags, buffer
  watch   // likewise, and tells what other threads have printed
};
// In place of an argument's number, when the stream is not among the arguments.
inline constexpr unsigned kStandardInput = 16, kStandardOutput = 17, kStandardError = 18;

struct StreamCaller {
  bool locks;      // takes the stream's lock
  bool unguarded;  // uses the buffer without it
  std::uint32_t site;
};

// What a library function on a stream is about to do: waits for its turn, if it takes the stream's lock. Who does not, and uses
// the buffer, races with all others that nothing else orders. A null stream means all of them.
void stream_step(unsigned argument, FILE* stream, StreamEffect effect, StreamCaller by);
// Likewise for a function on an open directory (DIR).
void directory_step(void* directory, std::uint32_t site);
// The end of an open directory and of its number; close: the library's part.
int close_directory(void* directory, std::uint32_t site);
void reset_streams();
void reset_directories();

}  // namespace inspect::runtime
