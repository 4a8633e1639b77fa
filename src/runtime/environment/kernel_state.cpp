#include "runtime/environment/kernel_state.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "runtime/environment/descriptors.hpp"
#include "runtime/environment/file_names.hpp"
#include "runtime/environment/mappings.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

// What a program writes goes into a copy that is a file of the kernel's.
bool has_changed_contents() {
  const FileNames& names = file_names();
  for (unsigned i = 0; i < names.content_count; ++i)
    if (names.contents[i].copy >= 0) return true;
  return false;
}

bool is_end_of_pipe(const OpenFile& f) {
  return f.references && (f.kind == OpenKind::pipe_reader || f.kind == OpenKind::pipe_writer);
}

bool holds_nothing(int pipe) {
  int bytes = 1;
  return system_call(SYS_ioctl, pipe, FIONREAD, reinterpret_cast<long>(&bytes)) == 0 && bytes == 0;
}

// Both ends of a pipe without content become those of a new one, which no other process has open.
void renew_pipe(OpenFile* const (&ends)[2]) {
  const int old = (ends[0] ? ends[0] : ends[1])->raw;
  const long capacity = system_call(SYS_fcntl, old, F_GETPIPE_SZ);
  int raw[2];
  if (system_call(SYS_pipe2, reinterpret_cast<long>(raw), O_NONBLOCK | O_CLOEXEC) < 0) fail_before_main("no pipe can be made");
  if (capacity != system_call(SYS_fcntl, raw[1], F_GETPIPE_SZ)) system_call(SYS_fcntl, raw[1], F_SETPIPE_SZ, capacity);
  for (unsigned i = 0; i < 2; ++i)
    if (ends[i])
      replace_behind(*ends[i], raw[i]);
    else
      system_call(SYS_close, raw[i]);
}

bool save(const OpenFile& file, KernelState& to) {
  if (file.kind == OpenKind::none || (!file.references && !file.uses)) return true;
  if (file.parked) return false;  // a call is under way that uses what no number stands for any more
  switch (file.kind) {
    case OpenKind::output:
    case OpenKind::device:
    case OpenKind::outside:  // nothing goes through it
      return true;
    case OpenKind::file:
    case OpenKind::input:
    case OpenKind::directory: {
      if (file.raw < 0 || to.count == kMostOffsets) return false;
      const long at = system_call(SYS_lseek, file.raw, 0, SEEK_CUR);
      if (at >= 0) to.offsets[to.count++] = {file.raw, int(system_call(SYS_fcntl, file.raw, F_GETFL)), at};
      return at >= 0;
    }
    case OpenKind::pipe_reader:
    case OpenKind::pipe_writer:
      return file.raw >= 0 && holds_nothing(file.raw);
    case OpenKind::socket:
    case OpenKind::event:
    case OpenKind::poll_set:
    case OpenKind::none:
      return false;
  }
  return false;
}

// Files that the library opens for itself (getpwent) stand under low numbers that the program's table does not know.
bool has_unknown_files() {
  constexpr int kLow = 256;
  const DescriptorTable& t = descriptors();
  for (int fd = 3; fd < kLow; ++fd)
    if (!t.open_file[fd] && !t.inherited[fd] && system_call(SYS_fcntl, fd, F_GETFD) >= 0) return true;
  return false;
}

}  // namespace

bool save_kernel_state(KernelState& to) {
  to.count = 0;
  const DescriptorTable& t = descriptors();
  if (has_changed_contents() || has_shared_mappings() || has_unknown_files()) return false;
  for (const auto& aside_of_thread : t.unnumbered)
    if (aside_of_thread[0] || aside_of_thread[1]) return false;
  for (unsigned i = 0; i < t.files_end; ++i)
    if (!save(t.files[i], to)) return false;
  return true;
}

void restore_offsets(const KernelState& from) {
  for (unsigned i = 0; i < from.count; ++i) {
    const auto& offset = from.offsets[i];
    system_call(SYS_lseek, offset.fd, offset.at, SEEK_SET);
    system_call(SYS_fcntl, offset.fd, F_SETFL, offset.flags);
  }
}

void restore_kernel_state(const KernelState& from) {
  restore_offsets(from);
  DescriptorTable& t = descriptors();
  for (unsigned i = 0; i < t.files_end; ++i) {
    if (!is_end_of_pipe(t.files[i])) continue;
    OpenFile* ends[2] = {};
    bool renewed = false;
    for (unsigned k = 0; k < t.files_end; ++k) {
      if (!is_end_of_pipe(t.files[k]) || t.files[k].object != t.files[i].object) continue;
      renewed |= k < i;
      ends[t.files[k].kind == OpenKind::pipe_writer] = &t.files[k];
    }
    if (!renewed) renew_pipe(ends);
  }
}

}  // namespace inspect::runtime
