// The trees of <search.h>, as glibc builds them.
#pragma once
#include <cstdint>

namespace inspect::runtime {

// The key is the program's. The links of the root stand for those of all nodes.
struct TreeNode {
  const void* key;
  std::uintptr_t links[2];  // the lowest bit of the first is the node's colour
};

template <class F>
void for_each_node(const TreeNode* root, const F& f) {
  if (!root) return;
  f(*root);
  for (const std::uintptr_t link : root->links) for_each_node(reinterpret_cast<const TreeNode*>(link & ~1ul), f);
}

}  // namespace inspect::runtime
