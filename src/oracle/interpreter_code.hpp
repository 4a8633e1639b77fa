// The code of a model program as a search knows code without running it (search/cut/code.hpp).
//
// With a seed it is made less precise on purpose, like a compiler's tables: parts of threads become functions that they call,
// and a lock may be one of two. What it says stays true.
#pragma once
#include <optional>

#include "oracle/model.hpp"
#include "search/cut/code.hpp"

namespace inspect::oracle {

// The function of thread t has address 1 + t.
search::Code code_of(const ModelProgram& program, std::optional<std::uint64_t> seed = std::nullopt);

}  // namespace inspect::oracle
