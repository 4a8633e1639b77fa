// The program's descriptors and the open files behind them (what POSIX calls open file descriptions).
//
// Guarantees: numbers are the kernel's, the lowest free; a call uses the open file that it found behind a number until it
// returns, whatever other threads do to the number meanwhile. Descriptors 0, 1, 2 and those opened before main are restored and
// all others closed after an execution. Standard output and error take everything and give nothing back. Deliberately unknown
// here: names of files, what reading does.
#pragma once
#include <cstdint>

#include "runtime/platform/outside.hpp"
#include "runtime/upcalls/points.hpp"

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
  bool parked;               // its last number is gone, and a call still uses it: `raw` is out of the program's way
  std::uint16_t references;  // descriptors
  std::uint16_t uses;        // calls under way
  std::uint16_t object;      // number of its pseudo-address
  std::int32_t raw;          // a descriptor of the kernel for it; -1: none
  std::int32_t content;      // of a file: number in the table of contents; -1: none
  std::int32_t flags;        // of open()
  std::uint32_t path;        // of a directory: place in the pool of texts
  std::uint32_t page_end;    // of a pipe's end for writing: bytes of its last page behind which there is room
};

// How an operation's footprint follows from the table of descriptors, for a thread that has announced it and waits.
struct Labeller {
  void (*label)(const void* argument, Operation& operation);  // null: it does not depend on the table
  const void* argument;
};

// An open file that the program's constructors made: what an execution finds.
struct AdoptedFile {
  int fd, saved;  // saved: the runtime's duplicate
  OpenKind kind;
  std::int32_t flags;
  std::int64_t offset;
};
inline constexpr unsigned kMostAdopted = 64;

struct DescriptorTable {
  std::uint16_t open_file[INSPECT_MAX_DESCRIPTORS];  // by descriptor: 1 + number of its open file; 0: not open
  OpenFile files[INSPECT_MAX_OPEN_FILES];            // numbered by the descriptor that opened them first, if it is free
  unsigned end;                                      // 1 + highest descriptor in use
  unsigned files_end;                                // likewise, of open files
  Labeller labellers[INSPECT_MAX_THREADS];
  Mask labelled;                           // threads that have one
  bool changed;                            // since the labels were made
  int unnumbered[INSPECT_MAX_THREADS][2];  // 1 + a descriptor of the kernel that waits for its number; 0: none
  bool changed_standard;                   // 0, 1 or 2 was closed or replaced
  int saved_input;                         // a duplicate of 0
  std::int64_t input_offset;               // of standard input when an execution begins
  bool input_used;
  bool inherited[INSPECT_MAX_DESCRIPTORS];  // open before anything of the program ran
  AdoptedFile adopted[kMostAdopted];
  unsigned adopted_count;
};
inline DescriptorTable& descriptors() { return *reinterpret_cast<DescriptorTable*>(kDescriptors); }

// The open file of a descriptor; null when it is not open.
OpenFile* open_file(int fd);
inline std::uint64_t object_of(const OpenFile& f) { return inspect_open_file_object(f.object); }

// May the program use this number?
bool is_program_descriptor(int fd);
// Takes a descriptor that the kernel has just returned into the program's table under the lowest free number from `least` on,
// which is returned: a step, while there are several threads.
int add_descriptor(int raw, OpenKind kind, std::int32_t content, int flags, std::uint32_t site);
int add_duplicate(int raw, OpenFile& file, int least, std::uint32_t site);
// While other threads may run before that: out of the way of their numbers. Returns where it is now.
int set_aside(int raw);
// Enters what the kernel has opened under this number; a file that was there is gone.
void add_descriptor_at(int fd, OpenKind kind, std::int32_t content, int flags, std::uint32_t site);
void add_duplicate_at(int fd, OpenFile& file);
// Takes it out of the table; closes it in the kernel unless somebody else does.
void drop_descriptor(int fd, bool close_it);
// To be called before the kernel puts something else under this number: calls under way keep what is there.
void before_replacing(int fd);
// Replaces what the kernel has behind every descriptor of an open file.
void replace_behind(const OpenFile& file, int raw);
// A descriptor for the runtime itself, out of the program's way.
int keep_out_of_the_way(int raw);
// Something that labels follow from has changed.
inline void labels_changed() { descriptors().changed = true; }

// Finds what a file that was opened before main contains, at its first use in an execution.
void adopt_file(OpenFile& file, const AdoptedFile& adopted);
// Before anything of the program runs; at boot; after each execution.
void note_inherited_descriptors();
void boot_descriptors();
void reset_descriptors();

// A range of pseudo-addresses: one object, or what several have in common.
struct Objects {
  std::uint64_t at = 0;
  std::uint32_t size = 0;
  std::uint64_t edge = 0;  // whose clock carries race edges
  Objects() = default;
  Objects(std::uint64_t object) : at(object), size(object ? 64 : 0), edge(object) {}
  Objects(std::uint64_t object, std::uint32_t bytes, std::uint64_t ordered) : at(object), size(bytes), edge(ordered) {}
};
// The smallest range that covers both: whatever else lies in it only makes more operations dependent.
Objects hull(const Objects& a, const Objects& b);
inline Objects number_objects(int first, int last) {
  return {inspect_number_object(unsigned(first)), std::uint32_t(last - first + 1) * INSPECT_NUMBER_BYTES, 0};
}
inline Objects descriptor_objects(int fd) { return {inspect_descriptor_object(unsigned(fd)), 64, 0}; }
// What a call changes that works on the open file behind this number without holding it.
Objects whole_descriptor(int fd);

inline bool several_threads() { return active() && state().execution.created > 1; }

// An operation on files as a step, while there are several threads. Two objects: `object` is read or written as `kind` says,
// `object2` written. Race edges go along both.
class FileStep {
 public:
  FileStep(inspect_kind kind, Objects object, Objects object2, std::uint32_t site, Guard guard = nullptr,
           Labeller labeller = {});
  void done(bool failed = false, std::uint64_t result = 0);
  // As done(), when another footprint has turned out to be enough.
  void done_as(inspect_kind kind, Objects object, Objects object2);
  [[nodiscard]] unsigned alternative() const { return alternative_; }

 private:
  bool shared_;
  std::uint32_t site_;
  unsigned alternative_ = 0;
};

// A call's use of the open file behind a descriptor: looked up as a step of its own, as the kernel does, and kept until the
// call returns. False: the number is not open, and errno says so.
class FileUse {
 public:
  FileUse(int fd, std::uint32_t site);
  ~FileUse();
  FileUse(const FileUse&) = delete;
  FileUse& operator=(const FileUse&) = delete;
  explicit operator bool() const { return file_; }
  OpenFile* operator->() const { return file_; }
  OpenFile& operator*() const { return *file_; }
  [[nodiscard]] int raw() const { return file_->raw; }

 private:
  OpenFile* file_;
};
void begin_use(OpenFile& file);
void end_use(OpenFile& file);
// Race edges along an object.
void order_along(std::uint64_t object, bool gives);

// Printing is no step as long as nothing that a program does depends on its order. Where someone changes or watches where it
// goes (the descriptor, the stream) without being ordered with it by synchronisation, it becomes one: the search starts again.
// A change is a step anyway.
enum class OutputUse : std::uint8_t { print, watch, change };
void use_output(int fd, OutputUse use, std::uint32_t site);
// The kernel's result as the C library gives it.
long with_errno(long result);

}  // namespace inspect::runtime
