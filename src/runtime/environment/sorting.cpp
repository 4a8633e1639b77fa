// qsort: the library's own, which may compare elements in its frame.
#include "runtime/memory/stack_objects.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/upcalls/real.hpp"

using namespace inspect::runtime;

namespace {

using Compare = int (*)(const void*, const void*);
using CompareBy = int (*)(const void*, const void*, void*);

struct Sorting {
  std::uintptr_t elements;
  std::size_t count;
  std::size_t width;
  Compare compare;
  CompareBy compare_by;
  void* context;

  // Of a copy that is the library's; 0: it is none.
  [[nodiscard]] std::size_t width_of(const void* element) const {
    return reinterpret_cast<std::uintptr_t>(element) - elements < count * width ? 0 : width;
  }
};

int compare_lent(const void* a, const void* b, void* data) {
  const auto& s = *static_cast<const Sorting*>(data);
  const LentBytes first(a, s.width_of(a)), second(b, s.width_of(b));
  return s.compare ? s.compare(a, b) : s.compare_by(a, b, s.context);
}

}  // namespace

INSPECT_EXPORT void qsort(void* elements, std::size_t count, std::size_t width, Compare compare) {
  Sorting sorting{reinterpret_cast<std::uintptr_t>(elements), count, width, compare, nullptr, nullptr};
  real (&RealFunctions::qsort_r)(elements, count, width, compare_lent, &sorting);
}
INSPECT_EXPORT void qsort_r(void* elements, std::size_t count, std::size_t width, CompareBy compare, void* context) {
  Sorting sorting{reinterpret_cast<std::uintptr_t>(elements), count, width, nullptr, compare, context};
  real (&RealFunctions::qsort_r)(elements, count, width, compare_lent, &sorting);
}
