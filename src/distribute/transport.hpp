// Messages between the ranks of one search.
//
// Guarantees: a message arrives whole or not at all; messages of one rank to another arrive in the order they were sent;
// sending never waits for the receiver to receive. Deliberately unknown here: what they mean.
#pragma once
#include <optional>
#include <string>

namespace inspect::distribute {

struct Envelope {
  unsigned from = 0;
  std::string message;
};

class Transport {
 public:
  virtual ~Transport() = default;
  [[nodiscard]] virtual unsigned rank() const = 0;
  [[nodiscard]] virtual unsigned size() const = 0;
  // Does nothing if the receiver is gone.
  virtual void send(unsigned to, const std::string& message) = 0;
  // The next message; waits at most so many milliseconds for one.
  virtual std::optional<Envelope> receive(int wait_milliseconds) = 0;
  // Tells the others, if the transport can, that the end has come: a rank in the middle of an execution stops it.
  virtual void hurry() {}
  // A rank that has died since the last call, if the transport can tell.
  virtual std::optional<unsigned> lost() { return std::nullopt; }
};

}  // namespace inspect::distribute
