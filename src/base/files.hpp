// Files that inspect writes, and the temporary folder it builds in.
//
// Guarantees: a target that cannot be opened is refused before any work; a failed write is an error with the system's reason;
// schedule files appear whole or not at all; the folder is gone at the end.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace inspect {

[[nodiscard]] bool is_regular_or_absent(const std::string& path);

// A new file for writing, never one that is there already, or that a link there points to; -1: errno says why.
int create_anew(const std::string& path);

// Message of errno, for errors that read "cannot …: No space left on device".
std::string system_reason();

Result<std::string> read_file(const std::string& path);

// Writes everything to a descriptor; nullopt on success.
std::optional<Error> write_all(int descriptor, std::string_view text);

// Replaces the file by its new content in one step; devices and pipes are written to directly.
std::optional<Error> write_file(const std::string& path, std::string_view text);

// Whether write_file could create or replace the file; leaves no trace.
std::optional<Error> probe_writable(const std::string& path);

class TemporaryFolder {
 public:
  static Result<std::unique_ptr<TemporaryFolder>> create();  // below $TMPDIR, else /tmp
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace inspect
