#include "runtime/environment/streams.hpp"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/environment/file_names.hpp"
#include "runtime/environment/files.hpp"
#include "runtime/environment/library_actions.hpp"
#include "runtime/environment/pipes.hpp"
#include "runtime/memory/arena.hpp"
#include "runtime/memory/liveness.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/uncovered.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/real.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/stream_questions.hpp"
#include "runtime/upcalls/unsafe_calls.hpp"

extern "C" {
// The library's streams themselves: the program may assign to stdout.
extern FILE standard_in asm("_IO_2_1_stdin_");
extern FILE standard_out asm("_IO_2_1_stdout_");
extern FILE standard_error asm("_IO_2_1_stderr_");
}

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
  MemoryStream in_memory[64];
  unsigned in_memory_count;  // closed ones included
  TextStream texts[64];
  unsigned text_count;  // likewise
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
  return may_enter(reinterpret_cast<const FILE*>(t.wait.value), t.id) ? Mask::one(0) : Mask{};
}

// A standard stream that was closed has its number still, as far as others are concerned that find it open.
int number_of(FILE* stream) {
  FILE* const standard[3] = {&standard_in, &standard_out, &standard_error};
  for (int i = 0; i < 3; ++i)
    if (stream == standard[i] && stream->_fileno < 0) return i;
  return stream->_fileno;
}

FILE* stream_of(unsigned argument, FILE* stream) {
  if (argument == kStandardInput) return stdin;
  if (argument == kStandardOutput) return stdout;
  if (argument == kStandardError) return stderr;
  return stream;
}

// Another thread may lock the stream between the announcement of a step and the step.
Guard guard_of(bool locks) { return locks && (several_threads() || stream_locks().count) ? stream_guard : nullptr; }
Mask all_streams_guard(const Thread& t) {
  const StreamLocks& l = stream_locks();
  for (unsigned i = 0; i < l.count; ++i)
    if (l.locks[i].depth && l.locks[i].owner != t.id) return {};
  return Mask::one(0);
}

}  // namespace

bool waits_for_stream(const Thread& t) { return t.guard == stream_guard || t.guard == all_streams_guard; }

namespace {

// Every open stream at once (fflush(NULL)): what all descriptors stand for, and what all files contain. It takes each one's
// lock.
void step_on_all(std::uint32_t site) {
  if (!several_threads()) return;
  const Objects files = hull(inspect_descriptor_object(3), inspect_open_file_object(INSPECT_MAX_OPEN_FILES - 1));
  const Objects contents = hull(inspect_content_object(0), inspect_content_object(INSPECT_MAX_CONTENTS - 1));
  FileStep(INSPECT_OP_FileOperation, {files.at, files.size, 0}, {contents.at, contents.size, 0}, site, all_streams_guard)
      .done();
}

// A stream in memory (fmemopen): all of them are one object.
void step_on_memory(FILE* stream, bool locks, std::uint32_t site) {
  state().current->wait.value = reinterpret_cast<std::uint64_t>(stream);
  FileStep(INSPECT_OP_FileOperation, INSPECT_MEMORY_STREAMS_OBJECT, {}, site, guard_of(locks)).done();
}

// A call on a stream, from its announcement to its step.
struct StreamCall {
  int fd;
  StreamEffect effect;
};

// The library works by number: on the descriptor, the open file behind it, where it keeps what it has read and not yet given
// out too, and on what that contains.
void stream_label(const void* argument, Operation& o) {
  const auto& call = *static_cast<const StreamCall*>(argument);
  const OpenFile* const f = open_file(call.fd);
  const bool moves = call.effect == StreamEffect::move || !f || f->content < 0;
  const Objects object = moves ? Objects() : Objects(object_of(content_at(f->content)));
  const Objects kept = whole_descriptor(call.fd);
  o.kind = moves || call.effect == StreamEffect::write ? INSPECT_OP_FileOperation : INSPECT_OP_FileRead;
  o.object = object.at;
  o.size = object.size;
  o.object2 = kept.at;
  o.size2 = kept.size;
}

void check_kind(OpenFile* f, std::uint32_t site) {
  if (f && f->kind == OpenKind::input) descriptors().input_used = state().descriptors_touched = true;
  if (f && f->kind != OpenKind::file && f->kind != OpenKind::input && f->kind != OpenKind::device)
    report_unsupported("a stream (FILE) on a pipe or socket", site);
}

// Flags and pointers into the buffer, which functions that the header defines use in place.
constexpr std::size_t kBufferFields = offsetof(FILE, _IO_save_base);

bool is_standard(const void* stream) { return stream == stdin || stream == stdout || stream == stderr; }

// Was it closed?
void require_alive(const FILE* stream, std::uint32_t site) {
  const auto address = reinterpret_cast<std::uintptr_t>(stream);
  if (is_standard(stream) || address - kArenaBase >= kArenaBytes) return;
  if (check_access(address, sizeof *stream) != MemoryFault::none) report_dead_access(address, sizeof *stream, true, site);
}

// A stream is memory: its owner gives it back when it is closed.
void touch_stream(const void* stream, std::size_t size, std::uint32_t site) {
  const auto address = reinterpret_cast<std::uintptr_t>(stream);
  if (address - kArenaBase >= kArenaBytes && !is_standard(stream)) return;
  if (!is_standard(stream) && check_access(address, size) != MemoryFault::none) report_dead_access(address, size, true, site);
  if (!state().recording) return;
  const std::size_t used = size < kBufferFields ? size : kBufferFields;
  never_a_point(address, used);
  if (!race_object_access(current_thread(), address, used, true, site)) report_race();
}

// Of __fsetlocking(FSETLOCKING_BYCALLER), in _flags.
constexpr int kLockedByCaller = 0x8000;

// What a stream in memory writes: from where it stands on, in the block that the last flush told the program of.
void touch_written_text(const FILE* stream, std::uint32_t site) {
  const MemoryStream* const memory = find_memory_stream(stream);
  if (!memory || !state().recording) return;
  const bool wide = memory->unit != 1;
  const char* const place = wide ? *memory->text + *memory->size * memory->unit : stream->_IO_write_ptr;
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  const std::size_t size = wide ? memory->unit : std::size_t(stream->_IO_buf_end - place);
  if (!size || check_access(address, size) != MemoryFault::none) return;  // no block yet, or one that the program gave back
  never_a_point(address, size);
  if (!race_object_access(current_thread(), address, size, true, site)) report_race();
}

// After a step. Who takes the stream's lock comes after whoever gave it back.
void touch_under_lock(const FILE* stream, bool locks, StreamEffect effect, std::uint32_t site) {
  const auto lock = reinterpret_cast<std::uint64_t>(stream);  // as lock_step names it
  if (locks) race_acquire(current_thread(), lock), state().current->stream_call = state().execution.opened + 1;
  touch_stream(stream, sizeof *stream, site);
  if (effect == StreamEffect::write) touch_written_text(stream, site);
  if (locks) race_release(current_thread(), lock);
}

// A plain access where touch_stream has one that goes with its like.
void touch_buffer(const FILE* stream, bool write, std::uint32_t site) { access_for_call(stream, kBufferFields, write, site); }

// What a stream in memory reads.
void touch_text_of(const void* stream, std::uint32_t site) {
  const StreamLocks& l = stream_locks();
  for (unsigned i = 0; i < l.text_count; ++i) {
    const TextStream& text = l.texts[i];
    if (text.stream != stream) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(text.text);
    if (check_access(address, text.size) != MemoryFault::none) report_dead_access(address, text.size, false, site);
    if (!state().recording) return;
    never_a_point(address, text.size);
    if (!race_access_strict(current_thread(), address, text.size, false, site)) report_race();
  }
}

// The step of a call on a stream with a descriptor.
void step_on_file(FILE* stream, int fd, StreamEffect effect, bool locks, std::uint32_t site) {
  State& s = state();
  s.current->wait.value = reinterpret_cast<std::uint64_t>(stream);
  const StreamCall call{fd, effect};
  FileStep step(INSPECT_OP_FileOperation, {}, {}, site, guard_of(locks), {stream_label, &call});
  OpenFile* const f = open_file(fd);
  if (f && f->content >= 0 && effect != StreamEffect::move)
    order_along(object_of(content_at(f->content)), effect == StreamEffect::write);
  if (f) order_along(object_of(*f), true);
  step.done();
}

// Standard streams that a program has locked (flockfile) while it had several threads: from then on whoever prints waits for
// it.
alignas(8) char lockable_outputs[3][8];

std::uintptr_t lockable_output(int fd) { return reinterpret_cast<std::uintptr_t>(lockable_outputs[fd]); }
bool is_lockable_output(int fd) { return unsigned(fd) < 3 && is_made_shared(lockable_output(fd)); }

void step_on_output(const FILE* stream, int fd, std::uint32_t site) {
  state().current->wait.value = reinterpret_cast<std::uint64_t>(stream);
  FileStep(INSPECT_OP_FileOperation, reinterpret_cast<std::uint64_t>(stream), descriptor_objects(fd), site, stream_guard)
      .done();
}

// glibc flushes stdout, under its lock, before it fills the buffer of an input that is unbuffered or line-buffered.
bool flushes_output(const FILE* stream, StreamEffect effect) {
  constexpr int kUnbuffered = 2, kLineBuffered = 0x200;
  return effect == StreamEffect::read && stream->_flags & (kUnbuffered | kLineBuffered) &&
         stream->_IO_read_ptr >= stream->_IO_read_end;
}

}  // namespace

void stream_step(unsigned argument, FILE* stream, StreamEffect effect, StreamCaller by) {
  State& s = state();
  const std::uint32_t site = by.site;
  if (argument == kStandardOutput) access_for_call(&stdout, sizeof stdout, false, site);
  if (argument == kStandardError) access_for_call(&stderr, sizeof stderr, false, site);
  if (argument == kStandardInput) access_for_call(&stdin, sizeof stdin, false, site);
  stream = stream_of(argument, stream);
  if (!stream) return step_on_all(site);
  require_alive(stream, site);
  if (by.locks && stream->_flags & kLockedByCaller) by = {false, true, site};
  if (!by.locks) touch_stream(stream, sizeof *stream, site);
  if (by.unguarded) touch_buffer(stream, effect != StreamEffect::move, site);
  if (s.execution.created > 1 && is_lockable_output(1) && flushes_output(stream, effect)) step_on_output(stdout, 1, site);
  const int fd = number_of(stream);
  if (s.standalone && !is_modelled_pipe(fd)) return;
  if (unsigned(fd) >= INSPECT_MAX_DESCRIPTORS) {
    if (s.execution.created > 1) step_on_memory(stream, by.locks, site);
    touch_under_lock(stream, by.locks, effect, site);
    return touch_text_of(stream, site);
  }
  const OpenFile* f = open_file(fd);
  if (f && f->kind == OpenKind::output) {
    const bool locks = s.execution.created > 1 && by.locks && is_lockable_output(fd);
    if (locks) step_on_output(stream, fd, site);
    touch_under_lock(stream, locks, effect,
                     site);  // without a step, the order of two calls is not explored: it orders nothing else
    use_output(fd, effect == StreamEffect::watch ? OutputUse::watch : OutputUse::print, site);
    f = open_file(fd);
    if (f && f->kind == OpenKind::output) return;
  }
  if (s.execution.created > 1)
    step_on_file(stream, fd, effect == StreamEffect::watch ? StreamEffect::move : effect, by.locks, site);
  touch_under_lock(stream, by.locks, effect, site);  // another thread may have closed it meanwhile
  check_kind(open_file(fd), site);
}

void directory_step(void* directory, std::uint32_t site) {
  if (environment_is_real() || !directory) return;
  enter_unsafe_call("a call on an open directory", site);
  touch_stream(directory, 4, site);
  const StreamCall call{dirfd(static_cast<DIR*>(directory)), StreamEffect::move};
  if (unsigned(call.fd) >= INSPECT_MAX_DESCRIPTORS) return;
  FileStep step(INSPECT_OP_FileOperation, {}, {}, site, nullptr, {stream_label, &call});
  if (const OpenFile* const f = open_file(call.fd)) order_along(object_of(*f), true);
  step.done();
  touch_stream(directory, 4, site);
}

namespace {

// The end of a stream or directory: of its number too.
void closing_label(const void* argument, Operation& o) {
  const Objects closed = whole_descriptor(*static_cast<const int*>(argument));
  o.object = closed.at;
  o.size = closed.size;
}

}  // namespace

int close_directory(void* directory, std::uint32_t site) {
  DIR* const d = static_cast<DIR*>(directory);
  touch_stream(directory, 4, site);
  const int fd = dirfd(d);
  if (environment_is_real() || unsigned(fd) >= INSPECT_MAX_DESCRIPTORS) return real(&RealFunctions::closedir)(d);
  FileStep step(INSPECT_OP_FileOperation, {}, number_objects(fd, fd), site, nullptr, {closing_label, &fd});
  touch_stream(directory, 4, site);
  if (const OpenFile* const f = open_file(fd)) order_along(object_of(*f), true);
  before_replacing(fd);
  drop_descriptor(fd, false);
  step.done();
  return real(&RealFunctions::closedir)(d);  // likewise
}

void begin_memory_stream(const MemoryStream& stream, const void* site) {
  StreamLocks& l = stream_locks();
  if (!active() || l.in_memory_count == sizeof l.in_memory / sizeof *l.in_memory)
    return keep_uncovered("a stream in memory", nullptr, static_cast<const inspect_site*>(site));
  l.in_memory[l.in_memory_count++] = stream;
  state().descriptors_touched = true;
}

void begin_text_stream(const TextStream& stream, const void* site) {
  StreamLocks& l = stream_locks();
  if (!active() || l.text_count == sizeof l.texts / sizeof *l.texts)
    return keep_uncovered("a stream in memory", nullptr, static_cast<const inspect_site*>(site));
  l.texts[l.text_count++] = stream;
  state().descriptors_touched = true;
}

const MemoryStream* find_memory_stream(const void* stream) {
  const StreamLocks& l = stream_locks();
  for (unsigned i = 0; i < l.in_memory_count; ++i)
    if (l.in_memory[i].stream == stream) return &l.in_memory[i];
  return nullptr;
}

void reset_streams() { stream_locks().count = stream_locks().in_memory_count = stream_locks().text_count = 0; }

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
  if (environment_is_real()) return real(&RealFunctions::fopen)(path, mode);
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
  if (environment_is_real()) return real(&RealFunctions::freopen)(path, mode, stream);
  const int flags = flags_of(mode);
  if (flags == kBadMode) return errno = EINVAL, nullptr;
  if (!path) report_unsupported("freopen without a path", site);
  stream_step(0, stream, StreamEffect::write, {true, false, site});
  const int old = stream->_fileno;
  if (const OpenFile* const f = open_file(old); f && f->kind == OpenKind::output) use_output(old, OutputUse::change, site);
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
  // The two numbers, whatever lies between them, and that the new one is free again.
  const Objects numbers = hull(whole_descriptor(fd), old >= 0 ? whole_descriptor(old) : Objects());
  FileStep step(INSPECT_OP_FileOperation, numbers, number_objects(fd, fd), site);
  if (old >= 0) drop_descriptor(old, false);
  FILE* const result = real(&RealFunctions::freopen)(link, *mode == 'w' ? (strchr(mode, '+') ? "r+" : "w") : mode, stream);
  drop_descriptor(fd, true);
  if (!result) report_unsupported("freopen: the library failed", site);
  add_descriptor_at(stream->_fileno, opened.kind, opened.content, opened.flags, site);
  step.done();
  return result;
}

FILE* temporary_stream(std::uint32_t site) {
  if (environment_is_real()) return real(&RealFunctions::tmpfile)();
  const int fd = open_unnamed(site);
  return fd < 0 ? nullptr : real(&RealFunctions::fdopen)(fd, "w+");
}

int close_stream(FILE* stream, std::uint32_t site) {
  if (!active() || (state().standalone && !is_modelled_pipe(stream->_fileno))) return real(&RealFunctions::fclose)(stream);
  const int fd = stream->_fileno;
  stream_step(0, stream, StreamEffect::write, {true, false, site});
  if (unsigned(fd) >= INSPECT_MAX_DESCRIPTORS) return real(&RealFunctions::fclose)(stream);
  if (const OpenFile* const f = open_file(fd); f && f->kind == OpenKind::output) use_output(fd, OutputUse::change, site);
  // As part of the step just taken: it writes the content.
  const int flushed = real(&RealFunctions::__fpending)(stream) ? real(&RealFunctions::fflush)(stream) : 0;
  const int error = errno;
  FileStep step(INSPECT_OP_FileOperation, {}, number_objects(fd, fd), site, nullptr, {closing_label, &fd});
  touch_stream(stream, sizeof *stream, site);
  const Objects closed = whole_descriptor(fd);
  if (closed.edge) order_along(closed.edge, true);
  before_replacing(fd);
  const bool late = real(&RealFunctions::__fpending)(stream);  // another thread has written to it meanwhile
  drop_descriptor(fd, false);
  const Objects contents = hull(inspect_content_object(0), inspect_content_object(INSPECT_MAX_CONTENTS - 1));
  step.done_as(INSPECT_OP_FileOperation, late ? hull(closed, contents) : closed, number_objects(fd, fd));
  const int result = real(&RealFunctions::fclose)(stream) | flushed;  // the last that it does is a step of its own, free()
  if (flushed) errno = error;
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
  if (output && s.execution.created > 1 && unsigned(stream->_fileno) < 3) make_shared(lockable_output(stream->_fileno));
  s.current->wait.value = reinterpret_cast<std::uint64_t>(stream);
  return FileStep(INSPECT_OP_FileOperation, reinterpret_cast<std::uint64_t>(stream),
                  f && !output ? Objects(object_of(*f)) : Objects(), site, guard);
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
#define POSSIBLE_POINT possible_cancellation_point(SITE)
INSPECT_EXPORT FILE* fopen(const char* path, const char* mode) { return open_stream(path, mode, POSSIBLE_POINT); }
INSPECT_EXPORT FILE* fopen64(const char* path, const char* mode) { return open_stream(path, mode, POSSIBLE_POINT); }
INSPECT_EXPORT FILE* freopen(const char* path, const char* mode, FILE* stream) {
  return reopen_stream(path, mode, stream, POSSIBLE_POINT);
}
INSPECT_EXPORT FILE* freopen64(const char* path, const char* mode, FILE* stream) {
  return reopen_stream(path, mode, stream, POSSIBLE_POINT);
}
INSPECT_EXPORT FILE* tmpfile(void) { return temporary_stream(POSSIBLE_POINT); }
INSPECT_EXPORT FILE* tmpfile64(void) { return temporary_stream(POSSIBLE_POINT); }
INSPECT_EXPORT int fclose(FILE* stream) { return close_stream(stream, POSSIBLE_POINT); }

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
  return free ? 0 : EBUSY;
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
