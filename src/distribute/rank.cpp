#include "distribute/rank.hpp"

#include <algorithm>
#include <numeric>

#include "base/check.hpp"
#include "search/core/estimate.hpp"
#include "search/core/outcome.hpp"
#include "search/mutation.hpp"

namespace inspect::distribute {

namespace {

enum class Tag : std::uint8_t {
  ask,       // have you anything to explore?
  none,      // no
  unit,      // yes: name, has the sender fallen back?, what the program has learnt, text
  race,      // unit, race
  finished,  // unit, result, findings
  cancel,    // unit
  lost,      // a rank that died or left
  leave,     // the sender could not begin before the end came, and goes
  news,      // how far a rank is: has it stopped?, is it void?, counts
  pause,     // round: stop exploring, and say how many messages about the tree you sent and received
  counts,    // round, sent, received
  dump,      // send your pieces
  pieces,    // round, is it sound?, knowledge, pieces, record
  go,        // explore again
  stop,      // send your record
  record     // is it void?, record
};

constexpr auto kNewsInterval = std::chrono::milliseconds(100);
constexpr unsigned kNameBits = 40;  // of a unit's name, below its owner's rank

std::uint64_t sum(const std::vector<std::uint64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

Encoder tagged(Tag tag) {
  Encoder out;
  out << tag;
  return out;
}

search::Options without_limits(search::Options options, bool first) {
  options.max_executions = 0;  // rank 0 counts for all
  if (!first) options.enough = nullptr;
  return options;
}

}  // namespace

Encoder& operator<<(Encoder& out, const search::TreePiece& piece) { return out << piece.name << piece.counts << piece.text; }
Decoder& operator>>(Decoder& in, search::TreePiece& piece) { return in >> piece.name >> piece.counts >> piece.text; }

Rank::Rank(search::Program& program, const search::Options& options, Transport& transport, RankOptions rank_options,
           search::Observer* observer)
    : program_(program),
      options_(options),
      own_options_(without_limits(options, transport.rank() == 0)),
      transport_(transport),
      rank_options_(std::move(rank_options)),
      observer_(observer),
      executions_(observer),
      exploration_(program, own_options_, search::reduction_of(options), observer ? &executions_ : nullptr, this,
                   transport.rank() == 0),
      random_(rank_options_.seed * 4099 + transport.rank()),
      gone_(transport.size(), false),
      began_(Clock::now()),
      told_(began_),
      sent_(transport.size()),
      received_(transport.size()),
      told_all_(transport.size(), false) {}

search::UnitName Rank::new_name() { return (std::uint64_t{transport_.rank()} << kNameBits) | ++names_; }

void Rank::send_about_tree(unsigned to, Encoder&& message) {
  if (gone_[to]) return;
  ++sent_[to];
  send(to, std::move(message));
}

void Rank::send_to_others(const Encoder& message) {
  for (unsigned r = 0; r < transport_.size(); ++r)
    if (r != transport_.rank() && !gone_[r]) send(r, Encoder(message));
}

void Rank::send_race(search::UnitName unit, const search::RemoteRace& race) {
  send_about_tree(owner_of(unit),
                  std::move(tagged(Tag::race) << unit << race.state << race.thread << race.first << race.steps));
}
void Rank::send_finished(search::UnitName unit, const search::UnitResult& result) {
  Record findings = own_record();
  search::Outcome& o = findings.outcome;
  o.executions = o.redundant = o.limited = o.transitions = 0;
  if (search::mutated(search::Mutation::findings_stay_with_the_rank)) findings = {};
  send_about_tree(owner_of(unit), std::move(tagged(Tag::finished) << unit << result << findings));
}
void Rank::send_cancel(search::UnitName unit) {
  const auto holder = holders_.find(unit);
  if (holder == holders_.end()) return;
  send_about_tree(holder->second, std::move(tagged(Tag::cancel) << unit));
  holders_.erase(holder);
}

Result<bool> Rank::begin() {
  if (!is_first() || !rank_options_.resume) return true;
  if (!program_.numbering().learn(rank_options_.resume->knowledge)) return Error{"it is of a program with other threads"};
  if (rank_options_.resume->record.outcome.fell_back) exploration_.fall_back_as_others_did();
  return exploration_.restore(rank_options_.resume->pieces, rank_options_.resume->record.outcome);
}

Result<bool> Rank::run() {
  if (auto begun = begin(); !begun) return begun;
  while (turn(20)) {
  }
  return true;
}

void Rank::leave(Transport& transport) { transport.send(0, tagged(Tag::leave).take()); }

void Rank::dismiss(Transport& transport) {
  for (unsigned r = 1; r < transport.size(); ++r) transport.send(r, tagged(Tag::stop).take());
}

bool Rank::turn(int wait_milliseconds) {
  const bool may_work = phase_ == Phase::working && exploration_.has_work() && !exploration_.stopped();
  const bool worked = may_work && exploration_.step();
  if (!worked && phase_ == Phase::working && !exploration_.stopped()) ask();
  tell_news();
  if (is_first()) look_after();
  if (phase_ != Phase::ended) take_messages(worked ? 0 : wait_milliseconds);
  return phase_ != Phase::ended;
}

// Asks another rank, chosen at random.
void Rank::ask() {
  const unsigned n = transport_.size();
  if (asked_ || n == 1 || exploration_.pending()) return;
  const auto others = static_cast<unsigned>(std::ranges::count(gone_, false)) - 1;
  if (!others) return;
  unsigned victim = transport_.rank();
  while (victim == transport_.rank() || gone_[victim]) victim = random_.below(n);
  asked_ = true;
  send(victim, tagged(Tag::ask));
}

void Rank::tell_news() {
  if (is_first() || phase_ != Phase::working || told_of_stop_) return;
  const bool stopped = exploration_.stopped() || !exploration_.outcome().why_not.empty();
  const auto now = Clock::now();
  if (!stopped && (!exploration_.pending() || now - told_ < kNewsInterval)) return;
  told_ = now;
  told_of_stop_ = stopped;
  const search::Outcome& o = exploration_.outcome();
  send(0, std::move(tagged(Tag::news) << stopped << exploration_.is_void() << o.executions << o.redundant << o.transitions
                                      << o.max_depth << o.threads));
}

void Rank::take_messages(int wait_milliseconds) {
  while (const auto rank = transport_.lost()) {
    if (gone_[*rank]) continue;
    result_.lost.push_back(*rank);
    take_gone(*rank);
  }
  // After a round of refusals: wait at least a millisecond before asking again.
  int wait = refused_ > transport_.size() ? std::max(1, wait_milliseconds) : wait_milliseconds;
  while (auto envelope = transport_.receive(wait)) {
    take(*envelope);
    wait = 0;
    if (phase_ == Phase::ended) return;
  }
}

void Rank::take(const Envelope& envelope) {
  if (gone_[envelope.from]) return;
  Decoder in(envelope.message);
  Tag tag{};
  in >> tag;
  received_[envelope.from] += tag == Tag::unit || tag == Tag::race || tag == Tag::finished || tag == Tag::cancel;
  switch (tag) {
    case Tag::ask:
      return take_ask(envelope.from);
    case Tag::none:
      asked_ = false;
      ++refused_;
      return;
    case Tag::unit:
      return take_unit(envelope.from, in);
    case Tag::race:
      return take_race_message(in);
    case Tag::finished: {
      search::UnitName unit = 0;
      search::UnitResult result;
      Record findings;
      in >> unit >> result >> findings;
      CHECK(!in.failed(), "the end of a unit that cannot be read");
      holders_.erase(unit);
      inherited_.add(std::move(findings));
      return exploration_.units().take_finished(unit, result);
    }
    case Tag::cancel: {
      search::UnitName unit = 0;
      in >> unit;
      return exploration_.units().drop(unit);
    }
    case Tag::lost: {
      unsigned rank = 0;
      in >> rank;
      return take_gone(rank);
    }
    case Tag::leave:
      return take_gone(envelope.from);
    case Tag::news: {
      bool stopped = false, is_void = false;
      search::Outcome& o = news_[envelope.from];
      in >> stopped >> is_void >> o.executions >> o.redundant >> o.transitions >> o.max_depth >> o.threads;
      result_.is_void |= is_void;  // it may die before it can say so in its record
      if (stopped) end("");
      return;
    }
    case Tag::pause:
      phase_ = Phase::pausing;
      in >> round_;
      return send(0, std::move(tagged(Tag::counts) << round_ << sum(sent_) << sum(received_)));
    case Tag::counts:
      return take_counts(in);
    case Tag::dump:
      return send(0, std::move(tagged(Tag::pieces)
                               << round_ << (exploration_.is_sound() || !exploration_.has_begun())
                               << program_.numbering().knowledge() << exploration_.units().pieces() << own_record()));
    case Tag::pieces:
      return take_pieces(in);
    case Tag::go:
      phase_ = Phase::working;
      return;
    case Tag::stop:
      phase_ = Phase::ended;
      return send(0, std::move(tagged(Tag::record) << exploration_.is_void() << own_record()));
    case Tag::record:
      return take_record(envelope.from, in);
  }
}

void Rank::take_ask(unsigned from) {
  auto unit = phase_ == Phase::working ? exploration_.units().give() : std::nullopt;
  if (!unit) return send(from, tagged(Tag::none));
  holders_[unit->first] = from;
  send_about_tree(from, std::move(tagged(Tag::unit) << unit->first << exploration_.fell_back()
                                                    << program_.numbering().knowledge() << unit->second));
}

void Rank::take_unit(unsigned, Decoder& in) {
  asked_ = false;
  refused_ = 0;
  search::UnitName name = 0;
  bool fell_back = false;
  std::string knowledge, text;
  in >> name >> fell_back >> knowledge >> text;
  CHECK(!in.failed(), "a work unit that cannot be read");
  if (exploration_.stopped()) return;
  if (!program_.numbering().learn(knowledge)) return exploration_.make_void();
  if (fell_back) exploration_.fall_back_as_others_did();
  const auto adopted = exploration_.units().adopt(name, text);
  CHECK(adopted.ok(), "a work unit that is none");
}

void Rank::take_race_message(Decoder& in) {
  search::UnitName unit = 0;
  search::RemoteRace race;
  in >> unit >> race.state >> race.thread >> race.first >> race.steps;
  exploration_.units().take_race(unit, race);
}

// Units that the rank explored are pending again here; units that it gave are dropped.
void Rank::take_gone(unsigned rank) {
  if (gone_[rank]) return;
  gone_[rank] = true;
  sent_[rank] = received_[rank] = 0;
  if (is_first()) send_to_others(tagged(Tag::lost) << rank);
  asked_ = false;
  news_.erase(rank);
  std::erase_if(holders_, [&](const auto& h) {
    if (h.second != rank) return false;
    exploration_.units().take_back(h.first);
    return true;
  });
  exploration_.units().drop_those([&](search::UnitName name) { return owner_of(name) == rank; });
  if (!is_first()) return;
  // Its answers will not come.
  if (phase_ == Phase::pausing) ask_counts();
  if (phase_ == Phase::finishing) end_if_all_told();
}

// Rank 0

search::Outcome Rank::total() const {
  const search::Outcome& own = exploration_.outcome();
  search::Outcome sum;
  sum.executions = own.executions;
  sum.redundant = own.redundant;
  sum.transitions = own.transitions;
  sum.max_depth = own.max_depth;
  sum.threads = own.threads;
  sum.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  for (const auto& [rank, o] : news_) add_outcome(sum, search::Outcome(o));
  return sum;
}

void Rank::look_after() {
  if (phase_ != Phase::working) return;
  if (exploration_.stopped() || exploration_.done()) return end("");
  search::Outcome sum = total();
  if (search::reached_limit(options_, sum)) return end(sum.why_not);
  const auto now = Clock::now();
  if (observer_ && now - told_ >= kNewsInterval) {
    told_ = now;
    if (observer_->wants_estimate()) sum.estimate = exploration_.estimate();
    observer_->on_progress(sum);
  }
  if (rank_options_.save && exploration_.is_sound() && rank_options_.save_due()) begin_pause();
}

// All ranks stop exploring. Their pieces fit together once no message about the tree is under way.
void Rank::begin_pause() {
  phase_ = Phase::pausing;
  last_sent_ = ~0ull;
  ask_counts();
}

void Rank::ask_counts() {
  paused_ = {.answers = 1, .sent = sum(sent_), .received = sum(received_)};
  pieces_missing_ = 0;
  send_to_others(tagged(Tag::pause) << ++round_);
  if (alive() == 1) collect_pieces();
}

void Rank::take_counts(Decoder& in) {
  std::uint32_t round = 0;
  std::uint64_t sent = 0, received = 0;
  in >> round >> sent >> received;
  if (round != round_ || phase_ != Phase::pausing) return;
  paused_.sent += sent;
  paused_.received += received;
  if (++paused_.answers < alive()) return;
  const bool settled = paused_.sent == paused_.received && last_sent_ == paused_.sent;
  last_sent_ = paused_.sent;
  if (settled) return collect_pieces();
  ask_counts();
}

void Rank::collect_pieces() {
  checkpoint_ = {
      .knowledge = program_.numbering().knowledge(), .pieces = exploration_.units().pieces(), .record = own_record()};
  pieces_missing_ = alive() - 1;
  may_save_ = exploration_.is_sound();
  send_to_others(tagged(Tag::dump));
  if (!pieces_missing_) save();
}

void Rank::take_pieces(Decoder& in) {
  std::uint32_t round = 0;
  bool sound = false;
  std::string knowledge;
  std::vector<search::TreePiece> pieces;
  Record record;
  in >> round >> sound >> knowledge >> pieces >> record;
  CHECK(!in.failed(), "pieces of a checkpoint that cannot be read");
  if (round != round_ || !pieces_missing_) return;
  if (knowledge.size() > checkpoint_.knowledge.size()) checkpoint_.knowledge = knowledge;
  std::ranges::move(pieces, std::back_inserter(checkpoint_.pieces));
  checkpoint_.record.add(std::move(record));
  may_save_ &= sound;
  if (--pieces_missing_ == 0) save();
}

void Rank::save() {
  add_resumed(checkpoint_.record);
  count_pieces();
  if (may_save_) rank_options_.save(checkpoint_);
  checkpoint_ = {};
  if (ending_) return finish();
  phase_ = Phase::working;
  send_to_others(tagged(Tag::go));
}

// Counts are the sum over the pieces: what a rank explored that is in no piece does not count.
void Rank::count_pieces() {
  search::Counts all;
  for (const auto& piece : checkpoint_.pieces) all += piece.counts;
  search::Outcome& o = checkpoint_.record.outcome;
  o.executions = all.executions;
  o.redundant = all.redundant;
  o.limited = all.limited;
  o.transitions = all.transitions;
  for (search::FoundBug& b : o.bugs) b.executions_before = std::min(b.executions_before, o.executions);
}

void Rank::end(const std::string& why) {
  if (!is_first() || phase_ == Phase::finishing || phase_ == Phase::ended || ending_) return;
  ending_ = true;
  why_ended_ = why;
  is_done_ = exploration_.done();
  transport_.hurry();
  if (rank_options_.save && exploration_.is_sound()) {
    if (phase_ == Phase::working) begin_pause();
    return;
  }
  finish();
}

void Rank::finish() {
  phase_ = Phase::finishing;
  result_.record = own_record();
  result_.is_void |= exploration_.is_void();
  told_all_[0] = true;
  send_to_others(tagged(Tag::stop));
  end_if_all_told();
}

void Rank::end_if_all_told() {
  for (unsigned r = 0; r < transport_.size(); ++r)
    if (!told_all_[r] && !gone_[r]) return;
  phase_ = Phase::ended;
}

void Rank::take_record(unsigned from, Decoder& in) {
  bool is_void = false;
  Record record;
  in >> is_void >> record;
  CHECK(!in.failed(), "a record that cannot be read");
  result_.is_void |= is_void;
  result_.record.add(std::move(record));
  told_all_[from] = true;
  end_if_all_told();
}

// Adds the findings from before the checkpoint; its counts are in the tree already.
void Rank::add_resumed(Record& record) const {
  if (!rank_options_.resume) return;
  Record before = rank_options_.resume->record;
  search::Outcome& o = before.outcome;
  o.executions = o.redundant = o.limited = o.transitions = 0;
  o.why_not.clear();
  record.add(std::move(before));
}

Record Rank::own_record() {
  Record record;
  search::Outcome& o = record.outcome;
  o = exploration_.outcome();
  for (search::FoundBug& b : o.bugs) b.events.clear();
  if (rank_options_.notes) record.notes.push_back(rank_options_.notes());
  if (rank_options_.peak_memory) record.peak_memory_bytes = rank_options_.peak_memory();
  record.add(Record(inherited_));
  return record;
}

Ended Rank::take_result() {
  add_resumed(result_.record);
  search::Outcome& o = result_.record.outcome;
  if (is_done_) {  // work of lost ranks, and work that was done again for them, does not count
    const search::Counts& all = exploration_.units().finished();
    o.executions = all.executions;
    o.redundant = all.redundant;
    o.limited = all.limited;
    o.transitions = all.transitions;
  }
  if (!why_ended_.empty()) o.why_not = why_ended_;
  if (o.why_not.empty() && !o.bugs.empty() && !options_.keep_going) o.why_not = "stopped at the first bug";
  search::name_left_out(o);
  if (o.why_not.empty() && o.limit) o.why_not = o.limit->message;
  if (o.why_not.empty() && !exploration_.is_closed()) o.why_not = "a part of the search was left open";
  o.exhausted = o.why_not.empty() && is_done_;
  if (!o.exhausted) o.estimate = exploration_.estimate();
  o.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  return std::move(result_);
}

}  // namespace inspect::distribute
