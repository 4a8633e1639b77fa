// A search that does nothing but write down what a cut asks of it.
#pragma once
#include <utility>
#include <vector>

#include "search/cut/cut.hpp"
#include "walk.hpp"

namespace inspect::search {

// Of which only what cuts ask for can be told.
class FakeProgram final : public Program, private Swaps {
 public:
  std::vector<Execution> run(std::span<const Request>) override { return {}; }
  [[nodiscard]] Swaps& swaps() override { return *this; }
  [[nodiscard]] bool stays(std::uint64_t object) const override { return object != moves; }
  [[nodiscard]] bool addresses_used() const override { return uses_addresses; }
  [[nodiscard]] const Code* code() override { return known_code; }

  std::uint64_t moves = 0;  // an object that a swap of threads moves
  bool uses_addresses = false;
  const Code* known_code = nullptr;
};

class FakeHost final : public CutHost {
 public:
  explicit FakeHost(Walk& walk) : walk_(walk) {}

  [[nodiscard]] const ThreadSet& enabled(std::uint32_t state) const override { return walk_.path().enabled(state); }
  [[nodiscard]] const ThreadSet& scheduled(std::uint32_t state) const override {
    return walk_.tree()[walk_.path().node(state)].backtrack;
  }
  [[nodiscard]] bool awake(std::uint32_t, ThreadId) const override { return true; }
  void schedule(std::uint32_t state, ThreadId t) override { asked.emplace_back(state, t); }
  void insert(std::uint32_t, std::span<const SequenceStep>) override {}
  [[nodiscard]] Tree& tree() override { return walk_.tree(); }
  [[nodiscard]] const Path& path() const override { return walk_.path(); }
  [[nodiscard]] Program& program() override { return told; }
  [[nodiscard]] const Options& options() const override { return chosen; }
  [[nodiscard]] Races& races() override { return found; }
  void races_behind(std::span<const ThreadOperation> possible) override { behind.assign(possible.begin(), possible.end()); }
  void schedule_all(std::uint32_t state) override { all_at.push_back(state); }
  void move_to(NodeId node) override {
    std::uint32_t state = 0;
    while (walk_.path().node(state) != node) ++state;
    walk_.back_to(state);
  }
  void leave_out(NodeId pending) override { left_out.push_back(pending); }

  Options chosen;
  FakeProgram told;
  Races found;
  std::vector<std::pair<std::uint32_t, ThreadId>> asked;  // schedule()
  std::vector<std::uint32_t> all_at;                      // schedule_all()
  std::vector<ThreadOperation> behind;                    // races_behind()
  std::vector<NodeId> left_out;

 private:
  Walk& walk_;
};

}  // namespace inspect::search
