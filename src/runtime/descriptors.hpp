// The program's descriptors and the open files behind them (what POSIX calls open file descriptions).
//
// Guarantees: while threads other than main have never existed, numbers are the kernel's (lowest free); later a number is a
// function of the thread and of how many it opened before, and is not used again within an execution (SEMANTICS B.4).
// Descriptors 0, 1, 2 are restored and all others closed after an execution. Standard output and error take everything and give
// nothing back. Deliberately unknown here: names of files, what reading does.
#pragma once
#include <cstdint>

#include "runtime/schedule.hpp"
#include "runtime/world.hpp"

namespace inspect::runtime {

enum class OpenKind : std::uint8_t {
  none,
  file,    // has a content that may change, and an offset
  input,   // standard input: an offset, and a content that nobody changes
  output,  // standard output and error, and what is dup'ed from them
  device,  // /dev/null and the like: no state
  directory,
  pipe_reader,
  pipe_writer,
  socket,    // one end of a socketpair
  event,     // eventfd
  poll_set,  // epoll
  outside    // inherited from another process
};

struct OpenFile {
  OpenKind kind;
  bool nonblocking;          // as the program set it; the kernel's flag is always set for pipes and sockets
  bool adopted;              // opened before main: survives the execution
  std::uint16_t references;  // descriptors
  std::uint16_t object;      // descriptor whose pseudo-address names it
  std::int32_t content;      // of a file: number in the table of contents; -1: none
  std::int32_t flags;        // of open()
  std::uint32_t path;        // of a directory: place in the pool of texts
  std::int64_t offset_at_boot;
};

struct DescriptorTable {
  std::uint16_t open_file[INSPECT_MAX_DESCRIPTORS];  // by descriptor: 1 + number of its open file; 0: not open
  OpenFile files[INSPECT_MAX_DESCRIPTORS];           // numbered by the descriptor that opened them first
  unsigned end;                                      // 1 + highest descriptor in use
  std::uint32_t opened[INSPECT_MAX_THREADS];         // descriptors each thread opened since there are several
  bool numbered;                                     // some thread did
  bool changed_standard;                             // 0, 1 or 2 was closed or replaced
  int saved_input;                                   // a duplicate of 0
  std::int64_t input_offset;                         // of standard input when an execution begins
  bool input_used;
};
inline DescriptorTable& descriptors() { return *reinterpret_cast<DescriptorTable*>(kDescriptors); }

// The open file of a descriptor; null when it is not open. One that was opened before main is adopted.
OpenFile* open_file(int fd);
inline std::uint64_t object_of(const OpenFile& f) { return inspect_descriptor_object(f.object); }

// May the program use this number? Negative: no number is wanted.
bool is_program_descriptor(int fd);
// Takes a descriptor that the kernel has just returned into the program's table under its own number, which is returned.
int add_descriptor(int raw, OpenKind kind, std::int32_t content, int flags, std::uint32_t site);
// Likewise, under the number that the kernel gave it, which was another open file's before.
void add_descriptor_at(int fd, OpenKind kind, std::int32_t content, int flags, std::uint32_t site);
// Another descriptor for the same open file. at: the number wanted, or -1.
int add_duplicate(int raw, OpenFile& file, int at, std::uint32_t site);
// Takes it out of the table; closes it in the kernel unless somebody else did.
void drop_descriptor(int fd, bool close_it);
// Replaces what the kernel has behind every descriptor of an open file.
void replace_behind(const OpenFile& file, int raw);
// A descriptor for the runtime itself, out of the program's way.
int keep_out_of_the_way(int raw);

void boot_descriptors();
void reset_descriptors();

// An operation on files as a step, while there are several threads. Two objects: `object` is read or written as `kind` says,
// `object2` written. Race edges go along both.
class FileStep {
 public:
  FileStep(inspect_kind kind, std::uint64_t object, std::uint64_t object2, std::uint32_t site, Guard guard = nullptr);
  void done(bool failed = false, std::uint64_t result = 0);
  [[nodiscard]] unsigned alternative() const { return alternative_; }

 private:
  bool shared_;
  unsigned alternative_ = 0;
};
// The kernel's result as the C library gives it.
long with_errno(long result);

}  // namespace inspect::runtime
