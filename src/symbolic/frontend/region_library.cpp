// Functions of the C library that do nothing to the program but end it or print.
#include <llvm/IR/Constants.h>

#include "symbolic/frontend/region.hpp"
#include "symbolic/mutation.hpp"

namespace inspect::symbolic {

namespace {

// What a format takes of its arguments, in turn: d for a number, s for a string. Nothing if it is not understood, or writes.
std::optional<std::string> conversions(llvm::StringRef format) {
  std::string taken;
  for (std::size_t at = 0; (at = format.find('%', at)) != llvm::StringRef::npos; ++at) {
    const std::size_t begin = at + 1;
    at = format.find_first_not_of("0123456789*.+-# 'hlLqjzt", begin);
    if (at == llvm::StringRef::npos) return std::nullopt;
    const llvm::StringRef between = format.slice(begin, at);
    const char letter = format[at];
    if (letter == '%' && between.empty()) continue;
    taken.append(between.count('*'), 'd');
    const bool is_string = letter == 's' && between.find_first_of("hlLqjzt") == llvm::StringRef::npos;
    if (!is_string && llvm::StringRef("diouxXc").find(letter) == llvm::StringRef::npos) return std::nullopt;
    taken += is_string ? 's' : 'd';
  }
  return taken;
}

bool is_stream(const llvm::Value* value) {
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
  return variable && !variable->hasInitializer() && (variable->getName() == "stderr" || variable->getName() == "stdout");
}

}  // namespace

// The stream of a call that prints, and of nothing else: the library's own, which the program does not touch.
bool Region::is_stream_to_print_on(const llvm::LoadInst& load) {
  return is_stream(load.getPointerOperand()) && llvm::all_of(load.users(), [&](const llvm::User* user) {
           const auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
           const llvm::Function* const callee = call ? call->getCalledFunction() : nullptr;
           return callee && callee->isDeclaration() && callee->getName() == "fprintf" && call->getArgOperand(0) == &load;
         });
}

// A string that never changes.
std::optional<llvm::StringRef> Region::constant_text(const llvm::Value* value) {
  const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(value->stripPointerCasts());
  if (!variable || !variable->isConstant() || !variable->hasInitializer()) return std::nullopt;
  if (llvm::isa<llvm::ConstantAggregateZero>(variable->getInitializer())) return "";
  const auto* const text = llvm::dyn_cast<llvm::ConstantDataSequential>(variable->getInitializer());
  return text && text->isCString() ? std::optional(text->getAsCString()) : std::nullopt;
}

// Whether the arguments from number `first` on are numbers, or strings that never change, and what the format asks for, if
// there is one: it comes first. What is printed by way of other pointers would be read.
bool Region::is_plain_output(const llvm::CallBase& call, unsigned first, bool has_format) {
  std::string given;
  for (unsigned a = first; a < call.arg_size(); ++a) {
    const llvm::Value* const argument = call.getArgOperand(a);
    const bool is_text = argument->getType()->isPointerTy();
    if (is_text ? !constant_text(argument) : !argument->getType()->isIntegerTy()) return false;
    given += is_text ? 's' : 'd';
  }
  if (!has_format) return true;
  const auto format = given.starts_with('s') ? constant_text(call.getArgOperand(first)) : std::nullopt;
  const auto asked = format ? conversions(*format) : std::nullopt;
  return asked && llvm::StringRef(given).drop_front().starts_with(*asked);
}

// Prints, which nobody in the program sees.
Region::Flow Region::output(const llvm::CallBase& call, unsigned first, bool has_format) {
  if (!is_plain_output(call, first, has_format))
    return unsupported(call, "output of something else than numbers and constant strings");
  if (call.use_empty()) return Flow::next;
  const auto* const type = llvm::dyn_cast<llvm::IntegerType>(call.getType());
  if (!type) return unsupported(call, "the result of an output");
  // How much was printed, or that it failed: anything.
  set(call, {program_.system.read(program_.add_input("result " + Program::place(call), type->getBitWidth(), thread_))});
  return Flow::next;
}

// From any thread, at once or whenever the others have run on: as main's return.
Region::Flow Region::exit_process(const llvm::CallBase& call) {
  const auto value = read(call.getArgOperand(0));
  if (!value) return unsupported(call, "an exit status that is not understood");
  require_not(terms_.negation(terms_.equal(terms_.extract(value->bits, 0, 8), 0)), FailureKind::exit_status,
              "exit with another status than 0", call);
  return end_thread(result_.excuses);
}

std::optional<Region::Flow> Region::library(const llvm::CallBase& call, llvm::StringRef name) {
  if (const auto flow = heap(call, name)) return flow;
  if (name == "printf") return output(call, 0, true);
  if (name == "puts" || name == "putchar") return output(call, 0, false);
  if (name == "fprintf" && call.arg_size() >= 2) {
    const auto* const stream = llvm::dyn_cast<llvm::LoadInst>(call.getArgOperand(0));
    if (stream && is_stream_to_print_on(*stream)) return output(call, 1, true);
  }
  if ((name == "exit" || name == "_exit" || name == "_Exit") && call.arg_size() == 1) return exit_process(call);
  return std::nullopt;
}

Region::Flow Region::with_overflow(const llvm::WithOverflowInst& call) {
  const auto a = read(call.getLHS()), b = read(call.getRHS());
  if (!a || !b) return unsupported(call, "a value that is not understood");
  require_number(*a, call);
  require_number(*b, call);
  const unsigned width = terms_.width(a->bits);
  if (width > 32) return unsupported(call, "overflow of a number of more than 32 bits");
  const bool is_signed = call.isSigned();
  const TermKind kind = call.getBinaryOp() == llvm::Instruction::Add   ? TermKind::sum
                        : call.getBinaryOp() == llvm::Instruction::Sub ? TermKind::subtraction
                                                                       : TermKind::product;
  const Term wide =
      terms_.binary(kind, terms_.extend(a->bits, 2 * width, is_signed), terms_.extend(b->bits, 2 * width, is_signed));
  const Term result = terms_.extract(wide, 0, width);
  const Term overflows = mutated(Mutation::overflow_unnoticed)
                             ? Terms::truth(false)
                             : terms_.negation(terms_.equal(terms_.extend(result, 2 * width, is_signed), wide));
  // The result is a pair: its users take it apart.
  for (const llvm::User* user : call.users()) {
    const auto* const part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
    if (!part || part->getNumIndices() != 1) return unsupported(call, "the result of an operation with overflow as a whole");
    set(*part, {part->getIndices()[0] == 0 ? result : overflows});
  }
  return Flow::next;
}

Region::Flow Region::absolute(const llvm::IntrinsicInst& call) {
  const auto value = read(call.getArgOperand(0));
  if (!value) return unsupported(call, "a value that is not understood");
  require_number(*value, call);
  const unsigned width = terms_.width(value->bits);
  const Term zero = terms_.constant(width, 0);
  set(call, {terms_.choice(terms_.binary(TermKind::signed_less, value->bits, zero),
                           terms_.binary(TermKind::subtraction, zero, value->bits), value->bits)});
  return Flow::next;
}

}  // namespace inspect::symbolic
