// Waiting for one of several descriptors: enabled when one is ready, or when the time may be over (SEMANTICS A.2).
//
// What is ready depends on everything that happens to the descriptors: the step reads the range of their objects.
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#include <initializer_list>

#include "runtime/export.hpp"
#include "runtime/pipes.hpp"
#include "runtime/race.hpp"
#include "runtime/system_call.hpp"
#include "runtime/virtual_time.hpp"

using namespace inspect::runtime;

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000, kForEver = ~0ull;

// The objects that a wait looks at.
struct Range {
  std::uint64_t low = ~0ull, high = 0;
  bool outside = false, modelled = false;
  void add(int fd) {
    if (!active() || (state().standalone && !is_modelled_pipe(fd))) return;
    const OpenFile* const f = open_file(fd);
    if (!f) return;
    modelled = true;
    outside |= f->kind == OpenKind::outside;
    const std::uint64_t object = object_of(*f);
    if (object < low) low = object;
    if (object + 64 > high) high = object + 64;
  }
};

// A wait of any kind; lives on the waiting thread's stack.
struct Wait {
  bool (*ready)(Wait&);
  std::uint64_t limit;  // ns; kForEver
  pollfd* polled;
  nfds_t count;
  fd_set *in, *out, *exceptional;  // the program's, or null
  int highest, poll_set;
};

Mask wait_guard(const Thread& t) {
  auto& w = *reinterpret_cast<Wait*>(t.wait_value);
  if (w.ready(w)) return Mask::one(0);
  return w.limit == kForEver ? Mask{} : Mask::one(1);
}

// Waits as a step; false: the time is over.
bool wait_for(Wait& w, const Range& range, std::uint64_t written, std::uint32_t site) {
  State& s = state();
  if (s.created == 1 && w.ready(w)) return true;
  Operation o =
      operation(range.outside ? INSPECT_OP_External : INSPECT_OP_FileRead, reinterpret_cast<void*>(range.high ? range.low : 0),
                std::uint32_t(range.high ? range.high - range.low : 0), site);
  o.object2 = written;
  o.size2 = written ? 64 : 0;
  s.current->wait_value = reinterpret_cast<std::uint64_t>(&w);
  const bool over = visible(o, wait_guard) == 1;
  if (over) advance_clock(present_clock() + w.limit);
  for (std::uint64_t object = range.low; object < range.high; object += 64) {
    race_acquire(current_thread(), object);
    join_object_clocks(operation(INSPECT_OP_FileRead, reinterpret_cast<void*>(object), 64));
  }
  executed(over ? INSPECT_FLAG_FAILED : 0);
  return !over;
}

std::uint64_t limit_of(int milliseconds) { return milliseconds < 0 ? kForEver : std::uint64_t(milliseconds) * kMillisecond; }
std::uint64_t limit_of(const timespec* t) {
  return t ? std::uint64_t(t->tv_sec) * 1'000'000'000 + std::uint64_t(t->tv_nsec) : kForEver;
}

int poll_for(pollfd* polled, nfds_t count, std::uint64_t limit, std::uint32_t site) {
  Range range;
  for (nfds_t i = 0; i < count; ++i) range.add(polled[i].fd);
  if (!active() || (state().standalone && !range.modelled && count)) {
    const timespec t{time_t(limit / 1'000'000'000), long(limit % 1'000'000'000)};
    return int(with_errno(system_call(SYS_ppoll, reinterpret_cast<long>(polled), long(count),
                                      limit == kForEver ? 0 : reinterpret_cast<long>(&t), 0, 8)));
  }
  Wait w{};
  w.ready = [](Wait& self) { return system_call(SYS_poll, reinterpret_cast<long>(self.polled), long(self.count), 0) != 0; };
  w.limit = limit;
  w.polled = polled;
  w.count = count;
  if (!count && limit == kForEver) range.outside = true;
  wait_for(w, range, 0, site);
  return int(with_errno(system_call(SYS_poll, reinterpret_cast<long>(polled), long(count), 0)));
}

// select() with sets that the caller may lose.
long try_select(int highest, fd_set* in, fd_set* out, fd_set* exceptional) {
  timeval now{};
  return system_call(SYS_select, highest, reinterpret_cast<long>(in), reinterpret_cast<long>(out),
                     reinterpret_cast<long>(exceptional), reinterpret_cast<long>(&now));
}
bool select_ready(Wait& w) {
  fd_set copies[3];
  fd_set* sets[3] = {w.in, w.out, w.exceptional};
  for (int i = 0; i < 3; ++i)
    if (sets[i]) copies[i] = *sets[i], sets[i] = &copies[i];
  return try_select(w.highest, sets[0], sets[1], sets[2]) != 0;
}

int select_for(int highest, fd_set* in, fd_set* out, fd_set* exceptional, std::uint64_t limit, std::uint32_t site) {
  Range range;
  for (int fd = 0; fd < highest && fd < FD_SETSIZE; ++fd)
    for (const fd_set* set : {in, out, exceptional})
      if (set && FD_ISSET(fd, set)) range.add(fd);
  if (!active() || (state().standalone && !range.modelled && highest)) {
    timespec t{time_t(limit / 1'000'000'000), long(limit % 1'000'000'000)};
    return int(
        with_errno(system_call(SYS_pselect6, highest, reinterpret_cast<long>(in), reinterpret_cast<long>(out),
                               reinterpret_cast<long>(exceptional), limit == kForEver ? 0 : reinterpret_cast<long>(&t), 0)));
  }
  Wait w{};
  w.ready = select_ready;
  w.limit = limit;
  w.in = in;
  w.out = out;
  w.exceptional = exceptional;
  w.highest = highest;
  if (!range.high && limit == kForEver) range.outside = true;
  wait_for(w, range, 0, site);
  return int(with_errno(try_select(highest, in, out, exceptional)));
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

int wait_for_set(int set, epoll_event* events, int most, std::uint64_t limit, std::uint32_t site) {
  if (!active() || !is_modelled_pipe(set)) {
    const int milliseconds = limit == kForEver ? -1 : int(limit / kMillisecond);
    return int(with_errno(system_call(SYS_epoll_wait, set, reinterpret_cast<long>(events), most, milliseconds)));
  }
  Range range;
  range.low = inspect_descriptor_object(0);
  range.high = inspect_descriptor_object(descriptors().end);
  Wait w{};
  w.ready = [](Wait& self) {
    pollfd p{self.poll_set, POLLIN, 0};
    return system_call(SYS_poll, reinterpret_cast<long>(&p), 1, 0) != 0;
  };
  w.limit = limit;
  w.poll_set = set;
  wait_for(w, range, object_of(*open_file(set)), site);
  const long count = system_call(SYS_epoll_wait, set, reinterpret_cast<long>(events), most, 0);
  if (count == most && state().created > 1)
    assume_text("epoll_wait: which of more events than asked for come first is not explored");
  sort_events(events, count);
  return int(with_errno(count));
}

}  // namespace

#define SITE INSPECT_CALLER_SITE()
INSPECT_EXPORT int poll(pollfd* polled, nfds_t count, int milliseconds) {
  return poll_for(polled, count, limit_of(milliseconds), SITE);
}
INSPECT_EXPORT int __poll_chk(pollfd* polled, nfds_t count, int milliseconds, size_t) {
  return poll_for(polled, count, limit_of(milliseconds), SITE);
}
INSPECT_EXPORT int ppoll(pollfd* polled, nfds_t count, const timespec* limit, const sigset_t*) {
  return poll_for(polled, count, limit_of(limit), SITE);
}
INSPECT_EXPORT int select(int highest, fd_set* in, fd_set* out, fd_set* exceptional, timeval* limit) {
  const std::uint64_t ns =
      limit ? std::uint64_t(limit->tv_sec) * 1'000'000'000 + std::uint64_t(limit->tv_usec) * 1000 : kForEver;
  return select_for(highest, in, out, exceptional, ns, SITE);
}
INSPECT_EXPORT int pselect(int highest, fd_set* in, fd_set* out, fd_set* exceptional, const timespec* limit, const sigset_t*) {
  return select_for(highest, in, out, exceptional, limit_of(limit), SITE);
}
INSPECT_EXPORT int epoll_create(int) noexcept { return make_poll_set(0, SITE); }
INSPECT_EXPORT int epoll_create1(int flags) noexcept { return make_poll_set(flags, SITE); }
INSPECT_EXPORT int epoll_ctl(int set, int operation, int fd, epoll_event* event) noexcept {
  const auto change = [&] { return system_call(SYS_epoll_ctl, set, operation, fd, reinterpret_cast<long>(event)); };
  if (!active() || !is_modelled_pipe(set)) return int(with_errno(change()));
  FileStep step(INSPECT_OP_FileOperation, object_of(*open_file(set)), 0, SITE);
  const long result = change();
  step.done(result < 0);
  return int(with_errno(result));
}
INSPECT_EXPORT int epoll_wait(int set, epoll_event* events, int most, int milliseconds) {
  return wait_for_set(set, events, most, limit_of(milliseconds), SITE);
}
INSPECT_EXPORT int epoll_pwait(int set, epoll_event* events, int most, int milliseconds, const sigset_t*) {
  return wait_for_set(set, events, most, limit_of(milliseconds), SITE);
}
