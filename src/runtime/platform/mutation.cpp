#include "runtime/platform/mutation.hpp"

#ifdef INSPECT_MUTANTS
#include <string.h>

namespace inspect::runtime {

Mutation active_mutation = Mutation::none;

void choose_mutation(const char* name) {
#define MUTATION(row, help) \
  if (name && !strcmp(name, #row)) active_mutation = Mutation::row;
#include "runtime/platform/mutations.def"
}

}  // namespace inspect::runtime
#endif
