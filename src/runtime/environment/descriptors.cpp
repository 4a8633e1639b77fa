#include "runtime/environment/descriptors.hpp"
#include "runtime/environment/output.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/disturbance.hpp"
#include "runtime/upcalls/reports.hpp"

namespace inspect::runtime {
namespace {

// The program's numbers are below the runtime's own, which stand at 900 and above, and above everything.
constexpr unsigned kProgramEnd = 900, kOwn = 44032, kKernelLimit = 45056;
static_assert(kProgramEnd <= INSPECT_MAX_DESCRIPTORS && INSPECT_MAX_DESCRIPTORS < INSPECT_MAX_OPEN_FILES);

[[noreturn]] void used_up(std::uint32_t site) {
  report_limit(INSPECT_LIMIT_MEMORY, "more descriptors than are modelled", site);
}

bool closes_on_exec(int fd) { return system_call(SYS_fcntl, fd, F_GETFD) & FD_CLOEXEC; }

int move_out_of_the_way(int raw, bool close_on_exec) {
  const int how = close_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD;
  long kept = system_call(SYS_fcntl, raw, how, kOwn);
  if (kept < 0) kept = system_call(SYS_fcntl, raw, how, kProgramEnd);  // few descriptors are allowed: make do
  if (kept < 0) report_limit(INSPECT_LIMIT_MEMORY, "the system's limit of open files is too low (ulimit -n)", 0);
  system_call(SYS_close, raw);
  return int(kept);
}

void enter(int fd, unsigned file) {
  DescriptorTable& t = descriptors();
  state().descriptors_touched = true;
  t.open_file[fd] = std::uint16_t(file + 1);
  if (!t.files[file].references++) t.files[file].raw = fd;
  if (unsigned(fd) + 1 > t.end) t.end = unsigned(fd) + 1;
  if (file + 1 > t.files_end) t.files_end = file + 1;
  if (fd < 3) t.changed_standard = true;
  labels_changed();
}

bool is_free(const OpenFile& f) { return !f.references && !f.uses; }

// The open file that the number would name is still there: a duplicate or a call under way keeps it.
unsigned spare_file(std::uint32_t site) {
  const DescriptorTable& t = descriptors();
  for (unsigned file = INSPECT_MAX_DESCRIPTORS; file < INSPECT_MAX_OPEN_FILES; ++file)
    if (is_free(t.files[file])) return file;
  used_up(site);
}

OpenFile opened(OpenKind kind, unsigned file, int flags) {
  return {.kind = kind,
          .nonblocking = (flags & O_NONBLOCK) != 0,
          .adopted = false,
          .parked = false,
          .references = 0,
          .uses = 0,
          .object = std::uint16_t(file),
          .raw = -1,
          .content = -1,
          .flags = flags,
          .path = 0,
          .page_end = 0};
}

void make_standard(unsigned fd, OpenKind kind) {
  DescriptorTable& t = descriptors();
  t.files[fd] = opened(kind, fd, fd ? O_WRONLY : O_RDONLY);
  t.files[fd].adopted = true;
  t.files[fd].references = 1;
  t.files[fd].raw = int(fd);
  t.open_file[fd] = std::uint16_t(fd + 1);
}

void restore_standard() {
  DescriptorTable& t = descriptors();
  if (t.changed_standard) {
    system_call(SYS_dup2, t.saved_input, 0);
    restore_output_descriptors();
  }
  if (t.input_used && t.input_offset >= 0) system_call(SYS_lseek, 0, t.input_offset, SEEK_SET);
  t.changed_standard = t.input_used = false;
}

// --- What was open before main.

bool is_stateless_device(const struct stat& status) {
  if (!S_ISCHR(status.st_mode) || major(status.st_rdev) != 1) return false;
  const unsigned number = minor(status.st_rdev);
  return number == 3 || number == 5 || number == 7;  // null, zero, full
}

OpenKind kind_before_main(const struct stat& status, int flags, bool inherited) {
  if (is_stateless_device(status)) return OpenKind::device;
  const bool readable = (flags & O_ACCMODE) == O_RDONLY;
  if (S_ISREG(status.st_mode) && inherited) return readable ? OpenKind::input : OpenKind::outside;
  if (S_ISREG(status.st_mode)) return OpenKind::file;
  return OpenKind::outside;
}

void find_adopted() {
  DescriptorTable& t = descriptors();
  for (int fd = 3; fd < int(kProgramEnd); ++fd) {
    const long flags = system_call(SYS_fcntl, fd, F_GETFL);
    if (flags < 0) continue;
    if (t.adopted_count == kMostAdopted) fail_before_main("more open files than are modelled");
    struct stat status{};
    system_call(SYS_fstat, fd, reinterpret_cast<long>(&status));
    AdoptedFile& a = t.adopted[t.adopted_count++];
    a = {.fd = fd,
         .saved = -1,
         .kind = kind_before_main(status, int(flags), t.inherited[fd]),
         .flags = int(flags),
         .offset = -1};
    const long duplicate = system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kOwn);
    a.saved = int(duplicate >= 0 ? duplicate : system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kProgramEnd));
    if (a.kind == OpenKind::file || a.kind == OpenKind::input) a.offset = system_call(SYS_lseek, fd, 0, SEEK_CUR);
  }
}

void enter_adopted() {
  DescriptorTable& t = descriptors();
  for (unsigned i = 0; i < t.adopted_count; ++i) {
    const AdoptedFile& a = t.adopted[i];
    t.files[a.fd] = opened(a.kind, unsigned(a.fd), a.flags);
    t.files[a.fd].adopted = true;
    enter(a.fd, unsigned(a.fd));
  }
}

// Each execution finds the file that the constructors left; what it writes, it writes to a private copy.
void adopt_content(OpenFile& f) {
  DescriptorTable& t = descriptors();
  for (unsigned i = 0; i < t.adopted_count; ++i) {
    const AdoptedFile& a = t.adopted[i];
    if (a.fd == int(&f - t.files)) return adopt_file(f, a);
  }
}

}  // namespace

OpenFile* open_file(int fd) {
  DescriptorTable& t = descriptors();
  if (unsigned(fd) >= INSPECT_MAX_DESCRIPTORS || !t.open_file[fd]) return nullptr;
  OpenFile& f = t.files[t.open_file[fd] - 1];
  if (f.adopted) state().descriptors_touched = true;  // to be as it was at main again
  if (f.adopted && f.kind == OpenKind::file && f.content < 0) adopt_content(f);
  return &f;
}

bool is_program_descriptor(int fd) { return unsigned(fd) < kProgramEnd; }

void add_descriptor_at(int fd, OpenKind kind, std::int32_t content, int flags, std::uint32_t site) {
  DescriptorTable& t = descriptors();
  if (!is_program_descriptor(fd)) used_up(site);
  const unsigned file = is_free(t.files[fd]) ? unsigned(fd) : spare_file(site);
  t.files[file] = opened(kind, file, flags);
  t.files[file].content = content;
  enter(fd, file);
}

void add_duplicate_at(int fd, OpenFile& file) { enter(fd, unsigned(&file - descriptors().files)); }

namespace {

int lowest_free(int least) {
  const DescriptorTable& t = descriptors();
  while (least < int(kProgramEnd) - 1 && t.open_file[least]) ++least;
  return least;
}

// Whoever opens depends on all lower numbers, and takes one.
void number_label(const void* argument, Operation& o) {
  const int least = *static_cast<const int*>(argument), number = lowest_free(least);
  const Objects taken = number_objects(least, number);
  o.object = taken.at;
  o.size = taken.size;
  o.object2 = inspect_descriptor_object(unsigned(number));
  o.size2 = 64;
}

int& aside(int raw) {
  int(&places)[2] = descriptors().unnumbered[current_thread()];
  return places[places[0] != (raw ? raw + 1 : 0)];
}

// Gives a descriptor of the kernel the program's lowest free number; enter(number) puts it into the table.
template <class Enter>
int take_number(int raw, int least, std::uint32_t site, Enter&& enter_it) {
  if (!is_program_descriptor(several_threads() ? least : raw)) used_up(site);
  if (!several_threads()) return enter_it(raw), raw;
  raw = set_aside(raw);
  FileStep step(INSPECT_OP_FileOperation, {}, {}, site, nullptr, {number_label, &least});
  const int fd = int(system_call(SYS_fcntl, raw, closes_on_exec(raw) ? F_DUPFD_CLOEXEC : F_DUPFD, least));
  system_call(SYS_close, raw);
  aside(raw) = 0;
  if (!is_program_descriptor(fd)) used_up(site);
  enter_it(fd);
  step.done();
  return fd;
}

}  // namespace

int set_aside(int raw) {
  if (!several_threads() || raw >= int(kProgramEnd)) return raw;
  const int kept = move_out_of_the_way(raw, closes_on_exec(raw));
  aside(0) = kept + 1;
  state().descriptors_touched = true;
  return kept;
}

int add_descriptor(int raw, OpenKind kind, std::int32_t content, int flags, std::uint32_t site) {
  return take_number(raw, 0, site, [&](int fd) { add_descriptor_at(fd, kind, content, flags, site); });
}

int add_duplicate(int raw, OpenFile& file, int least, std::uint32_t site) {
  return take_number(raw, least, site, [&](int fd) { add_duplicate_at(fd, file); });
}

void before_replacing(int fd) {
  DescriptorTable& t = descriptors();
  if (!t.open_file[fd]) return;
  const std::uint16_t number = t.open_file[fd];
  OpenFile& f = t.files[number - 1];
  if (f.raw != fd) return;
  f.raw = -1;
  for (unsigned other = 0; other < t.end && f.raw < 0; ++other)
    if (other != unsigned(fd) && t.open_file[other] == number) f.raw = int(other);
  if (f.raw >= 0 || !f.uses) return;
  f.raw = keep_out_of_the_way(int(system_call(SYS_fcntl, fd, F_DUPFD_CLOEXEC, kProgramEnd)));
  f.parked = true;
}

void drop_descriptor(int fd, bool close_it) {
  DescriptorTable& t = descriptors();
  if (unsigned(fd) >= INSPECT_MAX_DESCRIPTORS || !t.open_file[fd]) return;
  state().descriptors_touched = true;
  if (fd < 3) t.changed_standard = true;
  before_replacing(fd);
  if (close_it) system_call(SYS_close, fd);
  --t.files[t.open_file[fd] - 1].references;
  t.open_file[fd] = 0;
  labels_changed();
}

void replace_behind(const OpenFile& file, int raw) {
  DescriptorTable& t = descriptors();
  const auto number = std::uint16_t(&file - t.files + 1);
  for (unsigned fd = 0; fd < t.end; ++fd)
    if (t.open_file[fd] == number) system_call(SYS_dup3, raw, fd, closes_on_exec(int(fd)) ? O_CLOEXEC : 0);
  if (file.parked) system_call(SYS_dup3, raw, file.raw, O_CLOEXEC);
  system_call(SYS_close, raw);
}

int keep_out_of_the_way(int raw) { return move_out_of_the_way(raw, true); }

void begin_use(OpenFile& file) {
  ++file.uses;
  if (several_threads()) state().descriptors_touched = true;  // the execution may end meanwhile
}

void end_use(OpenFile& file) {
  if (!file.references && active()) disturb(*state().current);  // only the use kept it open: others may have seen that
  if (--file.uses || file.references || !file.parked) return;
  system_call(SYS_close, file.raw);
  file.parked = false;
  file.raw = -1;
}

void note_inherited_descriptors() {
  DescriptorTable& t = descriptors();
  for (int fd = 3; fd < int(kProgramEnd); ++fd) t.inherited[fd] = system_call(SYS_fcntl, fd, F_GETFD) >= 0;
}

void boot_descriptors() {
  DescriptorTable& t = descriptors();
  rlimit limit{};
  system_call(SYS_prlimit64, 0, RLIMIT_NOFILE, 0, reinterpret_cast<long>(&limit));
  if (limit.rlim_cur < kKernelLimit) {
    limit.rlim_cur = limit.rlim_max < kKernelLimit ? limit.rlim_max : kKernelLimit;
    system_call(SYS_prlimit64, 0, RLIMIT_NOFILE, reinterpret_cast<long>(&limit), 0);
  }
  make_standard(0, OpenKind::input);
  make_standard(1, OpenKind::output);
  make_standard(2, OpenKind::output);
  t.end = t.files_end = 3;
  if (state().standalone) return;
  t.saved_input = int(system_call(SYS_fcntl, 0, F_DUPFD_CLOEXEC, kProgramEnd));
  t.input_offset = system_call(SYS_lseek, 0, 0, SEEK_CUR);
  find_adopted();
  enter_adopted();
}

namespace {

// The kernel's side of what the execution opened, and of what it did to what was open before.
void close_what_was_opened() {
  DescriptorTable& t = descriptors();
  for (unsigned fd = 3; fd < t.end; ++fd)
    if (t.open_file[fd]) system_call(SYS_close, fd);
  for (unsigned file = 0; file < t.files_end; ++file)
    if (t.files[file].parked) system_call(SYS_close, t.files[file].raw);
  for (const auto& aside_of_thread : t.unnumbered)
    for (const int raw : aside_of_thread)
      if (raw) system_call(SYS_close, raw - 1);
  for (unsigned i = 0; i < t.adopted_count; ++i) {
    const AdoptedFile& a = t.adopted[i];
    system_call(SYS_dup2, a.saved, a.fd);
    system_call(SYS_fcntl, a.fd, F_SETFL, a.flags);
    if (a.offset >= 0) system_call(SYS_lseek, a.fd, a.offset, SEEK_SET);
  }
}

}  // namespace

void reset_descriptors() {
  DescriptorTable& t = descriptors();
  restore_standard();
  close_what_was_opened();
  memset(t.open_file, 0, t.end * sizeof *t.open_file);
  memset(t.files, 0, t.files_end * sizeof *t.files);
  memset(t.unnumbered, 0, sizeof t.unnumbered);
  t.labelled = {};
  t.changed = false;
  make_standard(0, OpenKind::input);
  make_standard(1, OpenKind::output);
  make_standard(2, OpenKind::output);
  t.end = t.files_end = 3;
  const bool changed = t.changed_standard;
  enter_adopted();
  t.changed_standard = changed;
}

}  // namespace inspect::runtime
