// std::pmr's resources. Pools ask upstream for each block, so that what is done with a block after its end is seen.
#include <memory_resource>

#include <atomic>
#include <mutex>
#include <new>

namespace std::pmr {

memory_resource::~memory_resource() = default;

namespace {

struct NewDelete final : memory_resource {
  void* do_allocate(size_t bytes, size_t alignment) override { return ::operator new(bytes, align_val_t(alignment)); }
  void do_deallocate(void* p, size_t bytes, size_t alignment) override { ::operator delete(p, bytes, align_val_t(alignment)); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

struct Null final : memory_resource {
  void* do_allocate(size_t, size_t) override { throw bad_alloc(); }
  void do_deallocate(void*, size_t, size_t) override {}
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

// Used before and after all constructors and destructors.
template <class Resource>
struct Constant {
  union {
    Resource resource;
  };
  constexpr Constant() : resource() {}
  ~Constant() {}
};
Constant<NewDelete> new_delete;
Constant<Null> null;

atomic<memory_resource*>& default_resource() {
  static constinit atomic<memory_resource*> chosen{&new_delete.resource};
  return chosen;
}

}  // namespace

memory_resource* new_delete_resource() noexcept { return &new_delete.resource; }
memory_resource* null_memory_resource() noexcept { return &null.resource; }
memory_resource* get_default_resource() noexcept { return default_resource().load(); }
memory_resource* set_default_resource(memory_resource* r) noexcept {
  return default_resource().exchange(r ? r : new_delete_resource());
}

// --- monotonic_buffer_resource: a chain of buffers.

class monotonic_buffer_resource::_Chunk {
 public:
  _Chunk* next;
  size_t bytes, alignment;
};

monotonic_buffer_resource::~monotonic_buffer_resource() { release(); }

void monotonic_buffer_resource::_M_new_buffer(size_t bytes, size_t alignment) {
  const size_t wanted = max(bytes, _M_next_bufsiz), align = max(alignment, alignof(max_align_t));
  const size_t header = (sizeof(_Chunk) + align - 1) / align * align;
  auto* const p = static_cast<char*>(_M_upstream->allocate(header + wanted, align));
  _M_head = ::new (p) _Chunk{_M_head, header + wanted, align};
  _M_current_buf = p + header;
  _M_avail = wanted;
  _M_next_bufsiz = size_t(float(_M_next_bufsiz) * _S_growth_factor);
}

void monotonic_buffer_resource::_M_release_buffers() noexcept {
  while (_Chunk* const chunk = _M_head) {
    _M_head = chunk->next;
    _M_upstream->deallocate(chunk, chunk->bytes, chunk->alignment);
  }
}

// --- Pools.

struct __pool_resource::_BigBlock {
  void* address;
  size_t bytes, alignment;
};

__pool_resource::__pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_opts(options), _M_unpooled(upstream), _M_npools(0) {}

__pool_resource::~__pool_resource() { release(); }

void* __pool_resource::allocate(size_t bytes, size_t alignment) {
  auto& block = _M_unpooled.emplace_back();
  try {
    block = {resource()->allocate(bytes, alignment), bytes, alignment};
  } catch (...) {
    _M_unpooled.pop_back();
    throw;
  }
  return block.address;
}

void __pool_resource::deallocate(void* p, size_t bytes, size_t alignment) {
  for (auto& block : _M_unpooled)
    if (block.address == p) {
      block = _M_unpooled.back();
      _M_unpooled.pop_back();
      break;
    }
  resource()->deallocate(p, bytes, alignment);
}

void __pool_resource::release() noexcept {
  for (const auto& block : _M_unpooled) resource()->deallocate(block.address, block.bytes, block.alignment);
  pmr::vector<_BigBlock>(_M_unpooled.get_allocator()).swap(_M_unpooled);
}

unsynchronized_pool_resource::unsynchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream) {}
unsynchronized_pool_resource::~unsynchronized_pool_resource() = default;
void unsynchronized_pool_resource::release() { _M_impl.release(); }
void* unsynchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) { return _M_impl.allocate(bytes, alignment); }
void unsynchronized_pool_resource::do_deallocate(void* p, size_t bytes, size_t alignment) {
  _M_impl.deallocate(p, bytes, alignment);
}

synchronized_pool_resource::synchronized_pool_resource(const pool_options& options, memory_resource* upstream)
    : _M_impl(options, upstream) {}
synchronized_pool_resource::~synchronized_pool_resource() = default;
void synchronized_pool_resource::release() {
  const lock_guard lock(_M_mx);
  _M_impl.release();
}
void* synchronized_pool_resource::do_allocate(size_t bytes, size_t alignment) {
  const lock_guard lock(_M_mx);
  return _M_impl.allocate(bytes, alignment);
}
void synchronized_pool_resource::do_deallocate(void* p, size_t bytes, size_t alignment) {
  const lock_guard lock(_M_mx);
  _M_impl.deallocate(p, bytes, alignment);
}

}  // namespace std::pmr
