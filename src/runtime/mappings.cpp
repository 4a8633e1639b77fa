#include "runtime/mappings.hpp"

namespace inspect::runtime {

void reset_mappings() {}

}  // namespace inspect::runtime
