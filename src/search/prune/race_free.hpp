// Is everything that can follow a state free of data races? A lockset analysis of the execution that was observed from there
// on, and of the code that other executions may take instead (the dissertation, ch. 5; SEMANTICS I.3).
//
// What a thread does after the state is *certain* up to the first value it reads that another thread may change and that
// decides about control flow, addresses, locks or lengths: so far it does the same in every execution. From there on counts all
// that its code may do (future.hpp). Two accesses are safe if a lock excludes them, or if creation and joins of threads order
// them in every execution. Guarantees: "free" is certain; possible() then holds every visible operation that can follow. A
// thread that did not run to its end, or code of which too little is known, makes the answer "not free". Deliberately unknown
// here: what is done with the answer.
//
// A race is a pair that synchronisation does not order, so one of the two may have happened before the state: what that
// thread's past has in common with the others is as it was observed.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/path.hpp"
#include "search/prune/future.hpp"
#include "search/summary.hpp"

namespace inspect::search {

// What walks through the code have found, over all executions of a search: of one place with one argument and set of locks, as
// long as the memory that was looked at holds the same.
struct WalkedCode {
  struct From {
    std::uint32_t entry, site;
    Places argument;
    Locksets::Number held;
    friend auto operator<=>(const From&, const From&) = default;
  };
  struct Walk {
    Future future;
    std::map<std::uint64_t, std::optional<std::uint64_t>> looked_at;
  };
  Locksets locks;
  std::map<From, Walk> walks;
};

class RaceFree {
 public:
  RaceFree(const Code& code, const Path& path, WalkedCode& walked);

  // The state at a depth of the path. If it is not free, or nobody knows, why() says what stands against it.
  bool check(std::uint32_t state);
  [[nodiscard]] const std::string& why() const { return why_; }
  // Of the last state that was found free.
  [[nodiscard]] std::vector<ThreadOperation> possible() const;

 private:
  static constexpr std::uint32_t kEver = ~0u;  // no item; or: after all of a thread
  struct Item {
    ThreadId thread = 0;
    std::uint32_t event = 0;  // depth of the transition it belongs to
    bool visible = false, steers = false, varies = false;
    Operation operation{};
    Locksets::Number locks = 0, locks_after = 0;  // held while it happens, and then
    // Of the present check:
    std::uint32_t index = 0, clock = 0;  // how manieth of its thread, from 1; number of its clock
    bool tainted = false;                // a write of a value that may be another one
  };
  struct Thread {
    std::uint32_t entry = kEver;  // function
    Places argument;
    std::uint32_t last = kEver;  // the last item that is certain; kEver: all are
    std::uint32_t clock = 0;     // its clock at its last certain item
    std::uint32_t began = 0;     // item
    const Future* future = nullptr;
    std::vector<std::uint32_t> items;
  };
  using Clock = std::vector<std::uint32_t>;  // per thread: how many of its items certainly come before

  void observe(const Path& path);
  void observe_visible(const Path& path, std::uint32_t d);
  void hold(ThreadId t, const Operation& o);
  void forget_cells(const Operation& o);
  bool prepare(std::uint32_t state);
  void order();
  bool certain(const Item& item) const;
  [[nodiscard]] bool is_past(const Item& item) const { return item.event <= state_; }
  bool settle();
  bool look_at_futures();
  const Future& walk(const Thread& thread, std::uint32_t site, Locksets::Number held);
  bool look_at_reads();
  bool look_at_joins();
  void taint();
  [[nodiscard]] bool flows(const Item& read, const Item& write) const;
  bool find_unstable(const Item& read) const;
  bool check_cells();
  [[nodiscard]] bool written_since(std::uint64_t cell, std::uint32_t item) const;
  bool conflict_free();
  [[nodiscard]] bool meets(const Item& a, const Item& b) const;
  bool conflict_free_with_futures();
  [[nodiscard]] bool before(const Item& a, const Item& b) const;
  [[nodiscard]] bool ordered(const Item& a, const Item& b) const { return before(a, b) || before(b, a); }
  [[nodiscard]] bool may_meet(ThreadId t, const Future::Access& a, const Item& item) const;
  [[nodiscard]] bool may_meet(const Future::Access& a, const Future::Access& b) const;
  [[nodiscard]] bool lose(Thread& thread, std::uint32_t item);
  bool give_up(std::string why);
  template <class F>
  void for_each_certain(F&& f);

  const Code& code_;
  WalkedCode& walked_;
  std::vector<decltype(WalkedCode::walks)::node_type> outdated_;
  Locksets& locks_;
  std::vector<Locksets::Number> held_;
  std::vector<Item> items_;
  std::vector<Thread> threads_;
  std::vector<Clock> clocks_;
  std::map<std::uint64_t, std::uint64_t> cells_;  // what they hold at the end, if that was seen
  std::set<std::uint64_t> unstable_cells_;
  std::vector<std::uint32_t> reads_, writes_;  // certain ones, after the state; writes by address
  std::uint32_t longest_write_ = 0;
  std::uint32_t state_ = 0, last_unseen_ = 0;
  bool all_ended_ = true;
  std::string hopeless_, why_;
};

}  // namespace inspect::search
