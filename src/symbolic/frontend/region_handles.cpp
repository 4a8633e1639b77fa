// Handles of threads: values that are passed on, stored and compared with each other. What number one is nobody knows, so
// whatever depends on that is unsupported.
#include <algorithm>

#include "symbolic/frontend/region.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

Value Region::handle_of(ThreadIndex thread) {
  const ObjectId id = program_.memory.handle(thread);
  return {terms_.constant(64, address_of(id)), false, {id}};
}

Objects Region::handles_among(const Objects& objects) {
  Objects handles = objects;
  std::erase_if(handles, [&](ObjectId id) { return program_.memory[id].kind != ObjectKind::handle; });
  return handles;
}

bool Region::may_be_handle(const Value& value) {
  return std::ranges::any_of(value.objects, [&](ObjectId id) { return program_.memory[id].kind == ObjectKind::handle; });
}

Term Region::is_handle(const Value& value) {
  Term result = Terms::truth(false);
  for (const ObjectId id : handles_among(value.objects))
    result = terms_.either(result, terms_.equal(value.bits, address_of(id)));
  return result;
}

void Region::require_number(const Value& value, const llvm::Instruction& i) {
  if (!may_be_handle(value) || mutated(Mutation::handles_are_numbers)) return;
  require_not(is_handle(value), FailureKind::unsupported,
              "a handle of a thread taken for a number (compare handles by pthread_equal, == and != alone, and give each "
              "thread a number of your own as its argument)",
              i);
}

void Region::require_comparable(const Value& a, const Value& b, const llvm::Instruction& i) {
  if ((!may_be_handle(a) && !may_be_handle(b)) || mutated(Mutation::handles_are_numbers)) return;
  const Term is_a = is_handle(a), is_b = is_handle(b);
  // No handle is zero.
  const auto with_number = [&](Term is_one, Term is_other, const Value& other) {
    return terms_.both(is_one, terms_.negation(terms_.either(is_other, terms_.equal(other.bits, 0))));
  };
  require_not(terms_.either(with_number(is_a, is_b, b), with_number(is_b, is_a, a)), FailureKind::unsupported,
              "a handle of a thread compared with what is none (keep beside it in a variable whether there is one)", i);
  // Another thread may get the handle of one that is gone.
  Term may_be_reused = Terms::truth(false);
  for (const auto& [number, thread] : program_.threads) {
    const ObjectId id = program_.memory.handle(number);
    const auto names = [&](const Value& v) {
      return v.objects.contains(id) ? terms_.equal(v.bits, address_of(id)) : Terms::truth(false);
    };
    const Term is_one = terms_.either(names(a), names(b));
    if (terms_.is_false(is_one)) continue;
    const Term progress = program_.system.read(thread.progress);
    const Term is_gone = terms_.either(terms_.equal(progress, kJoined),
                                       terms_.both(terms_.equal(progress, kDone), program_.system.read(thread.detached)));
    may_be_reused = terms_.either(may_be_reused, terms_.both(is_one, is_gone));
  }
  const Term differ = terms_.both(terms_.both(is_a, is_b), terms_.negation(terms_.equal(a.bits, b.bits)));
  require_not(terms_.both(differ, may_be_reused), FailureKind::unsupported,
              "a comparison with the handle of a thread that is gone, which another thread may have got (compare before the "
              "join)",
              i);
}

std::optional<Region::Flow> Region::handle_call(const llvm::CallBase& call, llvm::StringRef name) {
  if (name == "pthread_self" && call.getType()->isIntegerTy(64)) {
    set(call, handle_of(thread_));
    return Flow::next;
  }
  if (name == "pthread_equal" && call.arg_size() == 2 && call.getType()->isIntegerTy()) {
    const auto a = read(call.getArgOperand(0)), b = read(call.getArgOperand(1));
    if (!a || !b || terms_.width(a->bits) != terms_.width(b->bits))
      return unsupported(call, "a comparison of handles that are not understood");
    require_comparable(*a, *b, call);
    set(call, {terms_.extend(terms_.equal(a->bits, b->bits), call.getType()->getIntegerBitWidth(), false)});
    return Flow::next;
  }
  return std::nullopt;
}

}  // namespace inspect::symbolic
