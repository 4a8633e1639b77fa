// Waiting for one of several descriptors: enabled when one is ready, or when the time may be over (SEMANTICS A.2).
//
// What is ready depends on everything that happens to the descriptors: the step reads the range of their objects. The kernel
// looks the numbers up when the call begins; a call that waits keeps the files that it found, and asks again by number once one
// is ready.
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

#include "runtime/environment/pipes.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/schedule/virtual_time.hpp"
#include "runtime/upcalls/cancel.hpp"
#include "runtime/upcalls/disturbance.hpp"
#include "runtime/upcalls/reports.hpp"

using namespace inspect::runtime;

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000, kForEver = ~0ull;

// The open files that a wait looks at, used as long as it takes: a close of their numbers neither wakes it nor fails it.
class Watched {
 public:
  void add(int fd) {
    if (!active() || (state().standalone && !is_modelled_pipe(fd))) return;
    if (unsigned(fd) < INSPECT_MAX_DESCRIPTORS) range_ = hull(range_, whole_descriptor(fd));
    const OpenFile* const f = open_file(fd);
    if (!f) return;
    modelled_ = true;
    outside_ |= f->kind == OpenKind::outside;
    const auto file = unsigned(f - descriptors().files);
    used_[file / 64] |= 1ull << file % 64;
  }
  template <class F>
  void for_each(F&& f) const {
    for (unsigned word = 0; word < kWords; ++word)
      for (std::uint64_t bits = used_[word]; bits; bits &= bits - 1)
        f(descriptors().files[64 * word + unsigned(__builtin_ctzll(bits))]);
  }
  // Whatever an epoll set may hold.
  void add_all() {
    range_ = hull(inspect_descriptor_object(0), inspect_open_file_object(INSPECT_MAX_OPEN_FILES - 1));
    DescriptorTable& t = descriptors();
    for (unsigned file = 0; file < t.files_end; ++file)
      if (t.files[file].references) used_[file / 64] |= 1ull << file % 64;
  }
  void wait_outside() { outside_ = true; }
  [[nodiscard]] const Objects& range() const { return range_; }
  [[nodiscard]] bool outside() const { return outside_; }
  [[nodiscard]] bool modelled() const { return modelled_; }

 private:
  static constexpr unsigned kWords = INSPECT_MAX_OPEN_FILES / 64;
  std::uint64_t used_[kWords] = {};
  Objects range_;
  bool outside_ = false, modelled_ = false;
};

// A wait of any kind; lives on the waiting thread's stack.
struct Wait {
  bool (*ready)(const Wait&);
  std::uint64_t limit;  // ns; kForEver
  pollfd* polled;       // with the kernel's descriptors in place of the program's
  nfds_t count;
  const OpenFile* set;  // of epoll
};

Mask wait_guard(const Thread& t) {
  const auto& w = *reinterpret_cast<const Wait*>(t.wait.value);
  if (w.ready(w)) return Mask::one(0);
  return w.limit == kForEver ? Mask{} : Mask::one(1);
}

// Waits as a step; false: the time is over.
bool wait_for(const Wait& w, const Watched& watched, std::uint64_t written, std::uint32_t site) {
  State& s = state();
  if (s.execution.created == 1 && w.ready(w)) return true;
  const Objects range = watched.range();
  Operation o = operation(watched.outside() ? INSPECT_OP_External : INSPECT_OP_FileRead, reinterpret_cast<void*>(range.at),
                          range.size, site);
  o.object2 = written;
  o.size2 = written ? 64 : 0;
  s.current->wait.value = reinterpret_cast<std::uint64_t>(&w);
  s.current->signals.never_restarts = true;
  const bool over = visible(o, wait_guard) == 1;
  s.current->signals.never_restarts = false;
  if (over) advance_clock(present_clock() + w.limit);
  watched.for_each([&](const OpenFile& f) {
    race_acquire(current_thread(), object_of(f));
    join_object_clocks(operation(INSPECT_OP_FileRead, reinterpret_cast<void*>(object_of(f)), 64));
  });
  executed(over ? INSPECT_FLAG_FAILED : 0);
  return !over;
}

std::uint64_t limit_of(int milliseconds) { return milliseconds < 0 ? kForEver : std::uint64_t(milliseconds) * kMillisecond; }
std::uint64_t limit_of(const timespec* t) {
  return t ? std::uint64_t(t->tv_sec) * 1'000'000'000 + std::uint64_t(t->tv_nsec) : kForEver;
}

constexpr nfds_t kMostPolled = 256;

bool poll_ready(const Wait& w) {
  pollfd now[kMostPolled];
  for (nfds_t i = 0; i < w.count; ++i) {
    now[i] = w.polled[i];
    if (now[i].fd >= 0) now[i].fd = descriptors().files[now[i].fd].raw;  // it may have moved
  }
  return system_call(SYS_poll, reinterpret_cast<long>(now), long(w.count), 0) != 0;
}

// The kernel's answer at this moment.
long poll_now(pollfd* polled, nfds_t count) { return system_call(SYS_poll, reinterpret_cast<long>(polled), long(count), 0); }

// A look at the numbers as a step: the answer if there is one already. The files are used from here on.
long first_look(pollfd* polled, nfds_t count, const Watched& watched, std::uint32_t site) {
  FileStep step(INSPECT_OP_FileRead, watched.range(), {}, site);
  const long found = poll_now(polled, count);
  watched.for_each([](OpenFile& f) { begin_use(f); });
  step.done(false, std::uint64_t(found));
  return found;
}

// Waits for a file behind the numbers, as they were when the call began; then asks again by number. 0: the time is over.
long poll_files(pollfd* polled, nfds_t count, std::uint64_t limit, Watched& watched, std::uint32_t site) {
  if (count > kMostPolled) report_unsupported("poll of more than 256 descriptors", site);
  if (!watched.range().size && limit == kForEver) watched.wait_outside();
  long found = several_threads() && watched.range().size ? first_look(polled, count, watched, site) : poll_now(polled, count);
  if (found || limit == 0) {
    if (several_threads() && watched.range().size) watched.for_each([](OpenFile& f) { end_use(f); });
    return found;
  }
  pollfd files[kMostPolled];
  for (nfds_t i = 0; i < count; ++i) {
    const OpenFile* const f = open_file(polled[i].fd);
    files[i] = {f ? int(f - descriptors().files) : -1, polled[i].events, 0};
  }
  const Wait w{poll_ready, limit, files, count, nullptr};
  const bool used = several_threads() && watched.range().size;
  while (!found && wait_for(w, watched, 0, site)) {
    found = poll_now(polled, count);
    if (!used || found) break;
  }
  if (used) watched.for_each([](OpenFile& f) { end_use(f); });
  return found;
}

int poll_for(pollfd* polled, nfds_t count, std::uint64_t limit, std::uint32_t site) {
  Watched watched;
  for (nfds_t i = 0; i < count; ++i) watched.add(polled[i].fd);
  if (!active() || (state().standalone && !watched.modelled() && count)) {
    const timespec t{time_t(limit / 1'000'000'000), long(limit % 1'000'000'000)};
    return int(with_errno(system_call(SYS_ppoll, reinterpret_cast<long>(polled), long(count),
                                      limit == kForEver ? 0 : reinterpret_cast<long>(&t), 0, 8)));
  }
  for (nfds_t i = 0; i < count; ++i) access_for_call(&polled[i], offsetof(pollfd, revents), false, site);
  short before[kMostPolled];
  for (nfds_t i = 0; i < count && i < kMostPolled; ++i) before[i] = polled[i].revents;
  const long found = poll_files(polled, count, limit, watched, site);
  for (nfds_t i = 0; i < count; ++i)
    if (polled[i].revents != before[i]) disturb(*state().current);
  for (nfds_t i = 0; found >= 0 && i < count; ++i) access_for_call(&polled[i].revents, sizeof polled[i].revents, true, site);
  return int(with_errno(found));
}

// --- select(): a poll of the numbers in its sets.

struct Sets {
  fd_set *in, *out, *exceptional;
};
constexpr short kIn = POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR, kOut = POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR;

nfds_t polled_of(int highest, const Sets& sets, pollfd* polled, std::uint32_t site) {
  nfds_t count = 0;
  for (int fd = 0; fd < highest && fd < FD_SETSIZE; ++fd) {
    const bool in = sets.in && FD_ISSET(fd, sets.in), out = sets.out && FD_ISSET(fd, sets.out);
    const bool exceptional = sets.exceptional && FD_ISSET(fd, sets.exceptional);
    if (!in && !out && !exceptional) continue;
    if (count == kMostPolled) report_unsupported("select of more than 256 descriptors", site);
    polled[count++] = {
        fd, short((in ? POLLIN | POLLRDNORM : 0) | (out ? POLLOUT | POLLWRNORM : 0) | (exceptional ? POLLPRI : 0)), 0};
  }
  return count;
}

// Leaves in a set what is ready; how many.
int keep_ready(fd_set* set, const pollfd* polled, nfds_t count, short wanted) {
  int kept = 0;
  for (nfds_t i = 0; set && i < count; ++i) {
    if (!FD_ISSET(polled[i].fd, set)) continue;
    if (polled[i].revents & wanted)
      ++kept;
    else
      FD_CLR(polled[i].fd, set);
  }
  return kept;
}

void tell_sets(int highest, const Sets& sets, bool write, std::uint32_t site) {
  const std::size_t bytes = (std::size_t(highest) + 63) / 64 * 8;
  for (fd_set* const set : {sets.in, sets.out, sets.exceptional})
    if (set) access_for_call(set, bytes, write, site);
}

int select_for(int highest, fd_set* in, fd_set* out, fd_set* exceptional, std::uint64_t limit, std::uint32_t site) {
  const Sets sets{in, out, exceptional};
  pollfd polled[kMostPolled];
  const nfds_t count = active() ? polled_of(highest, sets, polled, site) : 0;
  Watched watched;
  for (nfds_t i = 0; i < count; ++i) watched.add(polled[i].fd);
  if (!active() || (state().standalone && !watched.modelled() && highest)) {
    timespec t{time_t(limit / 1'000'000'000), long(limit % 1'000'000'000)};
    return int(
        with_errno(system_call(SYS_pselect6, highest, reinterpret_cast<long>(in), reinterpret_cast<long>(out),
                               reinterpret_cast<long>(exceptional), limit == kForEver ? 0 : reinterpret_cast<long>(&t), 0)));
  }
  tell_sets(highest, sets, false, site);
  const long found = poll_files(polled, count, limit, watched, site);
  for (nfds_t i = 0; found > 0 && i < count; ++i)
    if (polled[i].revents & POLLNVAL) return errno = EBADF, -1;
  if (found < 0) return int(with_errno(found));
  const int ready = keep_ready(in, polled, count, kIn) + keep_ready(out, polled, count, kOut) +
                    keep_ready(exceptional, polled, count, POLLPRI);
  tell_sets(highest, sets, true, site);
  return ready;
}

int make_poll_set(int flags, std::uint32_t site) {
  const long raw = system_call(SYS_epoll_create1, flags);
  return !active() || raw < 0 ? int(with_errno(raw)) : add_descriptor(int(raw), OpenKind::poll_set, -1, 0, site);
}

// Independent events may become ready in either order: the one shown does not depend on it.
void sort_events(epoll_event* events, long count) {
  for (long i = 1; i < count; ++i)
    for (long k = i; k > 0 && events[k].data.u64 < events[k - 1].data.u64; --k) {
      const epoll_event swap = events[k];
      events[k] = events[k - 1];
      events[k - 1] = swap;
    }
}

bool set_ready(const Wait& w) {
  pollfd p{w.set->raw, POLLIN, 0};
  return system_call(SYS_poll, reinterpret_cast<long>(&p), 1, 0) != 0;
}

int wait_for_set(int set, epoll_event* events, int most, std::uint64_t limit, std::uint32_t site) {
  if (!active() || (state().standalone && !is_modelled_pipe(set))) {
    const int milliseconds = limit == kForEver ? -1 : int(limit / kMillisecond);
    return int(with_errno(system_call(SYS_epoll_wait, set, reinterpret_cast<long>(events), most, milliseconds)));
  }
  FileUse file(set, site);
  if (!file) return -1;
  if (file->kind != OpenKind::poll_set) return errno = EINVAL, -1;
  Watched watched;
  watched.add_all();
  const Wait w{set_ready, limit, nullptr, 0, &*file};
  wait_for(w, watched, object_of(*file), site);
  const long count = system_call(SYS_epoll_wait, file.raw(), reinterpret_cast<long>(events), most, 0);
  if (count == most && state().execution.created > 1)
    assume_text("epoll_wait: which of more events than asked for come first is not explored");
  if (count > 0) access_for_call(events, std::size_t(count) * sizeof *events, true, site);
  sort_events(events, count);
  return int(with_errno(count));
}

int change_set(int set, int operation, int fd, epoll_event* event, std::uint32_t site) {
  const auto change = [&](int raw) { return system_call(SYS_epoll_ctl, raw, operation, fd, reinterpret_cast<long>(event)); };
  if (!active() || (state().standalone && !is_modelled_pipe(set))) return int(with_errno(change(set)));
  if (operation != EPOLL_CTL_DEL && event) access_for_call(event, sizeof *event, false, site);
  FileUse file(set, site);
  if (!file) return -1;
  const Objects watched = unsigned(fd) < INSPECT_MAX_DESCRIPTORS ? descriptor_objects(fd) : Objects();
  FileStep step(INSPECT_OP_FileRead, watched, object_of(*file), site);  // the kernel looks the number up
  const long result = change(file.raw());
  step.done(false, std::uint64_t(result));
  return int(with_errno(result));
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
#define POINT cancellation_point(SITE)
INSPECT_EXPORT int poll(pollfd* polled, nfds_t count, int milliseconds) {
  return poll_for(polled, count, limit_of(milliseconds), POINT);
}
INSPECT_EXPORT int __poll_chk(pollfd* polled, nfds_t count, int milliseconds, size_t) {
  return poll_for(polled, count, limit_of(milliseconds), POINT);
}
INSPECT_EXPORT int ppoll(pollfd* polled, nfds_t count, const timespec* limit, const sigset_t*) {
  return poll_for(polled, count, limit_of(limit), POINT);
}
INSPECT_EXPORT int select(int highest, fd_set* in, fd_set* out, fd_set* exceptional, timeval* limit) {
  const std::uint64_t ns =
      limit ? std::uint64_t(limit->tv_sec) * 1'000'000'000 + std::uint64_t(limit->tv_usec) * 1000 : kForEver;
  if (limit) access_for_call(limit, sizeof *limit, false, SITE);
  const int ready = select_for(highest, in, out, exceptional, ns, POINT);
  if (!limit || !active()) return ready;
  access_for_call(limit, sizeof *limit, true, SITE);  // the kernel says how much is left
  if (ready == 0) *limit = {};
  return ready;
}
INSPECT_EXPORT int pselect(int highest, fd_set* in, fd_set* out, fd_set* exceptional, const timespec* limit, const sigset_t*) {
  return select_for(highest, in, out, exceptional, limit_of(limit), POINT);
}
INSPECT_EXPORT int epoll_create(int) noexcept { return make_poll_set(0, SITE); }
INSPECT_EXPORT int epoll_create1(int flags) noexcept { return make_poll_set(flags, SITE); }
INSPECT_EXPORT int epoll_ctl(int set, int operation, int fd, epoll_event* event) noexcept {
  return change_set(set, operation, fd, event, SITE);
}
INSPECT_EXPORT int epoll_wait(int set, epoll_event* events, int most, int milliseconds) {
  return wait_for_set(set, events, most, limit_of(milliseconds), POINT);
}
INSPECT_EXPORT int epoll_pwait(int set, epoll_event* events, int most, int milliseconds, const sigset_t*) {
  return wait_for_set(set, events, most, limit_of(milliseconds), POINT);
}
