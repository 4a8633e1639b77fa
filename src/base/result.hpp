// A value, or a message for the user that says why there is none: the type of limits and of bad input.
//
// Guarantees: exactly one of the two; reading the wrong one ends the process (it is a bug of ours, never the user's).
// Deliberately unknown here: verdicts (values of their own) and internal errors.
#pragma once
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace inspect {

// One sentence for the user, no full stop, no line break unless it quotes another program's output.
struct Error {
  std::string message;
  bool of_system = false;  // the system refuses what we need ourselves: it says nothing of the user's input
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] T& value() & { return ok() ? *std::get_if<0>(&state_) : (std::abort(), *std::get_if<0>(&state_)); }
  [[nodiscard]] const T& value() const& { return ok() ? *std::get_if<0>(&state_) : (std::abort(), *std::get_if<0>(&state_)); }
  [[nodiscard]] T&& value() && { return std::move(value()); }
  [[nodiscard]] T& operator*() { return value(); }
  [[nodiscard]] const T& operator*() const { return value(); }
  [[nodiscard]] T* operator->() { return &value(); }
  [[nodiscard]] const T* operator->() const { return &value(); }
  [[nodiscard]] const std::string& error() const { return failure().message; }
  [[nodiscard]] const Error& failure() const {
    if (ok()) std::abort();
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace inspect
