// What the models of higher floors add to the identity of a state: each describes its own part.
#pragma once

namespace inspect::runtime {

class StateHash;

void describe_keys(StateHash& hash);
unsigned key_count();  // of whose values each thread has one
void describe_exit_handlers(StateHash& hash);
bool exit_handlers_have_addresses();             // of the heap
bool exit_handlers_have_addresses_of_threads();  // stacks, thread-local variables, handles
void describe_virtual_time(StateHash& hash);

}  // namespace inspect::runtime
