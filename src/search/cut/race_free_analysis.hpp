// Is everything that can follow a state free of data races? A lockset analysis of the execution that was observed from there
// on, and of the code that other executions may take instead (the dissertation, ch. 5; SEMANTICS I.3).
//
// What a thread does after the state is *certain* up to the first value it reads that another thread may change and that
// decides about control flow, addresses, locks or lengths: up to there it does the same in every execution. After that, all
// that its code may do counts (reachable_effects.hpp). Two accesses are safe if a lock excludes them, or if creation and joins
// of threads order them in every execution. Guarantees: "free" is certain; possible() then holds every visible operation that
// can follow. A thread that did not run to its end, or code of which too little is known, makes the answer "not free".
// Deliberately unknown here: what is done with the answer.
//
// A race is a pair that synchronisation does not order, so one of the two accesses may lie before the state. Pairs of a past
// access and one after the state are checked too; the past is as it was observed.
#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "search/core/path.hpp"
#include "search/cut/reachable_effects.hpp"
#include "search/cut/summary.hpp"

namespace inspect::search {

// What walks through the code have found, kept over all executions of a search. A walk begins at one place, with one argument
// and one set of locks; what it found is used again as long as the memory that it looked at holds the same.
struct WalkedCode {
  struct From {
    std::uint32_t entry, site;
    Places argument;
    Locksets::Number held;
    friend auto operator<=>(const From&, const From&) = default;
  };
  struct Walk {
    ReachableEffects reachable;
    std::map<std::uint64_t, std::optional<std::uint64_t>> looked_at;
  };
  Locksets locks;
  std::map<From, Walk> walks;
};

// Whether to try an analysis: after many failures in a row, tries become rarer.
class Backoff {
 public:
  [[nodiscard]] bool allows() { return pause_ == 0 || --pause_ == 0; }
  void learn(bool success) {
    vain_ = success ? 0 : vain_ + 1;
    constexpr unsigned kMany = 16, kLongest = 6;
    if (vain_ >= kMany) pause_ = 1u << std::min(vain_ - kMany + 1, kLongest);
  }

 private:
  unsigned vain_ = 0, pause_ = 0;
};

class RaceFreeAnalysis {
 public:
  RaceFreeAnalysis(const Code& code, const Path& path, WalkedCode& walked);

  // Is the state at a depth of the path free? If it is not, or that is not known, why() says why.
  bool check(std::uint32_t state);
  [[nodiscard]] const std::string& why() const { return why_; }
  // The last state that was asked for.
  [[nodiscard]] std::uint32_t state() const { return state_; }
  // Every visible operation that can follow that state, which was found free.
  [[nodiscard]] std::vector<ThreadOperation> possible() const;

 private:
  static constexpr std::uint32_t kEver = ~0u;  // no item; in a clock: all items of the thread
  struct Item {
    ThreadId thread = 0;
    std::uint32_t event = 0;  // depth of the transition it belongs to
    std::uint32_t index = 0;  // its number among the items of its thread, from 1
    bool visible = false, steers = false, varies = false;
    Operation operation{};
    Locksets::Number locks = 0, locks_after = 0;  // held while it happens, and then
    bool tainted = false;                         // in the present check: a write of a value that may be another one
  };
  // Accesses of one thread between two steps, with the same locks, that together touch bytes without a gap. `item`: the first
  // of them.
  struct Range {
    std::uint64_t begin = 0, end = 0;
    std::uint32_t item = 0;
    bool plain = false;
  };
  struct Thread {
    std::uint32_t entry = kEver;  // function
    Places argument;
    std::uint32_t began = 0;  // item
    std::vector<std::uint32_t> items, varying;
    // Of the present check:
    std::uint32_t last = kEver;  // the last item that is certain; kEver: all are
    std::uint32_t clock = 0;     // its clock at its last certain item
    const ReachableEffects* reachable = nullptr;
  };

  [[nodiscard]] std::string find_obstacle(const Path& path) const;
  void observe(const Path& path);
  void observe_visible(const Path& path, std::uint32_t d);
  std::uint32_t add_item(Item item);
  void hold(ThreadId t, const Operation& o);
  void forget_cells(const Operation& o);
  void arrange();
  void find_ranges();
  void find_unprotected();
  bool prepare(std::uint32_t state);
  void order();
  void pass_lock(const Item& item);
  void pass_thread(const Item& item);
  std::uint32_t copy_clock(std::uint32_t number);
  void join_clock(std::uint32_t into, std::uint32_t from, ThreadId but = kMaxThreads);
  [[nodiscard]] std::uint32_t clock_of(const Item& item, ThreadId t) const;
  [[nodiscard]] bool knows_end(const Thread& a, ThreadId b) const;
  [[nodiscard]] bool certain(const Item& item) const;
  [[nodiscard]] bool is_past(const Item& item) const { return item.event <= state_; }
  [[nodiscard]] bool open(const Item& item) const { return !is_past(item) && certain(item); }
  bool settle();
  bool find_reachable();
  const ReachableEffects& walk(const Thread& thread, std::uint32_t site, Locksets::Number held);
  bool look_at_reads();
  bool look_at_joins();
  void taint();
  [[nodiscard]] bool flows(const Item& read, const Item& write) const;
  [[nodiscard]] bool find_unstable(const Item& read) const;
  [[nodiscard]] bool may_write(ThreadId t, std::uint64_t begin, std::uint64_t size) const;
  bool check_cells();
  [[nodiscard]] bool written_since(std::uint64_t cell, std::uint32_t item) const;
  bool conflict_free();
  bool conflict_free_with_reachable();
  [[nodiscard]] bool before(const Item& a, const Item& b) const;
  [[nodiscard]] bool ordered(const Item& a, const Item& b) const { return before(a, b) || before(b, a); }
  [[nodiscard]] bool may_be_own(ThreadId t, std::uint64_t address) const;
  [[nodiscard]] bool touches(ThreadId t, const ReachableEffects::Access& a, std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] bool may_meet(ThreadId t, const ReachableEffects::Access& a, const Range& range) const;
  [[nodiscard]] bool may_meet(ThreadId t, const ReachableEffects::Access& a, ThreadId u,
                              const ReachableEffects::Access& b) const;
  [[nodiscard]] bool lose(Thread& thread, std::uint32_t item);
  bool give_up(std::string why);

  const Code& code_;
  WalkedCode& walked_;
  std::vector<decltype(WalkedCode::walks)::node_type> outdated_;
  Locksets& locks_;
  std::vector<Locksets::Number> held_;
  std::vector<Item> items_;
  std::vector<Thread> threads_;
  std::vector<std::uint32_t> steps_;              // by depth: the item of the transition
  std::map<std::uint64_t, std::uint64_t> cells_;  // what they hold at the end, if that was seen
  // Computed once for all states. reads_: in execution order. writes_: by address. contended_: those writes that several
  // threads make, or that read as well. ranges_: what is touched. unprotected_: pairs that may race and that no lock excludes.
  std::vector<std::uint32_t> reads_, writes_, contended_;
  std::vector<Range> ranges_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> unprotected_;
  std::uint32_t longest_write_ = 0, last_unseen_ = 0, out_of_reach_ = 0;
  bool too_many_pairs_ = false;
  // Of the present check:
  std::uint32_t state_ = 0;
  std::set<std::uint64_t> unstable_cells_;
  // Clocks, one after another, threads_.size() numbers each: how many items of each thread come before.
  std::vector<std::uint32_t> clocks_;
  std::vector<std::uint32_t> now_, after_;                         // numbers of clocks: by thread, and by depth
  std::vector<std::pair<std::uint64_t, std::uint32_t>> released_;  // locks, and the clocks they pass on
  std::string obstacle_, why_;
};

}  // namespace inspect::search
