// Ranks of mpirun: a plug-in of its own, so that `inspect` does not link MPI.
//
// A rank that dies ends all others, as is usual with MPI; a checkpoint helps. Guarantees: see Transport.
#include <mpi.h>

#include <chrono>
#include <deque>
#include <thread>

#include "distribute/mpi.hpp"

namespace inspect::distribute {

namespace {

constexpr int kTag = 1;

class MpiTransport final : public Transport {
 public:
  MpiTransport() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiTransport() override {
    while (!sent_.empty()) drop_arrived();
    MPI_Finalize();
  }
  [[nodiscard]] unsigned rank() const override { return static_cast<unsigned>(rank_); }
  [[nodiscard]] unsigned size() const override { return static_cast<unsigned>(size_); }

  void send(unsigned to, const std::string& message) override {
    Sent& sent = sent_.emplace_back();
    sent.message = message;
    MPI_Isend(sent.message.data(), static_cast<int>(sent.message.size()), MPI_BYTE, static_cast<int>(to), kTag, MPI_COMM_WORLD,
              &sent.request);
    drop_arrived();
  }

  std::optional<Envelope> receive(int wait_milliseconds) override {
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::milliseconds(wait_milliseconds);
    drop_arrived();
    for (;;) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &status);
      if (there) return take(status);
      if (Clock::now() >= until) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

 private:
  struct Sent {
    std::string message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  static Envelope take(const MPI_Status& status) {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    Envelope envelope{static_cast<unsigned>(status.MPI_SOURCE), std::string(static_cast<std::size_t>(bytes), '\0')};
    MPI_Recv(envelope.message.data(), bytes, MPI_BYTE, status.MPI_SOURCE, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return envelope;
  }
  void drop_arrived() {
    while (!sent_.empty()) {
      int arrived = 0;
      MPI_Test(&sent_.front().request, &arrived, MPI_STATUS_IGNORE);
      if (!arrived) return;
      sent_.pop_front();
    }
  }

  int rank_ = 0, size_ = 1;
  std::deque<Sent> sent_;  // a deque, so that the messages stay where they are
};

}  // namespace

}  // namespace inspect::distribute

extern "C" inspect::distribute::Transport* inspect_open_mpi() { return new inspect::distribute::MpiTransport; }
