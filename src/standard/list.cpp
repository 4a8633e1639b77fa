// The links of std::list.
#include <list>

namespace std::__detail {

void _List_node_base::_M_hook(_List_node_base* const position) noexcept {
  _M_next = position;
  _M_prev = position->_M_prev;
  position->_M_prev->_M_next = this;
  position->_M_prev = this;
}

void _List_node_base::_M_unhook() noexcept {
  _M_next->_M_prev = _M_prev;
  _M_prev->_M_next = _M_next;
}

// The nodes from `first` on, up to `last` alone, move before this one.
void _List_node_base::_M_transfer(_List_node_base* const first, _List_node_base* const last) noexcept {
  if (this == last || first == last) return;
  _List_node_base* const end = last->_M_prev;
  first->_M_prev->_M_next = last;
  last->_M_prev = first->_M_prev;
  _M_prev->_M_next = first;
  first->_M_prev = _M_prev;
  end->_M_next = this;
  _M_prev = end;
}

void _List_node_base::_M_reverse() noexcept {
  _List_node_base* node = this;
  do {
    _List_node_base* const next = node->_M_next;
    node->_M_next = node->_M_prev;
    node->_M_prev = next;
    node = next;
  } while (node != this);
}

void _List_node_base::swap(_List_node_base& a, _List_node_base& b) noexcept {
  const bool full_a = a._M_next != &a, full_b = b._M_next != &b;
  const _List_node_base old_a = a, old_b = b;
  const auto take = [](_List_node_base& node, const _List_node_base& links, bool full) {
    node = full ? links : _List_node_base{&node, &node};
    node._M_next->_M_prev = node._M_prev->_M_next = &node;
  };
  if (full_a || full_b) {
    take(a, old_b, full_b);
    take(b, old_a, full_a);
  }
}

}  // namespace std::__detail
