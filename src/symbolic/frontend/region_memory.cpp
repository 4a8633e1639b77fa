// Memory: which slots an access hits, and what it does to them.
#include <algorithm>

#include "symbolic/frontend/region.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

Value Region::first_value(SlotId slot) {
  Memory& memory = program_.memory;
  if (memory[memory.object_of(slot)].kind == ObjectKind::global) {
    if (auto value = memory.initial(terms_, slot)) return *value;
  } else if (memory.slot(slot).is_synchronisation()) {
    if (memory[memory.object_of(slot)].is_zero) return memory.zeroed(terms_, slot);
    return {terms_.constant(memory.slot(slot).width, kNotInitialised)};
  } else if (memory[memory.object_of(slot)].is_zero) {
    return {terms_.constant(memory.slot(slot).width, 0), memory.slot(slot).kind == SlotKind::pointer};
  }
  // Not initialised, or not known: anything.
  const bool is_pointer = memory.slot(slot).kind == SlotKind::pointer;
  return {terms_.cell(program_.uninitialised(slot, thread_), memory.slot(slot).width), is_pointer};
}

std::optional<std::pair<unsigned, SlotKind>> Region::scalar(llvm::Type* type) {
  if (type->isPointerTy()) return {{64, SlotKind::pointer}};
  const auto* const integer = llvm::dyn_cast<llvm::IntegerType>(type);
  if (!integer || integer->getBitWidth() > 64 || integer->getBitWidth() % 8 != 0) return std::nullopt;
  return {{integer->getBitWidth(), SlotKind::data}};
}

bool Region::is_padding(const Place& place) {
  if (place.pointer.objects.size() != 1 || !terms_.is_constant(place.pointer.bits) || place.kind != SlotKind::data)
    return false;
  const ObjectId id = *place.pointer.objects.begin();
  const Object& object = program_.memory[id];
  const std::uint64_t begin = terms_[place.pointer.bits].value - address_of(id), end = begin + place.width / 8;
  // A block of the heap is split as its accesses show, which are not all known yet.
  if (!object.unsupported.empty() || object.kind == ObjectKind::function || object.slots.empty()) return false;
  if (object.kind == ObjectKind::heap || end > object.size || begin >= end) return false;
  return std::ranges::none_of(object.slots,
                              [&](const Slot& slot) { return slot.offset < end && begin < slot.offset + slot.size(); });
}

llvm::Type* Region::type_of(const Place& place) {
  llvm::LLVMContext& context = program_.module.getContext();
  if (place.kind == SlotKind::pointer) return llvm::PointerType::get(context, 0);
  return llvm::IntegerType::get(context, place.width);
}

bool Region::touches_shared(const Value& pointer) {
  return std::any_of(pointer.objects.begin(), pointer.objects.end(),
                     [&](ObjectId id) { return program_.memory[id].is_shared(); });
}

Term Region::is_alive(ObjectId id) {
  const Object& object = program_.memory[id];
  if (!object.may_end()) return Terms::truth(true);
  if (object.is_shared()) return program_.system.read(program_.alive_cell(id));
  const auto it = path_.environment.dead.find(id);
  return it == path_.environment.dead.end() ? Terms::truth(true) : terms_.negation(it->second);
}

// Adds what the access hits in one object; `inside`: it lies in the object, `odd`: but in no slot as it is.
void Region::resolve_in_object(const Place& place, ObjectId id, std::vector<Hit>& hits, Term& inside, Term& odd) {
  const Object& object = program_.memory[id];
  const Term pointer = place.pointer.bits;
  const Term offset = terms_.binary(TermKind::subtraction, pointer, terms_.constant(64, address_of(id)));
  const Term within = terms_.both(terms_.binary(TermKind::less, offset, terms_.constant(64, object.size)), is_alive(id));
  if (terms_.is_false(within) || object.kind == ObjectKind::function) return;
  Term hit = Terms::truth(false);
  const auto fits = [&](const Slot& slot) { return slot.kind == place.kind && slot.width == place.width; };
  if (object.is_array() && fits(object.slots[0]) && !terms_.is_constant(pointer)) {
    unsigned shift = 0;
    while (8u << shift < place.width) ++shift;
    const Term index = terms_.extract(offset, shift, 32);
    const Term aligned = shift == 0 ? Terms::truth(true) : terms_.equal(terms_.extract(offset, 0, shift), 0);
    hit = terms_.both(within, aligned);
    hits.push_back({object.first_slot, static_cast<std::uint32_t>(object.slots.size()), index, hit});
  } else {
    for (std::size_t s = 0; s < object.slots.size(); ++s) {
      if (!fits(object.slots[s])) continue;
      const Term here = terms_.both(within, terms_.equal(offset, object.slots[s].offset));
      if (terms_.is_false(here)) continue;
      hits.push_back({object.first_slot + static_cast<SlotId>(s), 1, std::nullopt, here});
      hit = terms_.either(hit, here);
    }
  }
  inside = terms_.either(inside, within);
  odd = terms_.either(odd, terms_.both(within, terms_.negation(hit)));
}

std::vector<Region::Hit> Region::resolve(const Place& place, bool writes, const llvm::Instruction& i) {
  std::vector<Hit> hits;
  Term inside = Terms::truth(false), odd = Terms::truth(false), constant = Terms::truth(false);
  for (const ObjectId id : place.pointer.objects) {
    if (program_.memory[id].is_stale) continue;
    program_.memory.note_access(id, thread_, writes);
    if (place.kind == SlotKind::data || place.kind == SlotKind::pointer) program_.memory.note_type(id, type_of(place));
    const std::size_t before = hits.size();
    if (!program_.memory[id].unsupported.empty()) {
      const Term object = terms_.extract(place.pointer.bits, kObjectShift, 64 - kObjectShift);
      inside = terms_.either(inside, terms_.equal(object, id));
      odd = terms_.either(odd, terms_.equal(object, id));
      continue;
    }
    resolve_in_object(place, id, hits, inside, odd);
    for (std::size_t h = before; h < hits.size(); ++h)
      if (program_.memory[id].is_constant) constant = terms_.either(constant, hits[h].condition);
  }
  if (!mutated(Mutation::bounds_unchecked))
    require_not(terms_.negation(inside), FailureKind::memory_error, "an access outside of every object", i);
  // Compilers exchange pointers as numbers.
  const bool is_exchange = i.isAtomic() && place.kind == SlotKind::data && place.width == 64;
  require_not(odd, FailureKind::unsupported,
              is_exchange
                  ? "an atomic exchange of something else than a number (of a pointer: use an index, or a mutex)"
                  : "an access to something else than one whole scalar (of a union, or by a cast: use a variable for each "
                    "kind of value)",
              i);
  if (writes && !mutated(Mutation::constants_written)) require_not(constant, FailureKind::crash, "a write to a constant", i);
  return hits;
}

Value Region::load_from(const std::vector<Hit>& hits, const Place& place) {
  std::optional<Value> result;
  Memory& memory = program_.memory;
  const auto add = [&](Term condition, Value value) {
    if (!result) {
      result = std::move(value);
      return;
    }
    value.objects.insert(result->objects.begin(), result->objects.end());
    value.bits = terms_.choice(condition, value.bits, result->bits);
    result = std::move(value);
  };
  for (const Hit& hit : hits) {
    const bool is_shared = memory[memory.object_of(hit.first)].is_shared();
    Value array{terms_.constant(place.width, 0), place.kind == SlotKind::pointer};
    for (SlotId s = hit.first; s < hit.first + hit.extent; ++s) {
      const Term here = hit.index ? terms_.equal(*hit.index, s - hit.first) : Terms::truth(true);
      if (is_shared) {
        const auto& objects = memory.pointed_to(s);
        array.objects.insert(objects.begin(), objects.end());
      } else {
        const auto it = path_.environment.slots.find(s);
        const Value value = it == path_.environment.slots.end() ? first_value(s) : it->second;
        array.objects.insert(value.objects.begin(), value.objects.end());
        array.bits = terms_.choice(here, value.bits, array.bits);
      }
    }
    if (is_shared) {
      const CellId first = program_.cell_of(hit.first);
      array.bits = hit.index ? terms_.element(first, hit.extent, *hit.index, place.width) : terms_.cell(first, place.width);
    }
    add(hit.condition, std::move(array));
  }
  if (!result) return {terms_.constant(place.width, 0), place.kind == SlotKind::pointer};
  return *result;
}

void Region::store_to(const std::vector<Hit>& hits, const Value& value, Term condition) {
  Memory& memory = program_.memory;
  for (Hit hit : hits) {
    const Term when = terms_.both(condition, hit.condition);
    if (terms_.is_false(when)) continue;
    if (hit.index && mutated(Mutation::stores_to_first)) hit.index = terms_.constant(32, 0);
    if (memory[memory.object_of(hit.first)].is_shared()) {
      memory.note_escape(value.objects);
      for (SlotId s = hit.first; s < hit.first + hit.extent; ++s) memory.note_pointer(s, value.objects);
      result_.transition.updates.push_back({{program_.cell_of(hit.first), hit.extent, hit.index}, value.bits, when});
      continue;
    }
    for (SlotId s = hit.first; s < hit.first + hit.extent; ++s) {
      const Term here = terms_.both(when, hit.index ? terms_.equal(*hit.index, s - hit.first) : Terms::truth(true));
      if (terms_.is_false(here)) continue;
      Value& slot = path_.environment.slots.try_emplace(s, first_value(s)).first->second;
      Objects objects = terms_.is_true(here) ? Objects{} : slot.objects;
      objects.insert(value.objects.begin(), value.objects.end());
      slot = {terms_.choice(here, value.bits, slot.bits), slot.is_pointer, std::move(objects)};
    }
  }
}

void Region::note_accesses(const std::vector<Hit>& hits, const Access& like) {
  if (like.writes && mutated(Mutation::accesses_not_noted)) return;
  for (const Hit& hit : hits) {
    if (!program_.memory[program_.memory.object_of(hit.first)].is_shared()) continue;
    Access access = like;
    access.target = {program_.cell_of(hit.first), hit.extent, hit.index};
    access.condition = terms_.both(like.condition, hit.condition);
    result_.transition.accesses.push_back(access);
  }
}

Region::Flow Region::allocate(const llvm::AllocaInst& i) {
  Environment& environment = path_.environment;
  const ObjectId id = program_.memory.stack(thread_, key_of(program_, environment), &i);
  environment.top().locals.push_back(id);
  set(i, {terms_.constant(64, address_of(id)), true, {id}});
  return Flow::next;
}

Region::Flow Region::load(const llvm::LoadInst& i) {
  if (is_stream_to_print_on(i)) return Flow::next;
  const auto pointer = read(i.getPointerOperand());
  const auto type = scalar(i.getType());
  if (!pointer || !type) return unsupported(i, "a load of something else than an integer or a pointer");
  if (touches_shared(*pointer) && !path_.is_fresh) return stop_at_visible();
  if (wants_races() && i.isAtomic() && !llvm::isAtLeastOrStrongerThan(i.getOrdering(), llvm::AtomicOrdering::Acquire))
    return unsupported(i, "a relaxed atomic operation, which orders less than races are judged by (--races=ignore)");
  const Place place{*pointer, type->first, type->second};
  if (is_padding(place)) {
    set(i, {program_.system.read(program_.add_uninitialised("padding at " + Program::place(i), place.width, thread_))});
    return Flow::next;
  }
  const std::vector<Hit> hits = resolve(place, false, i);
  set(i, load_from(hits, place));
  if (path_.is_fresh) {
    describe(i, "load");
    note_accesses(hits, {.is_atomic = i.isAtomic()});
  }
  return Flow::next;
}

Region::Flow Region::store(const llvm::StoreInst& i) {
  const auto pointer = read(i.getPointerOperand()), value = read(i.getValueOperand());
  const auto type = scalar(i.getValueOperand()->getType());
  if (!pointer || !value || !type) return unsupported(i, "a store of something else than an integer or a pointer");
  if (touches_shared(*pointer) && !path_.is_fresh) return stop_at_visible();
  if (wants_races() && i.isAtomic() && !llvm::isAtLeastOrStrongerThan(i.getOrdering(), llvm::AtomicOrdering::Release))
    return unsupported(i, "a relaxed atomic operation, which orders less than races are judged by (--races=ignore)");
  const Place place{*pointer, type->first, type->second};
  if (is_padding(place)) return Flow::next;
  const std::vector<Hit> hits = resolve(place, true, i);
  store_to(hits, *value, Terms::truth(true));
  if (path_.is_fresh) {
    describe(i, "store");
    note_accesses(hits, {.writes = true, .is_atomic = i.isAtomic()});
  }
  return Flow::next;
}

namespace {

std::optional<TermKind> kind_of(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Add:
      return TermKind::sum;
    case llvm::AtomicRMWInst::Sub:
      return TermKind::subtraction;
    case llvm::AtomicRMWInst::And:
      return TermKind::conjunction;
    case llvm::AtomicRMWInst::Or:
      return TermKind::disjunction;
    case llvm::AtomicRMWInst::Xor:
      return TermKind::difference;
    default:
      return std::nullopt;
  }
}

}  // namespace

Region::Flow Region::read_modify_write(const llvm::AtomicRMWInst& i) {
  const auto pointer = read(i.getPointerOperand()), operand = read(i.getValOperand());
  const auto type = scalar(i.getType());
  const auto kind = kind_of(i.getOperation());
  const bool exchanges = i.getOperation() == llvm::AtomicRMWInst::Xchg;
  if (!pointer || !operand || !type || (!kind && !exchanges) || (kind && operand->is_pointer))
    return unsupported(i, "an atomic operation");
  if (wants_races() && !llvm::isAtLeastOrStrongerThan(i.getOrdering(), llvm::AtomicOrdering::AcquireRelease))
    return unsupported(i, "a relaxed atomic operation, which orders less than races are judged by (--races=ignore)");
  if (touches_shared(*pointer) && !path_.is_fresh) return stop_at_visible();
  const Place place{*pointer, type->first, type->second};
  const std::vector<Hit> hits = resolve(place, true, i);
  const Value old = load_from(hits, place);
  if (!exchanges) {
    require_number(old, i);
    require_number(*operand, i);
  }
  store_to(hits, exchanges ? *operand : Value{terms_.binary(*kind, old.bits, operand->bits)}, Terms::truth(true));
  set(i, old);
  if (path_.is_fresh) {
    describe(i, "read-modify-write");
    note_accesses(hits, {.writes = true, .is_atomic = true});
  }
  return Flow::next;
}

Region::Flow Region::compare_exchange(const llvm::AtomicCmpXchgInst& i) {
  const auto pointer = read(i.getPointerOperand()), expected = read(i.getCompareOperand()), value = read(i.getNewValOperand());
  const auto type = scalar(i.getCompareOperand()->getType());
  if (!pointer || !expected || !value || !type) return unsupported(i, "a compare-exchange");
  if (wants_races() && (!llvm::isAtLeastOrStrongerThan(i.getSuccessOrdering(), llvm::AtomicOrdering::AcquireRelease) ||
                        !llvm::isAtLeastOrStrongerThan(i.getFailureOrdering(), llvm::AtomicOrdering::Acquire)))
    return unsupported(i, "a relaxed atomic operation, which orders less than races are judged by (--races=ignore)");
  if (touches_shared(*pointer) && !path_.is_fresh) return stop_at_visible();
  const Place place{*pointer, type->first, type->second};
  const std::vector<Hit> hits = resolve(place, true, i);
  const Value old = load_from(hits, place);
  require_comparable(old, *expected, i);
  const Term succeeds = terms_.equal(old.bits, expected->bits);
  store_to(hits, *value, mutated(Mutation::exchanges_always_store) ? Terms::truth(true) : succeeds);
  // The result is a pair: its users take it apart.
  for (const llvm::User* user : i.users()) {
    const auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    if (!part || part->getNumIndices() != 1) return unsupported(i, "the result of a compare-exchange as a whole");
    set(*part, part->getIndices()[0] == 0 ? old : Value{succeeds});
  }
  if (path_.is_fresh) {
    describe(i, "compare-exchange");
    note_accesses(hits, {.writes = true, .is_atomic = true, .condition = succeeds});
    note_accesses(hits, {.is_atomic = true});
  }
  return Flow::next;
}

bool Region::has_shared(const std::vector<ObjectId>& locals) {
  return std::any_of(locals.begin(), locals.end(), [&](ObjectId id) { return program_.memory[id].is_shared(); });
}

void Region::end_locals(const std::vector<ObjectId>& locals) {
  if (mutated(Mutation::locals_never_end)) return;
  for (const ObjectId id : locals) {
    path_.environment.has_ended.insert(id);
    if (program_.memory[id].is_shared())
      result_.transition.updates.push_back({{program_.alive_cell(id)}, Terms::truth(false)});
    else
      path_.environment.dead[id] = Terms::truth(true);
  }
}

// A variable that begins again is another object: what pointed to the one before points to nothing.
Region::Flow Region::lifetime(const llvm::IntrinsicInst& i) {
  Environment& environment = path_.environment;
  const auto* const variable = llvm::dyn_cast<llvm::AllocaInst>(i.getArgOperand(1));
  const auto pointer = read(i.getArgOperand(1));
  if (!variable || !pointer) return unsupported(i, "the begin or end of a variable that is not understood");
  if (i.getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
    const bool has_ended = std::any_of(pointer->objects.begin(), pointer->objects.end(),
                                       [&](ObjectId id) { return environment.has_ended.contains(id); });
    if (!has_ended) return Flow::next;
    const ObjectId id = program_.memory.stack(thread_, key_of(program_, environment), variable);
    environment.top().locals.push_back(id);
    set(*variable, {terms_.constant(64, address_of(id)), true, {id}});
    return Flow::next;
  }
  if (pointer->objects.size() != 1) return unsupported(i, "the end of a variable that begins in several places");
  const bool is_shared = touches_shared(*pointer);
  if (is_shared && !path_.is_fresh) return stop_at_visible();
  end_locals({*pointer->objects.begin()});
  describe(i, "a variable ends");
  return Flow::next;
}

}  // namespace inspect::symbolic
