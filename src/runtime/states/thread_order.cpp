#include "runtime/states/thread_order.hpp"

#include "runtime/platform/mutation.hpp"
#include "runtime/states/canonical_heap.hpp"
#include "runtime/states/describer.hpp"
#include "runtime/states/sync_objects.hpp"
#include "runtime/upcalls/identities.hpp"
#include "runtime/upcalls/sync_threads.hpp"

namespace inspect::runtime {
namespace {

constexpr unsigned kSelf = INSPECT_MAX_THREADS - 2, kOther = kSelf + 1;  // in keys
constexpr unsigned kMostOrders = 720;

struct Key {
  std::uint64_t low, high;
  friend bool operator==(const Key&, const Key&) = default;
  friend bool operator<(const Key& a, const Key& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; }
};

bool smaller(const Identity& a, const Identity& b) { return a.low != b.low ? a.low < b.low : a.high < b.high; }

// Whom main joins from here on before it does anything else, if that is known and nothing can get in between.
Mask joined_in_row(const State& s);

class Order {
 public:
  explicit Order(const State& s) : s_(s) { names_.joined_in_row = joined_in_row(s); }

  bool run(Identity& id) {
    Mask pinned{};
    if (!describe_canonically(s_, &names_, id, &pinned)) return false;
    keep_state_words();
    if (!(id.low | id.high)) return true;
    for (unsigned t = 1; t < s_.execution.thread_limit; ++t)
      if (s_.threads[t].status != ThreadStatus::unused && !pinned.has(t)) free_[count_++] = std::uint8_t(t);
    if (count_ < 2) return true;
    if (!sort()) return false;
    Identity best{};
    const std::uint32_t flags = s_.request.message->flags;
    bool done = false;
    if (!(flags & INSPECT_REQUEST_SORTED_EXACTLY) || orders() > kMostOrders)
      done = describe(best);
    else
      done = try_all(0, best);
    if (done) id = best;
    return done;
  }

 private:
  // By insertion; equal ones stay in the order of their numbers.
  bool sort() {
    for (unsigned i = 0; i < count_; ++i) {
      sorted_[i] = free_[i];
      if (!key_of(free_[i], keys_[i])) return false;
      for (unsigned k = i; k && keys_[k] < keys_[k - 1]; --k) {
        swap(keys_[k], keys_[k - 1]);
        swap(sorted_[k], sorted_[k - 1]);
      }
    }
    return true;
  }
  template <class T>
  static void swap(T& a, T& b) {
    const T kept = a;
    a = b;
    b = kept;
  }

  // Of the thread alone, as far as it is the same whichever number it has.
  bool key_of(unsigned t, Key& key) const {
    const Thread& thread = s_.threads[t];
    StateHash hash;
    if (s_.request.message->flags & INSPECT_REQUEST_SORTED_BY_PLACE) {
      Describer(s_, hash).place(thread);
    } else {
      ThreadNames names = names_;
      for (unsigned i = 0; i < count_; ++i) names.of[free_[i]] = kOther;
      names.of[t] = kSelf;
      CanonicalHeap heap(hash, &names);
      if (!Describer(s_, hash, &heap, &names).thread(thread)) return false;
      heap.objects();
      if (heap.given_up()) return false;
    }
    key = {mutated(Mutation::threads_sorted_by_addresses) ? t : hash.low(), hash.high()};
    return true;
  }

  // Of threads with equal keys, all of them together; no more than kMostOrders + 1.
  [[nodiscard]] unsigned orders() const {
    unsigned orders = 1;
    for (unsigned i = 1, alike = 1; i < count_ && orders <= kMostOrders; ++i) {
      alike = keys_[i] == keys_[i - 1] ? alike + 1 : 1;
      orders *= alike;
    }
    return orders;
  }

  bool describe(Identity& best) {
    bool permuted = false;
    for (unsigned i = 0; i < count_; ++i) {
      names_.of[sorted_[i]] = free_[i];
      permuted |= sorted_[i] != free_[i];
    }
    Identity id{};
    if (!describe_canonically(s_, &names_, id)) return false;
    id.permuted = permuted;
    if (!(best.low | best.high) || smaller(id, best)) {
      best = id;
      keep_state_words();
    }
    return true;
  }

  // From place i on.
  bool try_all(unsigned i, Identity& best) {
    if (i == count_) return describe(best);
    for (unsigned k = i; k < count_ && keys_[k] == keys_[i]; ++k) {
      swap(sorted_[i], sorted_[k]);
      const bool told = try_all(i + 1, best);
      swap(sorted_[i], sorted_[k]);
      if (!told) return false;
    }
    return true;
  }

  const State& s_;
  ThreadNames names_;
  unsigned count_ = 0;
  std::uint8_t free_[INSPECT_MAX_THREADS], sorted_[INSPECT_MAX_THREADS];
  Key keys_[INSPECT_MAX_THREADS];
};

bool tells_of_threads(const State& s) {
  const SyncObjects& all = sync_objects();
  if (s.own_stacks || all.too_many || all.changed || exit_handlers_have_addresses_of_threads()) return true;
  for (unsigned i = 0; i < all.count; ++i)
    if (all.objects[i].size == INSPECT_FAMILY_Once && once_is_running(all.objects[i].object)) return true;
  return s.channel->thread_count >= kSelf;
}

// Where main is, with everything that its joins in a row depend on.
void describe_row(const State& s, StateHash& hash) { Describer(s, hash).thread(s.threads[0]); }

Mask joined_in_row(const State& s) {
  if (mutated(Mutation::rows_are_guessed) && s.threads[0].pending.kind == INSPECT_OP_ThreadJoin) {
    Mask all = s.execution.alive;
    all.remove(0);
    return all;
  }
  if (!main_joins_in_row(s)) return {};
  StateHash hash;
  describe_row(s, hash);
  for (unsigned i = 0; i < s.channel->join_row_count; ++i) {
    const inspect_join_row& row = s.channel->join_rows[i];
    if (row.low != hash.low() || row.high != hash.high()) continue;
    const Mask threads{{row.threads[0], row.threads[1]}};
    bool joinable = true;
    threads.for_each([&](unsigned t) {
      const Thread& joined = s.threads[t];
      joinable &= joined.status != ThreadStatus::unused && !joined.joined && !joined.detached;
    });
    return joinable ? threads : Mask{};
  }
  return {};
}

void grow(inspect_channel& c) { ++c.thread_facts_grew; }

void learn_row(inspect_channel& c, const Execution::Row& row) {
  for (unsigned i = 0; i < c.join_row_count; ++i)
    if (c.join_rows[i].low == row.low && c.join_rows[i].high == row.high) return;
  if (c.join_row_count == INSPECT_MAX_JOIN_ROWS) return;
  c.join_rows[c.join_row_count++] = {row.low, row.high, {row.joined.words[0], row.joined.words[1]}};
  grow(c);
}

// Main announces an operation.
void note_row(State& s) {
  const bool joins = main_joins_in_row(s);
  unsigned& count = s.execution.row_count;
  if (!joins) {
    for (unsigned i = 0; i < count; ++i) learn_row(*s.channel, s.execution.rows[i]);
    count = 0;
    return;
  }
  if (count < Execution::kMostRows) {
    StateHash hash;
    describe_row(s, hash);
    s.execution.rows[count++] = {hash.low(), hash.high(), {}};
  }
  const auto target = unsigned(s.threads[0].wait.value);
  for (unsigned i = 0; i < count; ++i) s.execution.rows[i].joined.add(target);
}

bool is_joined_in_row(const inspect_channel& c, unsigned t) {
  for (unsigned i = 0; i < c.join_row_count; ++i)
    if (Mask{{c.join_rows[i].threads[0], c.join_rows[i].threads[1]}}.has(t)) return true;
  return false;
}

}  // namespace

bool describe_canonically(const State& s, const ThreadNames* names, Identity& id, Mask* pinned) {
  StateHash hash(begin_state_words());
  CanonicalHeap heap(hash, names);
  Describer describer(s, hash, &heap, names);
  if (!describer.threads(names ? &heap : nullptr)) {
    id = {.low = 0, .high = 0, .why = describer.why()};
    return true;
  }
  describer.process();
  heap.data();
  heap.objects();
  id = identity_of(hash);
  if (pinned) *pinned = heap.pinned();
  return !heap.given_up();
}

bool identity_by_order(const State& s, Identity& id) {
  if (s.channel->threads_told_apart || s.execution.created < 3 || tells_of_threads(s)) return false;
  return Order(s).run(id);
}

void note_thread_facts(const Thread& t) {
  State& s = state();
  if (!threads_trade_places() && !(s.request.message->flags & INSPECT_REQUEST_INDEPENDENCE)) return;
  inspect_channel& c = *s.channel;
  const Operation& o = t.pending;
  const std::uint64_t size = inspect_thread_object(1) - inspect_thread_object(0);
  const std::uint64_t offset = o.object - inspect_thread_object(0);
  if (t.id == 0) note_row(s);
  if (offset >= size * INSPECT_MAX_THREADS) return;
  const auto other = unsigned(offset / size);
  const unsigned kind = o.kind;
  if (other == t.id && kind != INSPECT_OP_ThreadDetach) return;  // its start, its end
  const bool creates = kind == INSPECT_OP_ThreadCreate, joins = kind == INSPECT_OP_ThreadJoin;
  if (!creates && !joins && !c.thread_ends_seen) {
    c.thread_ends_seen = 1;
    grow(c);
  }
  const bool apart = creates ? t.id != 0 : joins && t.id == 0 ? false : other == 0 || is_joined_in_row(c, other);
  if (apart && !c.threads_told_apart) {
    c.threads_told_apart = 1;
    grow(c);
  }
}

}  // namespace inspect::runtime
