// qsort: the library's own, which may compare elements in its frame.
#include "runtime/memory/stack_objects.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/platform/real.hpp"

using namespace inspect::runtime;

namespace {

using Compare = int (*)(const void*, const void*);
using CompareBy = int (*)(const void*, const void*, void*);

struct Sorting {
  std::size_t width;
  Compare compare;
  CompareBy compare_by;
  void* context;
};

int compare_lent(const void* a, const void* b, void* data) {
  const auto& s = *static_cast<const Sorting*>(data);
  const LentBytes first(a, s.width), second(b, s.width);
  return s.compare ? s.compare(a, b) : s.compare_by(a, b, s.context);
}

}  // namespace

INSPECT_EXPORT void qsort(void* elements, std::size_t count, std::size_t width, Compare compare) {
  Sorting sorting{width, compare, nullptr, nullptr};
  real (&RealFunctions::qsort_r)(elements, count, width, compare_lent, &sorting);
}
INSPECT_EXPORT void qsort_r(void* elements, std::size_t count, std::size_t width, CompareBy compare, void* context) {
  Sorting sorting{width, nullptr, compare, context};
  real (&RealFunctions::qsort_r)(elements, count, width, compare_lent, &sorting);
}
