// The table of what functions do (hooks/code_table.h), for searches that look at code which did not run.
//
// Written at the end of the pipeline, from what hooks and calls are left then, so it describes the code that will run.
// Guarantees: what a function does and the table cannot say is a step "not known". Deliberately unknown here: what threads do.
#pragma once
#include "instrument/pass/steps.hpp"

namespace inspect::pass {

// Did the user ask for it (-mllvm -inspect-code)?
bool wants_code();
void write_code_table(Context& context);

}  // namespace inspect::pass
