// A model program as a search::Program: replays prefixes, keeps sleepers asleep, follows the policy of the
// request, like the runtime.
#pragma once
#include <functional>
#include <optional>

#include "oracle/interpreter.hpp"
#include "search/core/program.hpp"

namespace inspect::oracle {

class InterpretedProgram final : public search::Program {
 public:
  // first: what runs where no schedule says so. None: as the runtime does, the running thread, then the lowest. Else a number
  // from which each such choice is drawn: what a search finds must not depend on it.
  explicit InterpretedProgram(const ModelProgram& program, unsigned batch = 1,
                              std::optional<std::uint64_t> first = std::nullopt)
      : initial_(program), batch_(batch), first_(first) {}
  // Where accesses are asked for, plain ones are no transitions, and `code` is what is known of the program.
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
