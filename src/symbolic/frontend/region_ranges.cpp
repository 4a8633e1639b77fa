// Operations on ranges of memory: how compilers initialise and copy arrays and structures.
//
// One step even if the range is shared: who else accesses it meanwhile races with it. So they are supported where races are
// looked for.
#include <algorithm>

#include "symbolic/frontend/region.hpp"
#include "symbolic/frontend/uninitialised.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

std::optional<Region::Range> Region::known_range(const llvm::Value* pointer, const llvm::Value* length) {
  const auto at = read(pointer), size = read(length);
  const bool is_known = at && size && at->objects.size() == 1 && terms_.is_constant(at->bits) && terms_.is_constant(size->bits);
  if (!is_known) return std::nullopt;
  Range range;
  range.object = *at->objects.begin();
  const Object& object = program_.memory[range.object];
  range.begin = terms_[at->bits].value - address_of(range.object);
  range.end = range.begin + terms_[size->bits].value;
  if (!object.unsupported.empty() || object.kind == ObjectKind::function || range.end > object.size || range.begin > range.end)
    return std::nullopt;
  for (const Slot& slot : object.slots) {
    if (slot.offset + slot.size() <= range.begin || slot.offset >= range.end) continue;
    if (slot.offset < range.begin || slot.offset + slot.size() > range.end) return std::nullopt;
    range.slots.push_back(slot);
  }
  if (object.is_shared() && !program_.options.wants_races) return std::nullopt;
  return range;
}

// What nobody has written yet holds anything; what has begun before must not hold what it held then.
Region::Flow Region::leave_uninitialised(const llvm::CallBase& call) {
  const std::string name = uninitialised_name(call);
  const auto anything = [&](unsigned width) { return program_.system.read(program_.add_uninitialised(name, width, thread_)); };
  if (!call.getType()->isVoidTy()) {
    const bool is_pointer = call.getType()->isPointerTy();
    const unsigned width = is_pointer ? 64 : call.getType()->getIntegerBitWidth();
    set(call, {mutated(Mutation::uninitialised_is_zero) ? terms_.constant(width, 0) : anything(width), is_pointer});
    return Flow::next;
  }
  const auto pointer = read(call.getArgOperand(0));
  if (!pointer || pointer->objects.size() != 1) return unsupported(call, "the begin of a variable that is not understood");
  const ObjectId id = *pointer->objects.begin();
  if (!path_.environment.has_begun.contains(id)) {
    path_.environment.has_begun.insert(id);
    return Flow::next;
  }
  if (program_.memory[id].is_shared() && !path_.is_fresh) return stop_at_visible();
  for (const Slot& slot : std::vector<Slot>(program_.memory[id].slots)) {
    if (slot.is_synchronisation()) continue;
    const Value at{terms_.constant(64, address_of(id, slot.offset)), true, {id}};
    const auto hits = resolve({at, slot.width, slot.kind}, true, call);
    if (is_dead()) return Flow::stop;
    store_to(hits, {anything(slot.width), slot.kind == SlotKind::pointer}, Terms::truth(true));
    note_accesses(hits, {.writes = true});
  }
  describe(call, "clear");
  return Flow::next;
}

void Region::initialise_by_zeros(const std::vector<Hit>& hits, const Slot& slot, const llvm::Instruction& i) {
  const Term held = load_from(hits, {{}, slot.width, slot.kind}).bits;
  const auto holds = [&](std::uint64_t value) { return terms_.equal(held, truncated(value, slot.width)); };
  const bool has_initialiser = slot.kind != SlotKind::semaphore && slot.kind != SlotKind::barrier;
  const Term is_unused = has_initialiser ? terms_.either(holds(kNotInitialised), terms_.either(holds(kUntouched), holds(0)))
                                         : holds(kNotInitialised);
  require_not(terms_.negation(is_unused), FailureKind::unsupported,
              "zeros over a mutex or the like that is in use (initialise it by its function)", i);
  for (const Hit& hit : hits) store_to({hit}, program_.memory.zeroed(terms_, hit.first), Terms::truth(true));
}

Region::Flow Region::clear(const llvm::IntrinsicInst& call) {
  const auto byte = read(call.getArgOperand(1));
  const auto range = known_range(call.getArgOperand(0), call.getArgOperand(2));
  if (!range || !byte || byte->bits != terms_.constant(8, 0))
    return unsupported(call, "memset of something else than a known range to zeros");
  if (program_.memory[range->object].is_shared() && !path_.is_fresh) return stop_at_visible();
  for (const Slot& slot : range->slots) {
    const Value at{terms_.constant(64, address_of(range->object, slot.offset)), true, {range->object}};
    const auto hits = resolve({at, slot.width, slot.kind}, true, call);
    if (slot.is_synchronisation()) initialise_by_zeros(hits, slot, call);
    if (is_dead()) return Flow::stop;
    if (slot.is_synchronisation()) continue;
    store_to(hits, {terms_.constant(slot.width, 0), slot.kind == SlotKind::pointer}, Terms::truth(true));
    note_accesses(hits, {.writes = true});
  }
  describe(call, "clear");
  return Flow::next;
}

namespace {

enum class Partner : std::uint8_t { none, same, other };

// What lies where `slot` lies, in a range that begins elsewhere.
std::pair<Partner, Slot> partner(const Slot& slot, std::uint64_t begin, const std::vector<Slot>& others,
                                 std::uint64_t others_begin) {
  for (const Slot& other : others) {
    const std::uint64_t at = slot.offset - begin, other_at = other.offset - others_begin;
    if (at >= other_at + other.size() || other_at >= at + slot.size()) continue;
    return {at == other_at && slot.width == other.width && slot.kind == other.kind ? Partner::same : Partner::other, other};
  }
  return {Partner::none, {}};
}

}  // namespace

Region::Flow Region::copy(const llvm::IntrinsicInst& call) {
  const auto to = known_range(call.getArgOperand(0), call.getArgOperand(2));
  const auto from = known_range(call.getArgOperand(1), call.getArgOperand(2));
  // A structure's initialiser is a constant, in which a mutex may stand.
  const auto may_be_copied = [&](const Slot& slot, const std::pair<Partner, Slot>& found, const Range& source) {
    if (!slot.is_synchronisation()) return found.first != Partner::other;
    const Object& object = program_.memory[source.object];
    if (found.first != Partner::same || object.kind != ObjectKind::global || !object.is_constant) return false;
    const auto same = std::ranges::find(object.slots, found.second.offset, &Slot::offset);
    return program_.memory.initial(terms_, object.first_slot + static_cast<SlotId>(same - object.slots.begin())).has_value();
  };
  bool is_understood = to && from && to->object != from->object;
  if (is_understood)
    for (const Slot& slot : to->slots)
      is_understood = is_understood && may_be_copied(slot, partner(slot, to->begin, from->slots, from->begin), *from);
  if (!is_understood) return unsupported(call, "memcpy of something else than a known range to one like it");
  const bool is_shared = program_.memory[to->object].is_shared() || program_.memory[from->object].is_shared();
  if (is_shared && !path_.is_fresh) return stop_at_visible();
  for (const Slot& slot : to->slots) {
    const Place target{{terms_.constant(64, address_of(to->object, slot.offset)), true, {to->object}}, slot.width, slot.kind};
    const auto write_hits = resolve(target, true, call);
    if (slot.is_synchronisation()) {
      initialise_by_zeros(write_hits, slot, call);
      if (is_dead()) return Flow::stop;
      continue;
    }
    const auto [found, other] = partner(slot, to->begin, from->slots, from->begin);
    // Padding holds anything.
    Value value{terms_.constant(slot.width, 0), slot.kind == SlotKind::pointer};
    if (found == Partner::none) {
      value.bits = program_.system.read(program_.add_uninitialised("padding at " + Program::place(call), slot.width, thread_));
    } else {
      const Place source{
          {terms_.constant(64, address_of(from->object, other.offset)), true, {from->object}}, slot.width, slot.kind};
      const auto read_hits = resolve(source, false, call);
      value = load_from(read_hits, source);
      note_accesses(read_hits, {});
    }
    if (is_dead()) return Flow::stop;
    store_to(write_hits, value, Terms::truth(true));
    note_accesses(write_hits, {.writes = true});
  }
  describe(call, "copy");
  return Flow::next;
}

}  // namespace inspect::symbolic
