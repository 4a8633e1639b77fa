// Ranks as processes of one machine, over sockets that exist before they are forked.
//
// Guarantees: rank 0 notices every rank that dies; if rank 0 ends, so do the others. A rank that stays stopped (SIGSTOP) for a
// while is killed. Deliberately unknown here: what ranks do.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "distribute/transport.hpp"

namespace inspect::distribute {

class LocalTransport final : public Transport {
 public:
  // Forks ranks 1 … n-1, in which `work` runs and whose exit status it gives; returns in rank 0, the caller. SIGUSR1, by which
  // rank 0 hurries them, is blocked in them until `work` unblocks it.
  // Error: no sockets, no processes.
  static Result<std::unique_ptr<LocalTransport>> launch(unsigned n, const std::function<int(LocalTransport&)>& work);
  LocalTransport(const LocalTransport&) = delete;
  LocalTransport& operator=(const LocalTransport&) = delete;
  ~LocalTransport() override;  // rank 0: ends the others

  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned size() const override { return static_cast<unsigned>(peers_.size()); }
  void send(unsigned to, const std::string& message) override;
  std::optional<Envelope> receive(int wait_milliseconds) override;
  std::optional<unsigned> lost() override;
  void hurry() override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Peer {
    int socket = -1;                          // its messages go in here
    std::deque<std::string> waiting;          // packets it has no room for yet
    std::string partial;                      // beginning of a message from it
    pid_t process = -1;                       // known in rank 0
    std::optional<Clock::time_point> halted;  // since when it is stopped
  };
  LocalTransport() = default;
  void become(unsigned rank, const std::vector<int>& inboxes);
  void send_rest();  // sends what is queued; returns when all is sent or its receivers are gone
  void flush(Peer& peer);
  bool take_packet();
  void end_if_halted(Peer& peer) const;

  bool hurries_ = false;
  unsigned rank_ = 0;
  int inbox_ = -1;
  std::vector<Peer> peers_;
  std::deque<Envelope> arrived_;
  std::vector<char> buffer_;
};

}  // namespace inspect::distribute
