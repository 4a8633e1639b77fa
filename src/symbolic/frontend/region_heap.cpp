// The heap: each call that allocates, by its place in the unrolled code, is an object of its own.
//
// A block begins with its call, which is no operation: nobody else knows it yet. Its end is one if others can tell. What is
// freed is not used again, so that a pointer to it points to nothing from then on.
#include "symbolic/frontend/region.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

namespace {
constexpr std::uint64_t kLargestBlock = 1u << 20;
}  // namespace

std::optional<Region::Flow> Region::heap(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "malloc" && call.arg_size() == 1) return allocate_block(call, 1, false);
  if (name == "calloc" && call.arg_size() == 2) return allocate_block(call, 2, true);
  if (name == "free" && call.arg_size() == 1) return free_block(call);
  return std::nullopt;
}

// `factors`: so many arguments, whose product is the size.
Region::Flow Region::allocate_block(const llvm::CallBase& call, unsigned factors, bool is_zero) {
  std::uint64_t size = 1;
  for (unsigned a = 0; a < factors; ++a) {
    const auto factor = read(call.getArgOperand(a));
    if (!factor || !terms_.is_constant(factor->bits)) return unsupported(call, "a block of the heap whose size is not known");
    const std::uint64_t by = terms_[factor->bits].value;
    if (by == 0 || by > kLargestBlock || size * by > kLargestBlock)
      return unsupported(call, "a block of the heap of no byte, or of more than a million");
    size *= by;
  }
  const ObjectId id = program_.memory.heap(thread_, key_of(program_, path_.environment), &call, {size, is_zero});
  set(call, {terms_.constant(64, address_of(id)), true, {id}});
  return Flow::next;
}

Region::Flow Region::free_block(const llvm::CallBase& call) {
  const auto pointer = read(call.getArgOperand(0));
  if (!pointer || !pointer->is_pointer) return unsupported(call, "a free of something that is not understood");
  if (touches_shared(*pointer) && !path_.is_fresh) return stop_at_visible();
  Term lives = terms_.equal(pointer->bits, 0), ended = Terms::truth(false);
  for (const ObjectId id : pointer->objects) {
    const Object& block = program_.memory[id];
    const Term is_it = terms_.equal(pointer->bits, address_of(id));
    if (block.kind != ObjectKind::heap || block.is_stale || terms_.is_false(is_it)) continue;
    program_.memory.note_access(id, thread_, true);
    const Term is_alive_now = is_alive(id);
    lives = terms_.either(lives, terms_.both(is_it, is_alive_now));
    ended = terms_.either(ended, terms_.both(is_it, terms_.negation(is_alive_now)));
    if (mutated(Mutation::frees_forgotten)) continue;
    if (block.is_shared()) {
      result_.transition.updates.push_back({{program_.alive_cell(id)}, Terms::truth(false), is_it});
    } else {
      Term& dead = path_.environment.dead.try_emplace(id, Terms::truth(false)).first->second;
      dead = terms_.either(dead, is_it);
    }
  }
  describe(call, "free");
  require_not(ended, FailureKind::memory_error, "a second free of a block of the heap", call);
  require_not(terms_.negation(lives), FailureKind::memory_error, "a free of something else than a block of the heap", call);
  return Flow::next;
}

}  // namespace inspect::symbolic
