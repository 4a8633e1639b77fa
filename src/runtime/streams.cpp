#include "runtime/streams.hpp"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/export.hpp"
#include "runtime/file_names.hpp"
#include "runtime/files.hpp"
#include "runtime/pipes.hpp"
#include "runtime/real.hpp"
#include "runtime/system_call.hpp"

namespace inspect::runtime {
namespace {

// flockfile(): who holds a stream for more than one call.
struct StreamLock {
  const FILE* stream;
  std::uint8_t owner;
  unsigned depth;
};
struct StreamLocks {
  StreamLock locks[64];
  unsigned count;  // entries in use, released ones included
};
StreamLocks& stream_locks() { return *reinterpret_cast<StreamLocks*>(kStreamLocks); }

StreamLock* lock_of(const FILE* stream) {
  StreamLocks& l = stream_locks();
  for (unsigned i = 0; i < l.count; ++i)
    if (l.locks[i].stream == stream) return &l.locks[i];
  return nullptr;
}

bool may_enter(const FILE* stream, std::uint8_t thread) {
  const StreamLock* const lock = lock_of(stream);
  return !lock || !lock->depth || lock->owner == thread;
}
Mask stream_guard(const Thread& t) {
  return may_enter(reinterpret_cast<const FILE*>(t.wait_value), t.id) ? Mask::one(0) : Mask{};
}

FILE* stream_of(unsigned argument, FILE* stream) {
  if (argument == kStandardInput) return stdin;
  if (argument == kStandardOutput) return stdout;
  return stream;
}

// Every open stream at once: fflush(NULL).
void step_on_all(std::uint32_t site) {
  State& s = state();
  if (s.created == 1 || descriptors().end <= 3) return;
  const std::uint64_t low = inspect_descriptor_object(0), high = inspect_descriptor_object(descriptors().end);
  visible(operation(INSPECT_OP_FileOperation, reinterpret_cast<void*>(low), std::uint32_t(high - low), site));
  executed();
}

// A stream in memory (fmemopen): its own object.
void step_on_memory(FILE* stream, std::uint32_t site) {
  FileStep step(INSPECT_OP_FileOperation, reinterpret_cast<std::uint64_t>(stream), 0, site,
                stream_locks().count ? stream_guard : nullptr);
  step.done();
}

}  // namespace

void stream_step(unsigned argument, FILE* stream, StreamEffect effect, std::uint32_t site) {
  State& s = state();
  stream = stream_of(argument, stream);
  if (!stream) return step_on_all(site);
  const int fd = stream->_fileno;
  if (s.standalone && !is_modelled_pipe(fd)) return;
  if (fd < 0) {
    if (s.created > 1) step_on_memory(stream, site);
    return;
  }
  OpenFile* const f = open_file(fd);
  if (!f || f->kind == OpenKind::output || f->kind == OpenKind::device) return;
  if (f->kind == OpenKind::input) descriptors().input_used = s.descriptors_touched = true;
  if (f->kind != OpenKind::file && f->kind != OpenKind::input) report_unsupported("a stream (FILE) on a pipe or socket", site);
  if (s.created == 1) return;
  s.current->wait_value = reinterpret_cast<std::uint64_t>(stream);
  const Guard guard = stream_locks().count ? stream_guard : nullptr;
  const std::uint64_t offset = object_of(*f);
  if (f->content < 0 || effect == StreamEffect::move) {
    FileStep(INSPECT_OP_FileOperation, offset, 0, site, guard).done();
    return;
  }
  const inspect_kind kind = effect == StreamEffect::write ? INSPECT_OP_FileOperation : INSPECT_OP_FileRead;
  FileStep(kind, object_of(content_at(f->content)), offset, site, guard).done();
}

void directory_step(void* directory, std::uint32_t site) {
  if (world_is_real() || !directory) return;
  if (const OpenFile* const f = open_file(dirfd(static_cast<DIR*>(directory))))
    FileStep(INSPECT_OP_FileOperation, object_of(*f), 0, site).done();
}

void reset_streams() { stream_locks().count = 0; }

}  // namespace inspect::runtime

using namespace inspect::runtime;

namespace {

constexpr int kBadMode = -1;

// fopen's mode as flags of open(); kBadMode.
int flags_of(const char* mode) {
  int flags;
  switch (*mode) {
    case 'r':
      flags = O_RDONLY;
      break;
    case 'w':
      flags = O_WRONLY | O_CREAT | O_TRUNC;
      break;
    case 'a':
      flags = O_WRONLY | O_CREAT | O_APPEND;
      break;
    default:
      return kBadMode;
  }
  for (++mode; *mode && *mode != ','; ++mode) {
    if (*mode == '+') flags = (flags & ~O_ACCMODE) | O_RDWR;
    if (*mode == 'x') flags |= O_EXCL;
    if (*mode == 'e') flags |= O_CLOEXEC;
  }
  return flags;
}

FILE* open_stream(const char* path, const char* mode, std::uint32_t site) {
  if (world_is_real()) return real(&RealFunctions::fopen)(path, mode);
  const int flags = flags_of(mode);
  if (flags == kBadMode) return errno = EINVAL, nullptr;
  const int fd = open_path(AT_FDCWD, path, flags, 0666, site);
  if (fd < 0) return nullptr;
  FILE* const stream = real(&RealFunctions::fdopen)(fd, mode);
  if (!stream) close_descriptor(fd, site);
  return stream;
}

// The library opens the file again below /proc, which gives an open file of its own, under the stream's old number.
FILE* reopen_stream(const char* path, const char* mode, FILE* stream, std::uint32_t site) {
  if (world_is_real()) return real(&RealFunctions::freopen)(path, mode, stream);
  const int flags = flags_of(mode);
  if (flags == kBadMode) return errno = EINVAL, nullptr;
  if (!path) report_unsupported("freopen without a path", site);
  stream_step(0, stream, StreamEffect::write, site);
  const int old = stream->_fileno;
  const int fd = open_path(AT_FDCWD, path, flags, 0666, site);
  if (fd < 0) {
    const int error = errno;
    fclose(stream);
    return errno = error, nullptr;
  }
  char link[] = "/proc/self/fd/00000";
  for (int i = 18, n = fd; i >= 14; --i, n /= 10) link[i] = char('0' + n % 10);
  char* digits = link + 14;
  while (*digits == '0' && digits[1]) ++digits;
  memmove(link + 14, digits, strlen(digits) + 1);
  const OpenFile opened = *open_file(fd);
  if (old >= 0) drop_descriptor(old, false);
  FILE* const result = real(&RealFunctions::freopen)(link, *mode == 'w' ? (strchr(mode, '+') ? "r+" : "w") : mode, stream);
  drop_descriptor(fd, true);
  if (!result) report_unsupported("freopen: the library failed", site);
  add_descriptor_at(stream->_fileno, opened.kind, opened.content, opened.flags, site);
  return result;
}

FILE* temporary_stream(std::uint32_t site) {
  if (world_is_real()) return real(&RealFunctions::tmpfile)();
  const int fd = open_unnamed(site);
  return fd < 0 ? nullptr : real(&RealFunctions::fdopen)(fd, "w+");
}

int close_stream(FILE* stream, std::uint32_t site) {
  if (!active() || (state().standalone && !is_modelled_pipe(stream->_fileno))) return real(&RealFunctions::fclose)(stream);
  const int fd = stream->_fileno;
  stream_step(0, stream, StreamEffect::write, site);
  const int result = real(&RealFunctions::fclose)(stream);
  if (fd >= 0) drop_descriptor(fd, false);
  return result;
}

// The library would write by itself; what is printed goes through our write().
int print_to(int fd, const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(nullptr, 0, format, arguments);
  char* const text = length < 0 ? nullptr : static_cast<char*>(malloc(std::size_t(length) + 1));
  if (text) vsnprintf(text, std::size_t(length) + 1, format, again);
  va_end(again);
  const int written = text ? int(write(fd, text, std::size_t(length))) : -1;
  free(text);
  return written;
}

// A step on the lock: dependent on whatever else happens to the stream, which waits for it.
FileStep lock_step(FILE* stream, Guard guard, std::uint32_t site) {
  State& s = state();
  const OpenFile* const f = stream->_fileno >= 0 ? open_file(stream->_fileno) : nullptr;
  const bool output = f && f->kind == OpenKind::output;
  if (output && s.created > 1) assume_text("flockfile on standard output: printing by other threads does not wait for it");
  s.current->wait_value = reinterpret_cast<std::uint64_t>(stream);
  return FileStep(INSPECT_OP_FileOperation, reinterpret_cast<std::uint64_t>(stream), f && !output ? object_of(*f) : 0, site,
                  guard);
}

void take_lock(const FILE* stream, std::uint32_t site) {
  State& s = state();
  StreamLocks& l = stream_locks();
  StreamLock* lock = lock_of(stream);
  if (!lock) {
    if (l.count == sizeof l.locks / sizeof *l.locks) report_limit(INSPECT_LIMIT_MEMORY, "more than 64 locked streams", site);
    lock = &l.locks[l.count++];
    *lock = {stream, 0, 0};
    s.descriptors_touched = true;
  }
  lock->owner = s.current->id;
  ++lock->depth;
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT FILE* fopen(const char* path, const char* mode) { return open_stream(path, mode, SITE); }
INSPECT_EXPORT FILE* fopen64(const char* path, const char* mode) { return open_stream(path, mode, SITE); }
INSPECT_EXPORT FILE* freopen(const char* path, const char* mode, FILE* stream) {
  return reopen_stream(path, mode, stream, SITE);
}
INSPECT_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  return reopen_stream(path, mode, stream, SITE);
}
INSPECT_EXPORT FILE* tmpfile(void) { return temporary_stream(SITE); }
INSPECT_EXPORT FILE* tmpfile64(void) { return temporary_stream(SITE); }
INSPECT_EXPORT int fclose(FILE* stream) { return close_stream(stream, SITE); }

INSPECT_EXPORT int vdprintf(int fd, const char* format, va_list arguments) { return print_to(fd, format, arguments); }
INSPECT_EXPORT int __vdprintf_chk(int fd, int, const char* format, va_list arguments) {
  return print_to(fd, format, arguments);
}
INSPECT_EXPORT int dprintf(int fd, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = print_to(fd, format, arguments);
  va_end(arguments);
  return written;
}
INSPECT_EXPORT int __dprintf_chk(int fd, int, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = print_to(fd, format, arguments);
  va_end(arguments);
  return written;
}

INSPECT_EXPORT void flockfile(FILE* stream) noexcept {
  if (!active()) return;
  FileStep step = lock_step(stream, stream_guard, SITE);
  take_lock(stream, SITE);
  step.done();
}
INSPECT_EXPORT int ftrylockfile(FILE* stream) noexcept {
  if (!active()) return 0;
  FileStep step = lock_step(stream, nullptr, SITE);
  const bool free = may_enter(stream, current_thread());
  if (free) take_lock(stream, SITE);
  step.done(!free);
  return free ? 0 : -1;
}
INSPECT_EXPORT void funlockfile(FILE* stream) noexcept {
  if (!active()) return;
  FileStep step = lock_step(stream, nullptr, SITE);
  StreamLock* const lock = lock_of(stream);
  if (!lock || !lock->depth || lock->owner != current_thread())
    report_bug(INSPECT_BUG_API_MISUSE, "funlockfile of a stream that the thread has not locked", SITE);
  --lock->depth;
  step.done();
}
