#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/interrupt.hpp"

namespace inspect {
namespace {

Error cannot_write(const std::string& path) { return {"cannot write " + path + ": " + system_reason()}; }

std::optional<Error> write_and_close(int descriptor, const std::string& path, std::string_view text) {
  if (auto error = write_all(descriptor, text)) {
    close(descriptor);
    return Error{"cannot write " + path + ": " + error->message};
  }
  if (close(descriptor) != 0) return cannot_write(path);
  return std::nullopt;
}

// A rename keeps a reader from ever seeing half a file; a link keeps pointing where it did.
struct Replacement {
  std::string target, scratch;
};
Replacement replacement_of(const std::string& path) {
  std::error_code ignored;
  const auto resolved = std::filesystem::weakly_canonical(path, ignored);
  const std::string target = ignored ? path : resolved.string();
  return {target, target + ".part" + std::to_string(getpid())};
}

}  // namespace

bool is_regular_or_absent(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

int create_anew(const std::string& path) {
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const int descriptor = open(path.c_str(), kNew, 0666);
  if (descriptor >= 0 || errno != EEXIST || unlink(path.c_str())) return descriptor;
  return open(path.c_str(), kNew, 0666);
}

std::string system_reason() { return std::strerror(errno); }

Result<std::string> read_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return Error{"cannot read " + path + ": " + system_reason()};
  std::string text;
  char buffer[65536];
  ssize_t n;
  while ((n = read(descriptor, buffer, sizeof buffer)) > 0) text.append(buffer, static_cast<std::size_t>(n));
  Error failure{"cannot read " + path + ": " + system_reason()};
  close(descriptor);
  if (n < 0) return failure;
  return text;
}

std::optional<Error> write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Error{system_reason()};
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return std::nullopt;
}

std::optional<Error> write_file(const std::string& path, std::string_view text) {
  if (!is_regular_or_absent(path)) {
    const int device = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    return device < 0 ? cannot_write(path) : write_and_close(device, path, text);
  }
  const auto [target, scratch] = replacement_of(path);
  const int descriptor = create_anew(scratch);
  if (descriptor < 0) return cannot_write(path);
  auto error = write_and_close(descriptor, path, text);
  if (!error && rename(scratch.c_str(), target.c_str()) != 0) error = cannot_write(path);
  if (error) unlink(scratch.c_str());
  return error;
}

std::optional<Error> probe_writable(const std::string& path) {
  const bool exists = access(path.c_str(), F_OK) == 0;  // if not, none may be seen there before it has been written
  const std::string probed = exists ? path : replacement_of(path).scratch;
  const int descriptor = exists ? open(probed.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK) : create_anew(probed);
  if (descriptor < 0) return cannot_write(path);
  close(descriptor);
  if (!exists) unlink(probed.c_str());
  return std::nullopt;
}

Result<std::unique_ptr<TemporaryFolder>> TemporaryFolder::create() {
  const char* base = std::getenv("TMPDIR");
  std::string path = std::string(base && *base ? base : "/tmp") + "/inspect-XXXXXX";
  if (!mkdtemp(path.data()))
    return Error{"cannot create a folder below " + path.substr(0, path.rfind('/')) + ": " + system_reason()};
  remove_at_exit(path);
  return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(path));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  remove_at_exit("");
}

}  // namespace inspect
