// A system as text for people: cells, then each thread's locations with guard, footprint, updates, checks, branches and source.
#pragma once
#include <string>

#include "symbolic/system/system.hpp"

namespace inspect::symbolic {

std::string to_text(const System& system);
std::string to_text(const System& system, Term term);

}  // namespace inspect::symbolic
