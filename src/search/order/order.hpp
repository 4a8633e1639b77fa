// In which order pending transitions are explored.
//
// Guarantees: take() returns each node that was added exactly once. Soundness never depends on the order (docs/algorithms.md).
// Deliberately unknown here: why a node is to be explored.
#pragma once
#include <memory>
#include <optional>

#include "search/tree.hpp"

namespace inspect::search {

class Order {
 public:
  virtual ~Order() = default;
  virtual void add(NodeId node, std::uint32_t depth) = 0;
  virtual std::optional<NodeId> take() = 0;
  [[nodiscard]] virtual bool empty() const = 0;
};

}  // namespace inspect::search
