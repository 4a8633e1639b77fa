#include "runtime/environment/pipes.hpp"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <numeric>

#include "runtime/environment/signals.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/environment_ready.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

bool carries_bytes(OpenKind kind) {
  return kind == OpenKind::pipe_reader || kind == OpenKind::pipe_writer || kind == OpenKind::socket || kind == OpenKind::event;
}

constexpr long kPage = 4096;

bool is_empty_pipe(const OpenFile& file) {
  int bytes = 0;
  return system_call(SYS_ioctl, file.raw, FIONREAD, reinterpret_cast<long>(&bytes)) != 0 || bytes == 0;
}

// Linux puts what exceeds whole pages into the last page if it has room for that: even when no page is free, for which poll
// asks.
bool merges(const OpenFile& file, long size) {
  const long rest = size % kPage;
  return file.kind == OpenKind::pipe_writer && rest && file.page_end + rest <= kPage && !is_empty_pipe(file);
}

// merged: how many of the bytes went into the page that was the last.
void note_written(OpenFile& file, long merged, long written) {
  if (file.kind != OpenKind::pipe_writer || written <= 0) return;
  file.page_end = std::uint32_t(written <= merged ? file.page_end + written : (written - merged - 1) % kPage + 1);
}

long bytes_of(const Transfer& t) {
  if (!t.vector) return t.size;
  const auto* const parts = reinterpret_cast<const iovec*>(t.buffer);
  return std::accumulate(parts, parts + t.size, 0l, [](long sum, const iovec& part) { return sum + long(part.iov_len); });
}

// Guard of a thread that waits on one open file: wait_value is how many bytes it writes, the file, and the events.
std::uint64_t waits_for(const OpenFile& file, short events, long bytes) {
  const std::uint64_t most = bytes > long(UINT32_MAX) ? 0 : std::uint64_t(bytes);
  return most << 32 | std::uint64_t(&file - descriptors().files) << 16 | std::uint16_t(events);
}
const OpenFile& awaited(const Thread& t) { return descriptors().files[t.wait.value >> 16 & 0xffff]; }
Mask ready(const Thread& t) {
  pollfd p{awaited(t).raw, short(t.wait.value & 0xffff), 0};
  const bool possible = system_call(SYS_poll, reinterpret_cast<long>(&p), 1, 0) || merges(awaited(t), long(t.wait.value >> 32));
  return possible ? Mask::one(0) : Mask{};
}
// O_NONBLOCK belongs to the open file: others may change it until the call takes place.
Mask ready_or_nonblocking(const Thread& t) { return awaited(t).nonblocking ? Mask::one(0) : ready(t); }

long broken_pipe(bool quiet, std::uint32_t site) {
  if (!quiet) receive_signal(SIGPIPE, site);
  errno = EPIPE;
  return -1;
}

// One system call on a pipe or socket, waiting for it to be possible unless the program wants EAGAIN: in this call, or always.
struct Manner {
  bool may_wait;
  bool quiet = false;  // no SIGPIPE
};
long step_on(OpenFile& file, const Transfer& t, Manner manner, std::uint32_t site) {
  const bool may_wait = manner.may_wait;
  const std::uint64_t object = object_of(file);
  for (;;) {
    if (may_wait) state().current->wait.value = waits_for(file, t.writes ? POLLOUT : POLLIN, t.writes ? bytes_of(t) : 0);
    FileStep step(INSPECT_OP_FileOperation, object, {}, site, may_wait ? ready_or_nonblocking : nullptr);
    const bool merged = t.writes && merges(file, bytes_of(t));
    const long result = system_call(t.number, file.raw, t.buffer, t.size, t.third, t.fourth, t.fifth);
    if (t.writes) note_written(file, merged ? bytes_of(t) % kPage : 0, result);
    step.done(result < 0, std::uint64_t(result));
    if (result == -EPIPE) return broken_pipe(manner.quiet, site);
    if (result != -EAGAIN || !may_wait || file.nonblocking) return with_errno(result);
  }
}

// A blocking write goes on until everything is written.
long write_all(OpenFile& file, Transfer t, bool quiet, std::uint32_t site) {
  long written = 0;
  do {
    const long part = step_on(file, t, {.may_wait = true, .quiet = quiet}, site);
    if (part < 0) return written ? written : part;
    written += part;
    t.buffer += part;
    t.size -= part;
  } while (t.size > 0 && !file.nonblocking);
  return written;
}

long from_outside(const OpenFile& file, const Transfer& t, std::uint32_t site) {
  if (t.writes) report_unsupported("output to a descriptor inherited from another process, or opened before main", site);
  state().current->wait.value = waits_for(file, POLLIN, 0);
  visible(operation(INSPECT_OP_External, nullptr, 0, site), ready);
  report_unsupported("input from a descriptor inherited from another process, or opened before main", site);
}

void add_pair(const int raw[2], OpenKind first, OpenKind second, int flags, int to[2], std::uint32_t site) {
  const int aside[2] = {set_aside(raw[0]), set_aside(raw[1])};
  to[0] = add_descriptor(aside[0], first, -1, flags, site);
  const std::uint16_t object = open_file(to[0])->object;
  to[1] = add_descriptor(aside[1], second, -1, flags, site);
  open_file(to[1])->object = object;  // both ends are one object
}

}  // namespace

bool is_modelled_pipe(int fd) {
  ensure_environment();
  const DescriptorTable& t = descriptors();
  if (unsigned(fd) >= t.end || !t.open_file[fd]) return false;
  const OpenKind kind = t.files[t.open_file[fd] - 1].kind;
  return carries_bytes(kind) || kind == OpenKind::poll_set;
}

long transfer_pipe(OpenFile& file, const Transfer& t, std::uint32_t site) {
  if (file.kind == OpenKind::outside) return from_outside(file, t, site);
  if (file.kind == OpenKind::poll_set) return errno = EINVAL, -1;
  const bool whole = t.writes && !t.vector && !t.positioned && file.kind != OpenKind::event && t.size > 0;
  return whole ? write_all(file, t, false, site) : step_on(file, t, {.may_wait = !t.positioned}, site);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

namespace {

int make_pipe(int to[2], int flags, std::uint32_t site) {
  if (!active()) return int(with_errno(system_call(SYS_pipe2, reinterpret_cast<long>(to), flags)));
  if (flags & O_DIRECT) report_unsupported("pipes of packets", site);
  int raw[2];
  const long result = system_call(SYS_pipe2, reinterpret_cast<long>(raw), flags | O_NONBLOCK);
  if (result < 0) return int(with_errno(result));
  add_pair(raw, OpenKind::pipe_reader, OpenKind::pipe_writer, flags, to, site);
  return 0;
}

// Sends and receives on sockets: `flags` are MSG_*.
long move_message(int fd, const Transfer& t, std::uint32_t site) {
  const long flags = t.third;
  if (environment_is_real() && !is_modelled_pipe(fd))
    return with_errno(system_call(t.number, fd, t.buffer, t.size, t.third, 0, 0));
  FileUse file(fd, site);
  if (!file) return -1;
  if (file->kind != OpenKind::socket) return errno = ENOTSOCK, -1;
  const bool waits = !(flags & MSG_DONTWAIT), quiet = flags & MSG_NOSIGNAL;
  if (!t.writes && waits && flags & MSG_WAITALL) report_unsupported("receiving with MSG_WAITALL", site);
  return t.number == SYS_sendto && waits && t.size ? write_all(*file, t, quiet, site) : step_on(*file, t, {waits, quiet}, site);
}

bool carries_descriptors(const msghdr* message) { return message->msg_control && message->msg_controllen; }

// A message's header, its list of buffers, and the buffers as far as bytes were moved.
void tell_message(const msghdr* message, long bytes, bool writes, std::uint32_t site) {
  for (std::size_t i = 0; i < message->msg_iovlen && bytes > 0; ++i) {
    const iovec& part = message->msg_iov[i];
    const std::size_t moved = std::size_t(bytes) < part.iov_len ? std::size_t(bytes) : part.iov_len;
    access_for_call(part.iov_base, moved, writes, site);
    bytes -= long(moved);
  }
}
void tell_header(const msghdr* message, std::uint32_t site) {
  access_for_call(message, sizeof *message, false, site);
  access_for_call(message->msg_iov, message->msg_iovlen * sizeof(iovec), false, site);
}

}  // namespace

INSPECT_EXPORT int pipe(int* to) noexcept { return make_pipe(to, 0, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pipe2(int* to, int flags) noexcept { return make_pipe(to, flags, INSPECT_CALLER_SITE()); }

INSPECT_EXPORT int eventfd(unsigned value, int flags) noexcept {
  const long raw = system_call(SYS_eventfd2, value, active() ? flags | EFD_NONBLOCK : flags);
  if (!active() || raw < 0) return int(with_errno(raw));
  return add_descriptor(int(raw), OpenKind::event, -1, flags & EFD_NONBLOCK ? O_NONBLOCK : 0, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int eventfd_read(int fd, eventfd_t* value) {
  if (read(fd, value, sizeof *value) != sizeof *value) return -1;
  access_for_call(value, sizeof *value, true, INSPECT_CALLER_SITE());
  return 0;
}
INSPECT_EXPORT int eventfd_write(int fd, eventfd_t value) { return write(fd, &value, sizeof value) == sizeof value ? 0 : -1; }

INSPECT_EXPORT int socketpair(int domain, int type, int protocol, int* to) noexcept {
  int raw[2];
  const long result =
      system_call(SYS_socketpair, domain, active() ? type | SOCK_NONBLOCK : type, protocol, reinterpret_cast<long>(raw));
  if (result < 0) return int(with_errno(result));
  if (active())
    add_pair(raw, OpenKind::socket, OpenKind::socket, type & SOCK_NONBLOCK ? O_NONBLOCK : 0, to, INSPECT_CALLER_SITE());
  else
    to[0] = raw[0], to[1] = raw[1];
  return 0;
}
INSPECT_EXPORT ssize_t send(int fd, const void* from, size_t size, int flags) {
  return move_message(
      fd, {.number = SYS_sendto, .buffer = reinterpret_cast<long>(from), .size = long(size), .third = flags, .writes = true},
      cancellation_point(INSPECT_CALLER_SITE()));
}
INSPECT_EXPORT ssize_t recv(int fd, void* to, size_t size, int flags) {
  return move_message(fd, {.number = SYS_recvfrom, .buffer = reinterpret_cast<long>(to), .size = long(size), .third = flags},
                      cancellation_point(INSPECT_CALLER_SITE()));
}
INSPECT_EXPORT ssize_t __recv_chk(int fd, void* to, size_t size, size_t, int flags) {
  return move_message(fd, {.number = SYS_recvfrom, .buffer = reinterpret_cast<long>(to), .size = long(size), .third = flags},
                      cancellation_point(INSPECT_CALLER_SITE()));
}
INSPECT_EXPORT ssize_t sendto(int fd, const void* from, size_t size, int flags, __CONST_SOCKADDR_ARG to, socklen_t length) {
  if (environment_is_real() && !is_modelled_pipe(fd))
    return with_errno(
        system_call(SYS_sendto, fd, reinterpret_cast<long>(from), long(size), flags, reinterpret_cast<long>(to), length));
  return move_message(
      fd, {.number = SYS_sendto, .buffer = reinterpret_cast<long>(from), .size = long(size), .third = flags, .writes = true},
      cancellation_point(INSPECT_CALLER_SITE()));
}
INSPECT_EXPORT ssize_t recvfrom(int fd, void* to, size_t size, int flags, __SOCKADDR_ARG from, socklen_t* length) {
  if (environment_is_real() && !is_modelled_pipe(fd))
    return with_errno(system_call(SYS_recvfrom, fd, reinterpret_cast<long>(to), long(size), flags, reinterpret_cast<long>(from),
                                  reinterpret_cast<long>(length)));
  const long received =
      move_message(fd, {.number = SYS_recvfrom, .buffer = reinterpret_cast<long>(to), .size = long(size), .third = flags},
                   cancellation_point(INSPECT_CALLER_SITE()));
  if (!length) return received;
  reads_argument(length, sizeof *length, INSPECT_CALLER_SITE());
  writes_argument(length, sizeof *length, INSPECT_CALLER_SITE());
  if (received >= 0) *length = 0;  // the ends of a pair have no names
  return received;
}
INSPECT_EXPORT ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  if (!environment_is_real() && carries_descriptors(message)) report_unsupported("descriptors sent over a socket", site);
  tell_header(message, site);
  tell_message(message, LONG_MAX, false, site);
  return move_message(
      fd, {.number = SYS_sendmsg, .buffer = reinterpret_cast<long>(message), .size = flags, .third = flags, .writes = true},
      site);
}
INSPECT_EXPORT ssize_t recvmsg(int fd, msghdr* message, int flags) {
  const std::uint32_t site = cancellation_point(INSPECT_CALLER_SITE());
  tell_header(message, site);
  const ssize_t received =
      move_message(fd, {.number = SYS_recvmsg, .buffer = reinterpret_cast<long>(message), .size = flags, .third = flags}, site);
  if (received < 0) return received;
  access_for_call(message, sizeof *message, true, site);  // lengths and flags
  tell_message(message, received, true, site);
  return received;
}
INSPECT_EXPORT int shutdown(int fd, int how) noexcept {
  if (!active() || (state().standalone && !is_modelled_pipe(fd))) return int(with_errno(system_call(SYS_shutdown, fd, how)));
  FileUse file(fd, INSPECT_CALLER_SITE());
  if (!file) return -1;
  FileStep step(INSPECT_OP_FileOperation, object_of(*file), {}, INSPECT_CALLER_SITE());
  const long result = system_call(SYS_shutdown, file.raw(), how);
  step.done(result < 0);
  return int(with_errno(result));
}
