// A model program as a search::Program: replays prefixes, keeps sleepers asleep, follows the policy of the
// request, like the runtime.
#pragma once
#include <functional>

#include "oracle/machine.hpp"
#include "search/program.hpp"

namespace inspect::oracle {

class MachineProgram final : public search::Program {
 public:
  explicit MachineProgram(const ModelProgram& program, unsigned batch = 1) : initial_(program), batch_(batch) {}

  std::vector<Execution> run(std::span<const search::Request> requests) override;
  [[nodiscard]] unsigned preferred_batch() const override { return batch_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  [[nodiscard]] Execution run_one(const search::Request& request) const;

  Machine initial_;
  unsigned batch_;
  std::uint64_t runs_ = 0;
};

}  // namespace inspect::oracle
