// Opening files, and moving bytes between descriptors and memory.
#pragma once
#include <sys/types.h>

#include <cstdint>

#include "runtime/environment/descriptors.hpp"
#include "runtime/environment/transfer.hpp"

namespace inspect::runtime {

// open() as a step: a descriptor, or -1 with errno.
int open_path(int directory, const char* path, int flags, mode_t mode, std::uint32_t site);
int close_descriptor(int fd, std::uint32_t site);
// An open file without a name, for reading and writing.
int open_unnamed(std::uint32_t site);
// A step of reading or writing on an open file, at its offset or at a given place.
FileStep content_step(OpenFile& file, Direction direction, Place place, std::uint32_t site);

long transfer(int fd, const Transfer& t, std::uint32_t site);

}  // namespace inspect::runtime
