// Is the model of the outside world there? (environment/environment.cpp)
#pragma once

namespace inspect::runtime {

// Maps its structures and finds the library's own functions; idempotent. Called by whatever may run before boot.
void ensure_environment();
// Nothing of the outside is modelled while the program runs without an explorer, or before main: calls go through.
bool environment_is_real();

}  // namespace inspect::runtime
