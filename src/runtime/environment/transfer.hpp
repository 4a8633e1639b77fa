// Reads and writes of open files.
#pragma once

namespace inspect::runtime {

// A system call that moves bytes, as the program made it.
struct Transfer {
  long number, buffer, size, third, fourth, fifth;  // after the descriptor; of vectors: their address and count
  bool writes, vector, positioned;
};

}  // namespace inspect::runtime
