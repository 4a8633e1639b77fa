#include "process/executor.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "hooks/shared_table.h"
#include "process/launch.hpp"
#include "process/memory.hpp"

namespace inspect::process {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kChannelBytes = INSPECT_CHANNEL_BYTES;
constexpr int kSpins = 3000;
constexpr long kPollMilliseconds = 10;
constexpr auto kStartLimit = std::chrono::seconds(60);

int wait_on(std::uint32_t* word, std::uint32_t value, long milliseconds) {
  const timespec limit{milliseconds / 1000, milliseconds % 1000 * 1'000'000};
  return static_cast<int>(syscall(SYS_futex, word, FUTEX_WAIT, value, &limit, nullptr, 0));
}

bool only_one_core() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1;
}

// What a pipe has to say, as a file that the program can only read.
int file_of_pipe() {
  const int copy = memfd_create("stdin", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  char block[65536];
  for (ssize_t n; (n = read(0, block, sizeof block)) > 0;)
    if (write(copy, block, static_cast<std::size_t>(n)) != n) break;
  fcntl(copy, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  const int to_read = open(("/proc/self/fd/" + std::to_string(copy)).c_str(), O_RDONLY | O_CLOEXEC);
  if (to_read >= 0) close(copy);
  lseek(copy, 0, SEEK_SET);
  return to_read >= 0 ? to_read : copy;
}

// Every execution reads standard input from its start: a pipe is kept as a file. Each executor has a position of its own in it.
int rewindable_input() {
  struct stat status{};
  if (fstat(0, &status) == 0 && S_ISREG(status.st_mode)) {
    const int own = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    return own >= 0 ? own : fcntl(0, F_DUPFD_CLOEXEC, 3);
  }
  const bool redirected = fstat(0, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
  return redirected ? file_of_pipe() : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

// Of the threads from number `first` on: is each one's parent one before it?
bool are_created_by_others(const inspect_channel& c, std::uint32_t first) {
  for (std::uint32_t i = std::max(1u, first); i < c.thread_count; ++i)
    if (c.threads[i].parent >= i) return false;
  return true;
}

// Copies of a process that is gone are ours to wait for; they have been killed.
void wait_for_group(pid_t group) {
  while (waitpid(-group, nullptr, 0) > 0 || errno == EINTR) {
  }
}

Error system_error(const std::string& what) { return Error{what + ": " + std::strerror(errno), true}; }

}  // namespace

Result<bool> keep_input() {
  struct stat status{};
  if (fstat(0, &status) || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))) return true;
  const int copy = file_of_pipe();
  if (copy < 0 || dup2(copy, 0) < 0) return system_error("cannot keep standard input");
  close(copy);
  return true;
}

Result<std::unique_ptr<Executor>> Executor::launch(LaunchOptions options) {
  std::unique_ptr<Executor> executor(new Executor(std::move(options)));
  if (auto created = executor->create_channel(); !created) return created.failure();
  if (auto spawned = executor->spawn(); !spawned) return spawned.failure();
  return executor;
}

Executor::~Executor() {
  kill_process();
  if (channel_) munmap(channel_, kChannelBytes);
  for (const int fd : {channel_descriptor_, output_descriptor_, input_descriptor_})
    if (fd >= 0) close(fd);
}

Result<bool> Executor::create_channel() {
  channel_descriptor_ = memfd_create("inspect-channel", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  output_descriptor_ = memfd_create("inspect-output", MFD_CLOEXEC);
  input_descriptor_ = rewindable_input();
  if (channel_descriptor_ < 0 || output_descriptor_ < 0 || input_descriptor_ < 0)
    return system_error("cannot create the channel");
  if (ftruncate(channel_descriptor_, static_cast<off_t>(kChannelBytes))) return system_error("cannot size the channel");
  fcntl(channel_descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);  // who cuts a file harms all that map it
  void* const at = mmap(nullptr, kChannelBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, channel_descriptor_, 0);
  if (at == MAP_FAILED) return system_error("cannot map the channel");
  channel_ = static_cast<inspect_channel*>(at);
  channel_->version = inspect_channel_version();
  channel_->configuration = options_.configuration;
  channel_->one_core = options_.crowded || only_one_core();
  channel_->thread_count = 1;
  return true;
}

std::string Executor::input() const {
  std::string text;
  char block[65536];
  for (ssize_t n; (n = pread(input_descriptor_, block, sizeof block, static_cast<off_t>(text.size()))) > 0;)
    text.append(block, static_cast<std::size_t>(n));
  return text;
}

Launch Executor::launch_description() const {
  return {options_.program, options_.arguments, channel_descriptor_, input_descriptor_, output_descriptor_};
}

// In the child.
void Executor::become_program(int report, pid_t explorer) const {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != explorer) _exit(126);  // it died before that
  setpgid(0, 0);                          // ^C is the explorer's business
  const int why = execute(launch_description());
  if (write(report, &why, sizeof why) < 0) _exit(126);
  _exit(127);
}

Result<bool> Executor::spawn() {
  channel_->state = INSPECT_EXECUTOR_STARTING;
  channel_->explorer_sleeps = channel_->executor_sleeps = 0;
  int report[2];
  if (pipe2(report, O_CLOEXEC)) return system_error("cannot create a pipe");
  const pid_t self = getpid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_ = fork();
  if (pid_ == 0) become_program(report[1], self);
  close(report[1]);
  int why = 0;
  const bool failed = pid_ > 0 && read(report[0], &why, sizeof why) == sizeof why;
  close(report[0]);
  if (pid_ < 0) return system_error("cannot start a process");
  if (failed) {
    errno = why;
    return Error{options_.program + ": cannot be executed: " + std::strerror(errno)};
  }
  return wait_until_ready();
}

Result<bool> Executor::wait_until_ready() {
  const auto limit = Clock::now() + kStartLimit;
  while (__atomic_load_n(&channel_->state, __ATOMIC_SEQ_CST) == INSPECT_EXECUTOR_STARTING) {
    wait_on(&channel_->state, INSPECT_EXECUTOR_STARTING, kPollMilliseconds);
    if (!started_ && must_stop()) {
      kill_process();
      return Error{why_stopped_};
    }
    if (const auto death = dead()) {
      if (__atomic_load_n(&channel_->state, __ATOMIC_SEQ_CST) != INSPECT_EXECUTOR_STARTING) break;
      std::string said = take_output();
      while (!said.empty() && said.back() == '\n') said.pop_back();
      const std::string how = death->cause == Death::Cause::killed   ? "killed by signal "
                              : death->cause == Death::Cause::halted ? "stopped by signal "
                                                                     : "ended with status ";
      return Error{how + std::to_string(death->detail) + " before main was reached" + (said.empty() ? "" : ": " + said)};
    }
    if (Clock::now() > limit) return Error{"did not reach main within 60 s"};
  }
  if (channel_->state == INSPECT_EXECUTOR_FAILED)
    return Error{std::string(channel_->messages[0], strnlen(channel_->messages[0], INSPECT_MESSAGE_BYTES))};
  keep_intact();
  started_ = true;
  return true;
}

Result<bool> Executor::respawn() {
  kill_process();
  return spawn();
}

void Executor::send() {
  keep_intact();
  __atomic_store_n(&channel_->completed, 0, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&channel_->request, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&channel_->executor_sleeps, __ATOMIC_SEQ_CST))
    syscall(SYS_futex, &channel_->request, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

// The program can write wherever it likes: what never changes tells.
bool Executor::is_damaged() const {
  const auto& then = *reinterpret_cast<const inspect_channel*>(intact_.data());
  const auto differs = [](const auto& a, const auto& b, std::size_t bytes) { return std::memcmp(&a, &b, bytes) != 0; };
  const inspect_channel& now = *channel_;
  const std::uint32_t threads = now.thread_count;
  return now.version != then.version || now.debugged || now.one_core != then.one_core || now.batch != then.batch ||
         differs(now.configuration, options_.configuration, sizeof now.configuration) ||
         now.module_count != then.module_count ||
         differs(now.modules, then.modules, then.module_count * sizeof(inspect_module)) || now.code != then.code ||
         now.code_bytes != then.code_bytes || now.program_main != then.program_main || threads < then.thread_count ||
         threads > INSPECT_MAX_THREADS || differs(now.threads, then.threads, then.thread_count * sizeof(inspect_thread_name)) ||
         !are_created_by_others(now, then.thread_count) || now.assumption_count > INSPECT_MAX_ASSUMPTIONS ||
         now.race_count > INSPECT_MAX_RACES;
}

void Executor::keep_intact() {
  const auto* const begin = reinterpret_cast<const char*>(channel_);
  intact_.assign(begin, begin + offsetof(inspect_channel, results));
}

std::unique_ptr<Death> Executor::damaged() {
  kill_process();
  std::memcpy(static_cast<void*>(channel_), intact_.data(), intact_.size());
  return std::make_unique<Death>(Death{Death::Cause::damaged, 0});
}

std::unique_ptr<Death> Executor::wait(unsigned count) {
  auto death = wait_for(count);
  if (is_damaged()) return damaged();
  return death;
}

bool Executor::must_stop() {
  const auto why = stop_ ? stop_(*this) : std::nullopt;
  if (why) why_stopped_ = *why;
  return why.has_value();
}

std::unique_ptr<Death> Executor::wait_for(unsigned count) {
  const auto completed = [&] { return __atomic_load_n(&channel_->completed, __ATOMIC_SEQ_CST); };
  for (int i = 0; i < (channel_->one_core ? 0 : kSpins); ++i) {
    if (completed() >= count) return nullptr;
    __builtin_ia32_pause();
  }
  auto progress_at = Clock::now();
  std::uint32_t seen = completed();
  while (seen < count) {
    __atomic_store_n(&channel_->explorer_sleeps, 1, __ATOMIC_SEQ_CST);
    if (completed() < count) wait_on(&channel_->completed, seen, kPollMilliseconds);
    __atomic_store_n(&channel_->explorer_sleeps, 0, __ATOMIC_SEQ_CST);
    const std::uint32_t now = completed();
    if (now != seen) progress_at = Clock::now();
    seen = now;
    if (seen >= count) return nullptr;
    if (auto death = dead()) return completed() >= count ? nullptr : std::move(death);
    if (must_stop()) {
      kill_process();
      return std::make_unique<Death>(Death{Death::Cause::stopped, 0});
    }
    if (Clock::now() - progress_at > std::chrono::seconds(options_.wall_clock_seconds)) {
      kill_process();
      return std::make_unique<Death>(Death{Death::Cause::stuck, 0});
    }
  }
  return nullptr;
}

// Has the process been stopped (SIGSTOP)? Nothing else would make it go on, so it is killed.
std::unique_ptr<Death> Executor::halted() {
  siginfo_t stop{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &stop, WSTOPPED | WNOHANG | WNOWAIT) || stop.si_pid != pid_) return nullptr;
  kill_process();
  return std::make_unique<Death>(Death{Death::Cause::halted, stop.si_status});
}

std::unique_ptr<Death> Executor::dead() {
  if (pid_ < 0) return std::make_unique<Death>(Death{Death::Cause::retired, 0});
  int status = 0;
  rusage usage{};
  siginfo_t end{};
  // What it started goes with it, while its number is still its own.
  if (!waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT) && end.si_pid == pid_) kill(-pid_, SIGKILL);
  const pid_t found = wait4(pid_, &status, WNOHANG, &usage);
  if (found == pid_) wait_for_group(pid_);
  if (found < 0 && errno == ECHILD) {  // somebody else took notice of its end
    pid_ = -1;
    return std::make_unique<Death>(Death{Death::Cause::exited, 0});
  }
  if (found != pid_) return halted();
  peak_memory_ = std::max(peak_memory_, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
  pid_ = -1;
  if (WIFSIGNALED(status)) return std::make_unique<Death>(Death{Death::Cause::killed, WTERMSIG(status)});
  const auto cause = channel_->state == INSPECT_EXECUTOR_RETIRED ? Death::Cause::retired : Death::Cause::exited;
  return std::make_unique<Death>(Death{cause, WEXITSTATUS(status)});
}

void Executor::kill_process() {
  if (pid_ < 0) return;
  kill(-pid_, SIGKILL);  // and whatever it started
  kill(pid_, SIGKILL);
  rusage usage{};
  int status = 0;
  while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  wait_for_group(pid_);
  peak_memory_ = std::max(peak_memory_, static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
  pid_ = -1;
}

std::string Executor::take_output() {
  constexpr std::uint64_t kMost = 64 * 1024;
  std::string text;
  struct stat status{};
  if (fstat(output_descriptor_, &status) || status.st_size <= output_read_) return text;
  const auto bytes = static_cast<std::uint64_t>(status.st_size - output_read_);
  text.resize(std::min(bytes, kMost));
  const ssize_t n = pread(output_descriptor_, text.data(), text.size(), output_read_);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  if (bytes > text.size()) text += "\n… (" + std::to_string(bytes - text.size()) + " more bytes)\n";
  output_read_ = status.st_size;
  return text;
}

bool Executor::read_memory(std::uint64_t address, void* to, std::size_t size) const {
  if (pid_ < 0) return false;
  const iovec local{to, size}, remote{reinterpret_cast<void*>(address), size};
  return process_vm_readv(pid_, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

std::string Executor::read_text(std::uint64_t address) const {
  std::string text;
  constexpr std::size_t block = 64, limit = 4096;
  while (address && text.size() < limit) {
    char bytes[block];
    const std::size_t size = block - address % block;  // never across a page that is not there
    if (!read_memory(address, bytes, size)) break;
    const auto* const end = static_cast<const char*>(std::memchr(bytes, 0, size));
    text.append(bytes, end ? static_cast<std::size_t>(end - bytes) : size);
    if (end) break;
    address += size;
  }
  return text;
}

std::uint64_t Executor::peak_memory_bytes() const {
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  std::uint64_t peak = peak_memory_;
  for (pid_t process = std::max(pid_, 0); process; process = child_of(process)) peak = std::max(peak, peak_memory_of(process));
  return peak + static_cast<std::uint64_t>(own.ru_maxrss) * 1024;
}

// The channel counts as the program's, and so does what the program prints.
// Copies of the process share most of what they hold, and what they may hold besides is bounded: the largest counts.
std::uint64_t Executor::memory_bytes() const {
  std::uint64_t largest = 0;
  for (pid_t process = std::max(pid_, 0); process; process = child_of(process))
    largest = std::max(largest, memory_of(process, channel_descriptor_));
  return own_memory() + largest;
}

bool Executor::share(std::uint64_t address, std::uint64_t size) {
  bool grew = false;
  for (std::uint64_t granule = address >> 3; granule <= (address + std::max<std::uint64_t>(size, 1) - 1) >> 3; ++granule) {
    inspect_shared_entry* const entry = inspect_shared_entry_of(inspect_shared_table_of(channel_), granule);
    if (!entry) return false;
    grew |= !entry->shared;
    if (!entry->shared) inspect_make_shared(channel_, entry);
  }
  return grew;
}

}  // namespace inspect::process
