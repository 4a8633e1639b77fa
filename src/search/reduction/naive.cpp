#include "search/reduction/naive.hpp"

namespace inspect::search {
std::unique_ptr<Reduction> make_naive() { return std::make_unique<Naive>(); }
}  // namespace inspect::search
