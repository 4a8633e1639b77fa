#include "distribute/local.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

namespace inspect::distribute {

namespace {

// A message travels in packets of at most so many bytes. Before each stand the sender's rank and whether it is the message's
// last.
constexpr std::size_t kPacketBytes = 32768;
// How long a rank may stay stopped (SIGSTOP) before it is killed.
constexpr auto kGrace = std::chrono::milliseconds(10'000), kGraceAtEnd = std::chrono::milliseconds(200);
struct PacketHeader {
  std::uint32_t from = 0, is_last = 0;
};

// Blocks SIGUSR1, by which rank 0 hurries the others, in this process and those it starts, until the end of the block.
class HurryBlocked {
 public:
  HurryBlocked() {
    sigset_t hurry;
    sigemptyset(&hurry);
    sigaddset(&hurry, SIGUSR1);
    sigprocmask(SIG_BLOCK, &hurry, &before_);
  }
  ~HurryBlocked() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HurryBlocked(const HurryBlocked&) = delete;
  HurryBlocked& operator=(const HurryBlocked&) = delete;

 private:
  sigset_t before_;
};

Error system_error(const std::string& what) { return Error{what + ": " + std::strerror(errno)}; }

}  // namespace

Result<std::unique_ptr<LocalTransport>> LocalTransport::launch(unsigned n, const std::function<int(LocalTransport&)>& work) {
  std::unique_ptr<LocalTransport> self(new LocalTransport);
  self->peers_.resize(n);
  std::vector<int> inboxes;
  for (Peer& peer : self->peers_) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends))
      return system_error("cannot create the sockets of the workers");
    inboxes.push_back(ends[0]);
    peer.socket = ends[1];
  }
  const HurryBlocked blocked;  // a worker that is hurried before it handles the signal must not die of it
  for (unsigned r = 1; r < n; ++r) {
    const pid_t first = getpid(), pid = fork();
    if (pid < 0) return system_error("cannot start a worker");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != first) _exit(1);  // it died before that
      for (Peer& peer : self->peers_) peer.process = -1;
      self->become(r, inboxes);
      const int status = work(*self);
      self->send_rest();
      _exit(status);
    }
    self->peers_[r].process = pid;
  }
  self->become(0, inboxes);
  return self;
}

void LocalTransport::become(unsigned rank, const std::vector<int>& inboxes) {
  rank_ = rank;
  inbox_ = inboxes[rank];
  for (const int inbox : inboxes)
    if (inbox != inbox_) close(inbox);
  buffer_.resize(sizeof(PacketHeader) + kPacketBytes);
}

LocalTransport::~LocalTransport() {
  for (Peer& peer : peers_) {
    if (peer.socket >= 0) close(peer.socket);
    if (peer.process <= 0) continue;
    kill(peer.process, SIGKILL);
    waitpid(peer.process, nullptr, 0);
  }
  if (inbox_ >= 0) close(inbox_);
}

void LocalTransport::send(unsigned to, const std::string& message) {
  Peer& peer = peers_[to];
  std::size_t at = 0;
  do {
    const std::size_t bytes = std::min(kPacketBytes, message.size() - at);
    const PacketHeader header{rank_, at + bytes == message.size()};
    std::string packet(reinterpret_cast<const char*>(&header), sizeof header);
    packet.append(message, at, bytes);
    peer.waiting.push_back(std::move(packet));
    at += bytes;
  } while (at < message.size());
  flush(peer);
}

void LocalTransport::flush(Peer& peer) {
  while (!peer.waiting.empty()) {
    const std::string& packet = peer.waiting.front();
    if (::send(peer.socket, packet.data(), packet.size(), MSG_NOSIGNAL) < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) return;
      if (errno == EINTR) continue;
      peer.waiting.clear();  // it is gone
      return;
    }
    peer.waiting.pop_front();
  }
}

void LocalTransport::send_rest() {
  for (Peer& peer : peers_)
    for (flush(peer); !peer.waiting.empty(); flush(peer)) {
      pollfd room{peer.socket, POLLOUT, 0};
      poll(&room, 1, 100);
    }
}

bool LocalTransport::take_packet() {
  const ssize_t bytes = recv(inbox_, buffer_.data(), buffer_.size(), 0);
  if (bytes < static_cast<ssize_t>(sizeof(PacketHeader))) return false;
  PacketHeader header;
  std::memcpy(&header, buffer_.data(), sizeof header);
  Peer& peer = peers_[header.from];
  peer.partial.append(buffer_.data() + sizeof header, static_cast<std::size_t>(bytes) - sizeof header);
  if (header.is_last) arrived_.push_back({header.from, std::exchange(peer.partial, {})});
  return true;
}

std::optional<Envelope> LocalTransport::receive(int wait_milliseconds) {
  std::vector<pollfd> ready;
  for (;;) {
    for (Peer& peer : peers_)
      if (!peer.waiting.empty()) flush(peer);
    while (take_packet()) {
    }
    if (!arrived_.empty() || wait_milliseconds <= 0) break;
    ready.assign(1, {inbox_, POLLIN, 0});
    for (const Peer& peer : peers_)
      if (!peer.waiting.empty()) ready.push_back({peer.socket, POLLOUT, 0});
    if (poll(ready.data(), ready.size(), wait_milliseconds) <= 0) break;
    if (!ready[0].revents) --wait_milliseconds;  // only room for a packet: wait on
  }
  if (arrived_.empty()) return std::nullopt;
  Envelope first = std::move(arrived_.front());
  arrived_.pop_front();
  return first;
}

void LocalTransport::hurry() {
  hurries_ = true;
  for (const Peer& peer : peers_)
    if (peer.process > 0) kill(peer.process, SIGUSR1);
}

// Kills a rank that stays stopped (SIGSTOP): others can explore its work, but would wait for it for ever.
void LocalTransport::end_if_halted(Peer& peer) const {
  siginfo_t stop{};
  const bool halted = !waitid(P_PID, static_cast<id_t>(peer.process), &stop, WSTOPPED | WNOHANG | WNOWAIT) && stop.si_pid;
  if (!halted) return peer.halted.reset();
  if (!peer.halted) peer.halted = Clock::now();
  if (Clock::now() - *peer.halted > (hurries_ ? kGraceAtEnd : kGrace)) kill(peer.process, SIGKILL);
}

std::optional<unsigned> LocalTransport::lost() {
  for (unsigned r = 0; r < peers_.size(); ++r) {
    if (peers_[r].process <= 0) continue;
    int status = 0;
    if (waitpid(peers_[r].process, &status, WNOHANG) != peers_[r].process) {
      end_if_halted(peers_[r]);
      continue;
    }
    peers_[r].process = -1;
    if (!WIFEXITED(status) || WEXITSTATUS(status)) return r;  // with status 0 it has done its work
  }
  return std::nullopt;
}

}  // namespace inspect::distribute
