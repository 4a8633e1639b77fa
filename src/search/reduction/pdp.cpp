#include "search/reduction/pdp.hpp"

namespace inspect::search {

std::unique_ptr<Reduction> make_pdp() { return std::make_unique<Pdp>(); }

}  // namespace inspect::search
