// Operations on files as steps: their footprints, and the use of an open file for as long as a call takes.
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "runtime/environment/descriptors.hpp"
#include "runtime/memory/race.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/upcalls/disturbance.hpp"
#include "runtime/upcalls/environment_ready.hpp"

namespace inspect::runtime {
namespace {

void put(Operation& o, const Objects& object, const Objects& object2) {
  o.object = object.at;
  o.size = object.size;
  o.object2 = object2.at;
  o.size2 = object2.size;
}

bool same_footprint(const Operation& a, const Operation& b) {
  return a.kind == b.kind && a.object == b.object && a.size == b.size && a.object2 == b.object2 && a.size2 == b.size2;
}

// The table of descriptors is another: so are the footprints of those that have announced what they will do with it.
void label_again() {
  DescriptorTable& t = descriptors();
  if (!t.changed) return;
  t.changed = false;
  t.labelled.for_each([&](unsigned i) {
    Thread& thread = state().threads[i];
    Operation o = thread.pending;
    t.labellers[i].label(t.labellers[i].argument, o);
    if (same_footprint(o, thread.pending)) return;
    thread.pending = o;
    append_record(INSPECT_RECORD_NEW_PENDING, std::uint8_t(i), o);
  });
}

alignas(8) char output_places[3][8];  // stand for where the standard descriptors lead

}  // namespace

void order_along(std::uint64_t object, bool gives) {
  if (!object) return;
  race_acquire(current_thread(), object);
  if (gives) race_release(current_thread(), object);
}

Objects hull(const Objects& a, const Objects& b) {
  if (!a.size) return b;
  if (!b.size) return a;
  const std::uint64_t begin = a.at < b.at ? a.at : b.at;
  const std::uint64_t end = a.at + a.size > b.at + b.size ? a.at + a.size : b.at + b.size;
  return {begin, std::uint32_t(end - begin), a.edge ? a.edge : b.edge};
}

Objects whole_descriptor(int fd) {
  const OpenFile* const f = open_file(fd);
  return f ? hull(descriptor_objects(fd), object_of(*f)) : descriptor_objects(fd);
}

FileStep::FileStep(inspect_kind kind, Objects object, Objects object2, std::uint32_t site, Guard guard, Labeller labeller)
    : shared_(several_threads() || (guard && active())), site_(site) {
  if (!shared_) return;
  DescriptorTable& t = descriptors();
  const std::uint8_t self = current_thread();
  Operation o = operation(kind, nullptr, 0, site);
  put(o, object, object2);
  if (labeller.label) {
    labeller.label(labeller.argument, o);
    t.labellers[self] = labeller;
    t.labelled.add(self);
  }
  alternative_ = visible(o, guard);
  t.labelled.remove(self);
  order_along(object.edge, inspect_effect_of(kind) == INSPECT_EFFECT_Write);
  order_along(object2.edge, true);
}

void FileStep::done(bool failed, std::uint64_t result) {
  if (!shared_) {  // no operation tells of it
    if (!failed && active()) disturb(*state().current);
    return;
  }
  label_again();
  executed(failed ? INSPECT_FLAG_FAILED : 0, result);
}

void FileStep::done_as(inspect_kind kind, Objects object, Objects object2) {
  if (!shared_) return done();
  label_again();
  Operation o = operation(kind, nullptr, 0, site_);
  put(o, object, object2);
  executed_as(o);
}

void use_output(int fd, OutputUse use, std::uint32_t site) {
  if (!several_threads() || unsigned(fd) > 2 || environment_is_real()) return;
  const auto place = reinterpret_cast<std::uintptr_t>(output_places[fd]);
  if (!is_made_shared(place)) {
    const bool changes = use != OutputUse::print;
    if (state().recording && !race_access_strict(current_thread(), place, sizeof output_places[fd], changes, site))
      make_shared(place);
  } else if (use != OutputUse::change) {
    FileStep(use == OutputUse::print ? INSPECT_OP_FileRead : INSPECT_OP_FileOperation, descriptor_objects(fd), {}, site).done();
  }
}

FileUse::FileUse(int fd, std::uint32_t site) : file_(open_file(fd)) {
  if (unsigned(fd) >= INSPECT_MAX_DESCRIPTORS) {
    errno = EBADF;
    return;
  }
  if (file_ && file_->kind == OpenKind::output) {
    use_output(fd, OutputUse::print, site);
    file_ = open_file(fd);
  } else if (several_threads()) {
    FileStep step(INSPECT_OP_FileRead, descriptor_objects(fd), {}, site);
    file_ = open_file(fd);
    step.done(false, file_ ? file_->object + 1u : 0);
  }
  if (file_)
    begin_use(*file_);
  else
    errno = EBADF;
}

FileUse::~FileUse() {
  if (file_) end_use(*file_);
}

long with_errno(long result) {
  if (result >= 0 || result < -4095) return result;
  errno = int(-result);
  return -1;
}

}  // namespace inspect::runtime
