// A model program as a search::Program. Like the runtime it replays prefixes, keeps sleepers asleep, and follows the policy of
// the request.
#pragma once
#include <functional>
#include <optional>

#include "oracle/interpreter.hpp"
#include "search/core/program.hpp"

namespace inspect::oracle {

class InterpretedProgram final : public search::Program {
 public:
  // first: what runs after the prefix with policy RUN. None: like the runtime, the running thread, then the one with the lowest
  // number. Else a seed from which each choice is drawn: what a search finds must not depend on it.
  explicit InterpretedProgram(const ModelProgram& program, unsigned batch = 1,
                              std::optional<std::uint64_t> first = std::nullopt)
      : initial_(program), batch_(batch), first_(first) {}
  // Sets what code() returns. For requests with `accesses`; in these, plain accesses are no transitions.
  void know(search::Code code) { code_ = std::move(code); }

  std::vector<Execution> run(std::span<const search::Request> requests) override;
  [[nodiscard]] unsigned preferred_batch() const override { return batch_; }
  [[nodiscard]] const search::Code* code() override { return code_ ? &*code_ : nullptr; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  [[nodiscard]] Execution run_one(const search::Request& request) const;

  Interpreter initial_;
  unsigned batch_;
  std::optional<std::uint64_t> first_;
  std::optional<search::Code> code_;
  std::uint64_t runs_ = 0;
};

}  // namespace inspect::oracle
