// The file system as this execution sees it: the real one, read only, with the execution's changes kept beside it.
//
// Guarantees: the real file system is never changed; a file opened for writing becomes a private copy in memory at that moment,
// also for whoever has it open for reading; every name is looked up among the changes first; all of it is dropped at the end of
// the execution. Paths are canonical: absolute, links resolved, no "." or "..". Deliberately unknown here: descriptors'
// offsets, what is a step.
#pragma once
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>

#include "runtime/environment/descriptors.hpp"
#include "runtime/platform/outside.hpp"

namespace inspect::runtime {

enum class NameKind : std::uint8_t {
  missing,
  file,
  directory,
  link,
  device,      // null, zero, full: no state
  random,      // the kernel's random numbers
  descriptor,  // /dev/fd/N and its like
  other        // what is not modelled
};

// What a file contains.
struct Content {
  int copy;              // descriptor of the private copy; -1: the real file still is the content
  std::uint32_t object;  // its pseudo-address, a function of its name
  std::uint32_t path;    // of the real file
  mode_t mode;
  std::uint32_t links;  // names
  bool timed;           // times were set by the program
  bool mapped;          // into memory: must not change otherwise
  timespec accessed, modified;
};

// A name that this execution changed or opened.
struct NameEntry {
  std::uint64_t hash;
  std::uint32_t path;
  NameKind kind;
  bool fresh;  // a directory that this execution made: nothing real is below it
  std::int32_t content;
  std::uint32_t target;  // of a link
  mode_t mode;           // of a directory
};

inline constexpr std::size_t kPathBytes = 4096;

// The result of looking up a path; lives until the next lookup into the same slot.
struct Found {
  char path[kPathBytes];
  NameKind kind;
  NameEntry* entry;    // null: as the real file system says
  struct stat status;  // of what is real
  int descriptor;      // kind descriptor
  bool parent_fresh;
};

struct FileNames {
  char texts[8 << 20];
  std::uint32_t text_end;
  NameEntry entries[4096];
  unsigned entry_count, changes;  // changes: entries that differ from the real file system
  Content contents[1024];
  unsigned content_count;
  char directory[kPathBytes], directory_at_boot[kPathBytes];
  int directory_descriptor;  // of directory_at_boot
  bool directory_changed;
  mode_t mask, mask_at_boot;
  Found found[3];
  char rest[2 * kPathBytes], spare[2 * kPathBytes];
};
inline FileNames& file_names() { return *reinterpret_cast<FileNames*>(kFileNames); }

// The directory that a call's relative path starts from, used for as long as the call takes.
class DirectoryUse {
 public:
  DirectoryUse(int directory, const char* path, std::uint32_t site);
  ~DirectoryUse() {
    if (file_) end_use(*file_);
  }
  DirectoryUse(const DirectoryUse&) = delete;
  DirectoryUse& operator=(const DirectoryUse&) = delete;
  [[nodiscard]] int number() const { return number_; }  // for find_name

 private:
  OpenFile* file_ = nullptr;
  int number_;
};
// What a lookup of the path depends on: names, where a relative one starts, the mode of what it makes.
Objects names_read(const char* path, bool makes);

// Looks a path up, relative to a directory (the number of its use) or AT_FDCWD. 0 or an error number; a missing last name is no
// error here.
int find_name(int directory, const char* path, bool follow_last, Found& found);
// The slots for lookups.
inline Found& first_found() { return file_names().found[0]; }
inline Found& second_found() { return file_names().found[1]; }
inline Found& adopted_found() { return file_names().found[2]; }  // of files opened before main

std::uint32_t keep_text(const char* text);
inline const char* text_at(std::uint32_t at) { return file_names().texts + at; }

// The entry for a path, made when there is none; kind missing: removed.
NameEntry& change_name(const char* path, NameKind kind);
// Does anything below or in this directory differ from the real file system?
bool directory_changed(const char* path);
// The content behind a found file, made when it is not known yet.
std::int32_t content_of(Found& found);
std::int32_t new_content(const char* path, mode_t mode);
inline Content& content_at(std::int32_t number) { return file_names().contents[number]; }
inline std::uint64_t object_of(const Content& c) { return inspect_content_object(c.object); }
// The pseudo-address of what a path contains, whether it exists or not.
std::uint64_t content_object(const Found& found);
// From here on the content is a private copy. 0 or an error number.
int make_private(std::int32_t content);
// Whoever has the real file open reads the copy from here on, at the same offset.
void redirect_readers(std::int32_t content);
// May the process do this (R_OK, W_OK, X_OK)? 0 or an error number.
int check_permission(const Found& found, int wanted);
// May names be made and removed in the directory of this path? 0 or an error number.
int check_parent(const Found& found);
// A new descriptor of the kernel for the file.
long open_content(std::int32_t content, int flags);
int memory_file(const char* name);

void boot_file_names();
void reset_file_names();

}  // namespace inspect::runtime
