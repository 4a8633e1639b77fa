// All that a thread may do from some point of its code on, whatever it reads: a walk through the code (code.hpp).
//
// At each step of the code the locks that are certainly held are the ones held on every path there. A call is walked with the
// places of its arguments, once for each combination of these and the locks held, so a function called under a lock in one
// place is not confused with the same function called without it in another. Guarantees: every access and every visible
// operation that the thread can still perform is listed, with locks that it then certainly holds; or `obstacle` says why not.
// Deliberately unknown here: the other threads, the order of things.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "search/causality/locksets.hpp"
#include "search/cut/code.hpp"

namespace inspect::search {

inline constexpr std::uint32_t kTouchedBytes = 4;  // of a synchronisation object, by every operation of it

// An operation of a mutex, a condition variable, …: an access to its object.
inline bool is_synchronisation(const Operation& o) {
  switch (inspect_family_of(o.kind)) {
    case INSPECT_FAMILY_Mutex:
    case INSPECT_FAMILY_Cond:
    case INSPECT_FAMILY_RwLock:
    case INSPECT_FAMILY_Semaphore:
    case INSPECT_FAMILY_Barrier:
      return true;
    case INSPECT_FAMILY_Memory:
    case INSPECT_FAMILY_Once:
    case INSPECT_FAMILY_Thread:
    case INSPECT_FAMILY_Process:
    case INSPECT_FAMILY_Local:
      return false;
  }
  return true;
}

// Where a pointer may point: between `first` and `last`, in the object [begin, end) if end is not 0.
struct Place {
  std::uint64_t first = 0, last = 0, begin = 0, end = 0;
  friend auto operator<=>(const Place&, const Place&) = default;
};
struct Places {
  bool unknown = false;
  bool own = false;  // an object that the thread made itself
  std::vector<Place> list;
  // The one address it has.
  [[nodiscard]] std::optional<std::uint64_t> only() const {
    if (unknown || own || list.size() != 1 || list[0].first != list[0].last) return std::nullopt;
    return list[0].first;
  }
  friend auto operator<=>(const Places&, const Places&) = default;
};

class ReachableEffects {
 public:
  struct Access {
    Places at;
    std::uint32_t size = 0;  // 0: up to the end of its object
    bool write = false, atomic = false;
    Locksets::Number locks = 0;
    friend auto operator<=>(const Access&, const Access&) = default;
  };
  struct Doing {  // a visible operation
    Operation operation{};
    bool known = true;  // are its objects known?
  };
  // What eight bytes of memory hold, if that can be told.
  using Contents = std::function<std::optional<std::uint64_t>(std::uint64_t address)>;

  ReachableEffects(const Code& code, Locksets& locks, Contents contents)
      : code_(code), locks_(locks), contents_(std::move(contents)) {}

  // The thread runs function `entry` with one argument; it is behind the step of that site, with these locks. No site, or one
  // that is not in the code: anywhere in the function.
  void walk(std::uint32_t entry, const Places& argument, std::uint32_t site, Locksets::Number held);

  [[nodiscard]] const std::set<Access>& accesses() const { return accesses_; }
  [[nodiscard]] const std::vector<Doing>& operations() const { return operations_; }
  [[nodiscard]] const std::set<std::uint64_t>& read_cells() const { return read_cells_; }  // cells whose contents were used
  std::string obstacle;

 private:
  using Arguments = std::vector<Places>;
  struct Frame {
    const CodeFunction& function;
    const Arguments& arguments;
    std::vector<std::optional<Places>> values;
    std::vector<std::uint8_t> under_way;
  };
  using Lockset = std::optional<Locksets::Number>;  // none: not reached
  struct CallSite {
    std::uint32_t function, block, step;
  };

  [[nodiscard]] bool lost() const { return !obstacle.empty(); }
  const Places& places(Frame& frame, ValueId value);
  Places evaluate(Frame& frame, const CodeValue& value);
  Places load(const Places& at);
  Lockset call(std::uint32_t function, const Arguments& arguments, Locksets::Number held);
  Lockset run(std::uint32_t function, const Arguments& arguments, std::uint32_t block, std::uint32_t step,
              Locksets::Number held);
  Lockset perform(Frame& frame, const CodeStep& step, Locksets::Number held);
  Locksets::Number operate(Frame& frame, const CodeStep& step, Locksets::Number held);
  Locksets::Number release(const Places& at, Locksets::Number held);
  Locksets::Number acquire(const Places& at, bool exclusive, Locksets::Number held);
  void note_access(Access access);
  void note_operation(const Operation& operation, const Places& at, const Places& at2);
  void find_callers();
  void continue_from(std::uint32_t entry, const Places& argument, const CodePlace& place, Locksets::Number held);
  bool find_chains(std::uint32_t function, std::uint32_t entry, std::vector<CallSite>& chain,
                   std::vector<std::vector<CallSite>>& out);
  Arguments arguments_of(Frame& frame, const CodeStep& call);

  const Code& code_;
  Locksets& locks_;
  Contents contents_;
  std::set<Access> accesses_;
  std::vector<Doing> operations_;
  std::set<std::vector<std::uint64_t>> known_operations_;
  std::set<std::uint64_t> read_cells_;
  struct Key {
    std::uint32_t function;
    Arguments arguments;
    Locksets::Number held;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Walked {
    bool done = false;
    Lockset exit;
  };
  std::map<Key, Walked> calls_;
  std::vector<std::vector<CallSite>> callers_;
  unsigned effort_ = 0, depth_ = 0;
};

}  // namespace inspect::search
