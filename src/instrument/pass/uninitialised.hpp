// Local objects that have no initialiser.
#pragma once
#include "instrument/pass/steps.hpp"

namespace inspect::pass {

// Is it one of -ftrivial-auto-var-init's stores? The source has none, and the object is new.
bool is_automatic_initialisation(const llvm::Instruction& instruction);
// Fills local synchronisation objects that have no initialiser with a pattern that is none.
void fill_uninitialised_objects(Context& context, llvm::Function& function);

}  // namespace inspect::pass
