// `inspect check --coverage-list`: what is known of each function that the system's headers declare and of each symbol of the
// C++ library.
//
// Guarantees: the answers come from the tables that the pass and the runtime use, the names from the headers and the library
// that this machine has. Deliberately unknown here: what a program calls.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inspect::cli {

// "modelled" (the runtime has its own: it performs, orders or refuses the call), "described" (a row says what memory and state
// the call touches; test/library compares the row with the function), "unknown" (a call takes the verdict away from verified).
std::string_view coverage_of(std::string_view function);

// (header, function), in order, from a preprocessed file: each function under its header, or the one that this is a part of.
std::vector<std::pair<std::string, std::string>> declared_functions(const std::string& preprocessed);

// Functions that an ELF library gives to programs; empty when it cannot be read.
std::vector<std::string> exported_functions(const std::string& library);

// Prints the list; the exit status.
int list_coverage();

}  // namespace inspect::cli
