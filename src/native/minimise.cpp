#include "native/minimise.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "search/core/outcome.hpp"

namespace inspect::native {
namespace {

using Choices = std::vector<Choice>;

struct Block {  // steps of one thread in a row
  std::size_t begin, end;
  ThreadId thread;
};

class Minimiser {
 public:
  Minimiser(Session& session, const search::FoundBug& bug, double seconds)
      : session_(session), bug_(bug), seconds_(seconds), best_(bug.schedule) {}

  Choices run() {
    const auto first = attempt(best_);
    if (!first) return bug_.schedule;  // whatever the reason, it is shown as it was found
    best_ = *first;
    while (improve()) {
    }
    return best_;
  }

 private:
  static constexpr unsigned kMostExecutions = 400;

  static std::vector<Block> blocks_of(const Choices& choices) {
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (blocks.empty() || blocks.back().thread != choices[i].thread) blocks.push_back({i, i, choices[i].thread});
      blocks.back().end = i + 1;
    }
    return blocks;
  }
  static std::pair<std::size_t, std::size_t> cost(const Choices& choices) {
    return {blocks_of(choices).size(), choices.size()};
  }

  [[nodiscard]] bool used_up() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began_;
    return tried_ >= kMostExecutions || elapsed.count() > seconds_;
  }

  [[nodiscard]] bool is_same_bug(const Execution& e) const {
    return e.end == EndKind::bug && search::same_bug(search::bug_of(e), bug_);
  }

  // The whole schedule that follows `prefix`, if it shows the bug.
  std::optional<Choices> attempt(const Choices& prefix) {
    ++tried_;
    search::Request request;
    request.prefix = prefix;
    request.waits = true;
    const Execution e = std::move(session_.program->run({&request, 1}).front());
    if (e.end == EndKind::stopped) tried_ = kMostExecutions;
    if (!is_same_bug(e) || e.known) return std::nullopt;
    Choices taken;
    for (const Event& event : e.events) taken.push_back(event.choice);
    return taken;
  }

  bool try_one(const Choices& candidate) {
    if (used_up() || candidate == best_) return false;
    auto taken = attempt(candidate);
    if (!taken || cost(*taken) >= cost(best_)) return false;
    best_ = *std::move(taken);
    return true;
  }

  bool improve() {
    const auto blocks = blocks_of(best_);
    // Cut before a switch; the default policy runs the rest.
    for (const Block& b : blocks)
      if (try_one({best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(b.begin)})) return true;
    for (std::size_t i = 0; i < blocks.size() && !used_up(); ++i) {
      const auto later = std::find_if(blocks.begin() + static_cast<std::ptrdiff_t>(i) + 1, blocks.end(),
                                      [&](const Block& b) { return b.thread == blocks[i].thread; });
      if (try_one(without_rest(blocks[i]))) return true;
      if (later == blocks.end()) continue;
      if (try_one(moved(*later, blocks[i].end)) || try_one(moved(blocks[i], later->begin))) return true;
    }
    return false;
  }

  // The schedule with the block moved to `to`.
  [[nodiscard]] Choices moved(const Block& block, std::size_t to) const {
    Choices out;
    const auto add = [&](std::size_t begin, std::size_t end) {
      out.insert(out.end(), best_.begin() + static_cast<std::ptrdiff_t>(begin),
                 best_.begin() + static_cast<std::ptrdiff_t>(end));
    };
    if (to <= block.begin) {
      add(0, to), add(block.begin, block.end), add(to, block.begin), add(block.end, best_.size());
    } else {
      add(0, block.begin), add(block.end, to), add(block.begin, block.end), add(to, best_.size());
    }
    return out;
  }

  // The schedule without this block and all later steps of its thread.
  [[nodiscard]] Choices without_rest(const Block& block) const {
    Choices out(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(block.begin));
    for (std::size_t i = block.begin; i < best_.size(); ++i)
      if (best_[i].thread != block.thread) out.push_back(best_[i]);
    return out;
  }

  Session& session_;
  const search::FoundBug& bug_;
  double seconds_;
  Choices best_;
  unsigned tried_ = 0;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace

bool can_minimise(const inspect_configuration& configuration) {
  return !configuration.visible_all && !configuration.races_go_on;
}

std::vector<Choice> minimised(Session& session, const search::FoundBug& bug, double seconds) {
  if (seconds <= 0 || !can_minimise(session.configuration) || bug.schedule.empty()) return bug.schedule;
  return Minimiser(session, bug, seconds).run();
}

}  // namespace inspect::native
