// Variables of the stack that the program does not initialise.
//
// The compiler is told to clear them (-ftrivial-auto-var-init=zero), for the native engine; in the program as written they hold
// anything. Guarantees: what the compiler added is taken back, before anything is simplified: calls of functions whose names
// begin with kUninitialised stand for values that nobody has written, or begin an object that holds such values.
#pragma once
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <string>

namespace inspect::symbolic {

inline constexpr const char* kUninitialised = "inspect.uninitialised";

// The name of the variable and its place: NAME at FILE:LINE, as far as is known.
std::string variable_name(const llvm::AllocaInst& variable);

// Where the compiler clears variables by itself they get such calls instead.
void take_back_zeros(llvm::Module& module);
// Takes away calls for values that nobody uses.
void drop_unused(llvm::Module& module);
// What a call stands for, for people.
std::string uninitialised_name(const llvm::CallBase& call);

}  // namespace inspect::symbolic
