// What an executable built with --inspect-code says of its functions (hooks/code_table.h), read from its memory.
//
// Guarantees: a table that cannot be read, or makes no sense, gives code of which nothing may be relied on. Deliberately
// unknown here: what it is used for.
#pragma once
#include "process/executor.hpp"
#include "search/cut/code.hpp"

namespace inspect::process {

search::Code read_code(Executor& executor);

}  // namespace inspect::process
