// Reads and writes of open files.
#pragma once

namespace inspect::runtime {

// A system call that moves bytes, as the program made it.
struct Transfer {
  long number, buffer, size;              // after the descriptor; of vectors: their address and count
  long third = 0, fourth = 0, fifth = 0;  // likewise
  bool writes = false, vector = false, positioned = false;
};
enum class Direction { read, write };
enum class Place { at_offset, given };

}  // namespace inspect::runtime
