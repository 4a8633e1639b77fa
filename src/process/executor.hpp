// One live executor process: the program under test with its runtime, and the channel to it.
//
// Guarantees: a dead executor is noticed, never waited for; a new one takes over at the same channel, so thread numbers stay.
// The executor dies with its explorer. Deliberately unknown here: what requests mean.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "hooks/channel.h"
#include "process/launch.hpp"

namespace inspect::process {

class Executor;

// Why the process must be stopped now; nothing: it may go on. Empty: a reason that another process tells.
using StopHook = std::function<std::optional<std::string>(const Executor&)>;

struct LaunchOptions {
  std::string program;
  std::vector<std::string> arguments;  // without the program's name
  inspect_configuration configuration{};
  bool crowded = false;                    // more processes than cores: do not spin
  std::uint32_t wall_clock_seconds = 120;  // without a completed execution: the executor is taken for blocked and killed
  StopHook stop;                           // as stop_when()
};

// Why an executor stopped before it had completed its batch.
struct Death {
  enum class Cause {
    retired,
    killed,
    exited,
    stuck,
    stopped,
    halted,
    damaged
  } cause;     // stopped: by us, as asked to; halted: by a signal such as SIGSTOP; damaged: the channel
  int detail;  // signal or exit status
};

// A pipe at standard input is read to its end and becomes a file, so that several executors can read it.
Result<bool> keep_input();

class Executor {
 public:
  // Error: one line for the user (cannot start, another version, address space not fixed).
  static Result<std::unique_ptr<Executor>> launch(LaunchOptions options);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  ~Executor();

  inspect_channel& channel() { return *channel_; }
  // What standard input holds.
  [[nodiscard]] std::string input() const;
  // Hands over the batch in channel().requests (channel().batch of them).
  void send();
  // Asked about a hundred times a second while it waits for the program: once it gives a reason, the process is killed.
  void stop_when(StopHook stop) { stop_ = std::move(stop); }
  [[nodiscard]] const std::string& why_stopped() const { return why_stopped_; }
  // Waits until at least `count` requests of the batch are complete. Null: they are; else how the executor died.
  std::unique_ptr<Death> wait(unsigned count);
  // Starts a new process for the next batch; the old one is gone.
  Result<bool> respawn();
  // Another process that is started by it shares the channel: the two must not be at work at once.
  [[nodiscard]] Launch launch_description() const;
  [[nodiscard]] pid_t pid() const { return pid_; }
  // Bytes the program wrote to stdout and stderr since the last call, in requests with INSPECT_REQUEST_OUTPUT: of many the
  // first ones, and how many more there are.
  std::string take_output();
  // What it said cannot be: kills it, and mends the channel. Nothing of the batch counts.
  std::unique_ptr<Death> damaged();
  // Copies from the executor's memory; false when it cannot be read.
  bool read_memory(std::uint64_t address, void* to, std::size_t size) const;
  std::string read_text(std::uint64_t address) const;
  [[nodiscard]] std::uint64_t peak_memory_bytes() const;
  // What it takes now, and what this process takes for itself.
  [[nodiscard]] std::uint64_t memory_bytes() const;
  // visible=all: makes a range of the program's memory scheduling points. False if it was that already, or there is no more
  // room.
  bool share(std::uint64_t address, std::uint64_t size);

 private:
  explicit Executor(LaunchOptions options) : options_(std::move(options)), stop_(options_.stop) {}
  Result<bool> create_channel();
  Result<bool> spawn();
  Result<bool> wait_until_ready();
  [[noreturn]] void become_program(int report, pid_t explorer) const;
  std::unique_ptr<Death> dead();
  std::unique_ptr<Death> halted();
  void kill_process();
  std::unique_ptr<Death> wait_for(unsigned count);
  [[nodiscard]] bool is_damaged() const;
  void keep_intact();
  [[nodiscard]] bool must_stop();

  LaunchOptions options_;
  StopHook stop_;
  std::string why_stopped_;
  inspect_channel* channel_ = nullptr;
  int channel_descriptor_ = -1, output_descriptor_ = -1, input_descriptor_ = -1;
  off_t output_read_ = 0;
  pid_t pid_ = -1;
  std::vector<char> intact_;  // what precedes the results in the channel, as it was when the batch was sent
  bool started_ = false;      // once at least
  std::uint64_t peak_memory_ = 0;
};

}  // namespace inspect::process
