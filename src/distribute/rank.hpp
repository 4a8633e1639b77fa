// One of the processes that search a tree together.
//
// Rank 0 has the root; the others begin without work. A rank without work asks another one, chosen at random, and gets the
// pending transition nearest the root that this one can spare (search/share/peers.hpp says why nothing is lost). The search has
// ended when nothing is left at rank 0, since a unit is finished only when all units given away from it are. Rank 0 also
// counts, watches limits, collects bugs, has checkpoints written while all ranks pause, and tells the others to stop. If a rank
// dies, the units it had are pending again at the ranks that gave them, and the units it gave are dropped, so each execution
// counts once. Guarantees: without a death, a bug, or a limit, every class of executions is explored as often as by one search.
// Deliberately unknown here: what the transport is, what the program is.
#pragma once
#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "distribute/record.hpp"
#include "distribute/transport.hpp"
#include "search/core/exploration.hpp"

namespace inspect::distribute {

Encoder& operator<<(Encoder& out, const search::TreePiece& piece);
Decoder& operator>>(Decoder& in, search::TreePiece& piece);

// A search as it is written down: enough to go on from.
struct Checkpoint {
  std::string knowledge;  // of the program: search::Numbering
  std::vector<search::TreePiece> pieces;
  Record record;  // of all that was explored
};

struct RankOptions {
  std::function<std::string()> notes;           // what the runtime noted in this rank; asked for each record
  std::function<std::uint64_t()> peak_memory;   // may be empty
  std::function<void(const Checkpoint&)> save;  // rank 0: writes a checkpoint; may be empty
  std::function<bool()> save_due;               // rank 0: is it time for one?
  const Checkpoint* resume = nullptr;           // rank 0
  std::uint64_t seed = 0;                       // of the random choice of whom to ask
};

// The result of all ranks, at rank 0.
struct Ended {
  Record record;
  bool is_void = false;        // the parts did not fit together: nothing counts, and one process has to explore it all
  std::vector<unsigned> lost;  // ranks that died
};

class Rank final : private search::Peers {
 public:
  Rank(search::Program& program, const search::Options& options, Transport& transport, RankOptions rank_options,
       search::Observer* observer);
  // Runs until the search has ended, or rank 0 says so. Error: the search cannot go on from the checkpoint.
  Result<bool> run();
  // One turn: a round of the search, then messages; if there is nothing to explore, waits for a message at most so long. False:
  // ended.
  bool turn(int wait_milliseconds);
  Result<bool> begin();
  // Instead of all that, in a rank that cannot begin when the end comes: tells rank 0, which would count it as dead.
  static void leave(Transport& transport);
  // Likewise in rank 0, if it cannot begin: makes the others end.
  static void dismiss(Transport& transport);
  // After the end.
  Ended take_result();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Phase { working, pausing, finishing, ended };
  // Passes only executions on to the observer: progress is that of all ranks.
  struct Executions final : search::Observer {
    explicit Executions(search::Observer* to) : observer(to) {}
    void on_execution(const Execution& e, std::span<const Event* const> events) override { observer->on_execution(e, events); }
    [[nodiscard]] bool wants_executions() const override { return observer->wants_executions(); }
    void on_start() override { observer->on_start(); }
    search::Observer* observer;
  };
  struct Paused {  // rank 0: the sums of what ranks answered in this round
    unsigned answers = 0;
    std::uint64_t sent = 0, received = 0;
  };

  // Peers
  search::UnitName new_name() override;
  void send_race(search::UnitName unit, const search::RemoteRace& race) override;
  void send_finished(search::UnitName unit, const search::UnitResult& result) override;
  void send_cancel(search::UnitName unit) override;

  [[nodiscard]] bool is_first() const { return transport_.rank() == 0; }
  static unsigned owner_of(search::UnitName unit) { return static_cast<unsigned>(unit >> 40); }
  void send(unsigned to, Encoder&& message) { transport_.send(to, message.take()); }
  void send_about_tree(unsigned to, Encoder&& message);
  void send_to_others(const Encoder& message);

  void take_messages(int wait_milliseconds);
  void take(const Envelope& envelope);
  void take_unit(unsigned from, Decoder& in);
  void take_ask(unsigned from);
  void take_race_message(Decoder& in);
  void take_gone(unsigned rank);
  void ask();
  void tell_news();

  // Rank 0
  void look_after();
  void begin_pause();
  void ask_counts();
  void collect_pieces();
  void take_pieces(Decoder& in);
  void take_counts(Decoder& in);
  void save();
  void count_pieces();
  void end(const std::string& why);
  void finish();
  void take_record(unsigned from, Decoder& in);
  void end_if_all_told();
  void add_resumed(Record& record) const;
  [[nodiscard]] unsigned alive() const { return static_cast<unsigned>(std::ranges::count(gone_, false)); }
  [[nodiscard]] search::Outcome total() const;
  Record own_record();

  search::Program& program_;
  const search::Options& options_;
  search::Options own_options_;
  Transport& transport_;
  RankOptions rank_options_;
  search::Observer* observer_;
  Executions executions_;
  search::Exploration exploration_;
  Phase phase_ = Phase::working;
  Random random_;
  std::uint64_t names_ = 0;
  std::map<search::UnitName, unsigned> holders_;  // of units given away
  std::vector<bool> gone_;
  bool asked_ = false, told_of_stop_ = false;
  unsigned refused_ = 0;  // in a row
  Clock::time_point began_, told_;
  std::vector<std::uint64_t> sent_, received_;  // messages about the tree, to and from each living rank
  // Findings of units that other ranks finished, kept here in case those ranks die. Without counts.
  Record inherited_;

  // Rank 0
  Paused paused_;
  std::uint32_t round_ = 0;  // number of the pause: answers to an earlier one do not count
  std::uint64_t last_sent_ = ~0ull;
  unsigned pieces_missing_ = 0;
  bool may_save_ = false;
  bool ending_ = false, is_done_ = false;
  std::string why_ended_;
  Checkpoint checkpoint_;
  std::map<unsigned, search::Outcome> news_;  // the last news of each other rank
  std::vector<bool> told_all_;                // ranks that sent their record
  Ended result_;
};

}  // namespace inspect::distribute
