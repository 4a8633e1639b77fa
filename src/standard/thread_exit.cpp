// What is to happen when a thread has ended and its thread_local objects are gone: a shared state becomes ready, the waiters of
// a condition variable wake. The library would store, unlock and notify unseen.
#include <pthread.h>

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>

namespace std {
namespace {

void run(void* first) {
  for (auto* at = static_cast<__at_thread_exit_elt*>(first); at;) {
    __at_thread_exit_elt* const next = at->_M_next;
    at->_M_cb(at);  // which deletes it
    at = next;
  }
}

// A list for each thread, the last first. Keys end after thread_local objects.
class Exits {
 public:
  Exits() { pthread_key_create(&key_, run); }
  // The thread that ends the process.
  ~Exits() {
    void* const first = pthread_getspecific(key_);
    pthread_setspecific(key_, nullptr);
    run(first);
  }

  void add(__at_thread_exit_elt& element) {
    element._M_next = static_cast<__at_thread_exit_elt*>(pthread_getspecific(key_));
    pthread_setspecific(key_, &element);
  }

 private:
  pthread_key_t key_;
};

Exits& exits() {
  static Exits all;
  return all;
}

struct Notification final : __at_thread_exit_elt {
  Notification(condition_variable& condition, unique_lock<mutex>& lock) : condition(&condition), held(lock.release()) {
    _M_cb = [](void* self) {
      const unique_ptr<Notification> notification(static_cast<Notification*>(self));
      notification->held->unlock();
      notification->condition->notify_all();
    };
  }
  condition_variable* condition;
  mutex* held;
};

}  // namespace

void __future_base::_State_baseV2::_Make_ready::_S_run(void* self) {
  const unique_ptr<_Make_ready> ready(static_cast<_Make_ready*>(self));
  if (const auto state = ready->_M_shared_state.lock())
    state->_M_status._M_store_notify_all(_Status::__ready, memory_order_release);
}

void __future_base::_State_baseV2::_Make_ready::_M_set() {
  _M_cb = &_S_run;
  exits().add(*this);
}

void notify_all_at_thread_exit(condition_variable& condition, unique_lock<mutex> lock) {
  exits().add(*new Notification(condition, lock));
}

}  // namespace std
