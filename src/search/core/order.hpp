// In which order pending transitions are explored.
//
// Guarantees: take() and take_nearest() return each node that was added at most once. Soundness never depends on the order
// (docs/algorithms.md). Deliberately unknown here: why a node is to be explored.
#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "search/core/tree.hpp"

namespace inspect::search {

class Order {
 public:
  virtual ~Order() = default;
  virtual void add(NodeId node, std::uint32_t depth) = 0;
  virtual std::optional<NodeId> take() = 0;
  // The one nearest the root that `may` accepts.
  virtual std::optional<NodeId> take_nearest(const std::function<bool(NodeId)>& may) = 0;
  virtual void remove(NodeId node) = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] bool empty() const { return size() == 0; }
};

}  // namespace inspect::search
