// Thread-specific data: pthread_key_* and C11's tss_*. A new key has the lowest free number, as in glibc.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/memory/race.hpp"
#include "runtime/platform/export.hpp"
#include "runtime/schedule/access.hpp"
#include "runtime/states/state_hash.hpp"
#include "runtime/threads/key_table.hpp"
#include "runtime/threads/sync.hpp"
#include "runtime/threads/threads.hpp"
#include "runtime/upcalls/identities.hpp"
#include "runtime/upcalls/reports.hpp"
#include "runtime/upcalls/unsafe_calls.hpp"

namespace inspect::runtime {
namespace {

char key_places[kMaxKeys];  // deletion writes a key's, every use reads it

// The table of keys is one object that creation and deletion write; while there is one thread nobody can tell the order.
template <class F>
void change_keys(std::uint32_t site, F&& change) {
  KeyTable& table = keys().now;
  const bool shared = active() && state().execution.created > 1;
  if (active()) enter_unsafe_call("pthread_key_create or pthread_key_delete", site);
  if (shared) visible(operation(INSPECT_OP_AtomicRmw, &table.count, sizeof table.count, site));
  change(table);
  if (shared) executed();
}

int create_key(unsigned* key, void (*destructor)(void*), std::uint32_t site) {
  unsigned made = 0;
  change_keys(site, [&](KeyTable& table) {
    while (made < table.count && !table.deleted[made]) ++made;
    if (made == kMaxKeys) report_unsupported("more than 256 keys of thread-specific data", site);
    for (unsigned i = 0; i < state().execution.thread_limit; ++i) state().threads[i].keys[made] = nullptr;
    if (made == table.count) ++table.count;
    acquire_edge(&key_places[made]);  // what the deletion of its predecessor came after, uses of this key do too
    table.destructors[made] = destructor;
    table.deleted[made] = false;
  });
  writes_argument(key, sizeof *key, site);
  *key = made;
  return 0;
}

bool valid(unsigned key) { return key < keys().now.count && !keys().now.deleted[key]; }
void** slot(unsigned key) { return active() ? &state().current->keys[key] : &keys().before_main[key]; }

// POSIX leaves the use of a deleted key undefined; so it is for a use that nothing orders before the deletion.
void require_alive(unsigned key, const char* call, bool deletes, std::uint32_t site) {
  const State& s = state();
  if (!active() || key >= keys().now.count) return;
  if (keys().now.deleted[key]) misuse(format_message("%s of a key of thread-specific data that was deleted", call), site);
  if (s.execution.created > 1 &&
      !race_access(current_thread(), reinterpret_cast<std::uintptr_t>(&key_places[key]), 1, deletes, site))
    misuse(format_message("%s of a key of thread-specific data, without order to a use of it by another thread", call), site);
}

int delete_key(unsigned key, std::uint32_t site) {
  require_alive(key, "deletion", true, site);
  if (!valid(key)) return EINVAL;
  change_keys(site, [&](KeyTable& table) {
    table.deleted[key] = true;
    release_edge(&key_places[key]);
  });
  return 0;
}

int set_value(unsigned key, const void* value, std::uint32_t site) {
  require_alive(key, "use", false, site);
  if (!valid(key)) return EINVAL;
  *slot(key) = const_cast<void*>(value);
  return 0;
}
void* value_of(unsigned key, std::uint32_t site) {
  require_alive(key, "use", false, site);
  return valid(key) ? *slot(key) : nullptr;
}

}  // namespace

bool key_has_destructor(unsigned key) {
  const KeyTable& table = keys().now;
  if (!table.destructors[key]) return false;
  if (state().execution.created > 1) {
    visible(operation(INSPECT_OP_AtomicLoad, const_cast<unsigned*>(&table.count), sizeof table.count));
    executed();
  }
  return !table.deleted[key];
}

unsigned key_count() { return keys().now.count; }
void describe_keys(StateHash& hash) {
  const KeyTable& table = keys().now;
  hash.word(table.count);
  hash.bytes(table.destructors, table.count * sizeof *table.destructors);
  hash.bytes(table.deleted, table.count * sizeof *table.deleted);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  return create_key(key, destructor, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT int pthread_key_delete(pthread_key_t key) { return delete_key(key, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int pthread_setspecific(pthread_key_t key, const void* value) {
  return set_value(key, value, INSPECT_CALLER_SITE());
}
INSPECT_EXPORT void* pthread_getspecific(pthread_key_t key) { return value_of(key, INSPECT_CALLER_SITE()); }

INSPECT_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  create_key(key, destructor, INSPECT_CALLER_SITE());
  return thrd_success;
}
INSPECT_EXPORT void tss_delete(tss_t key) { delete_key(key, INSPECT_CALLER_SITE()); }
INSPECT_EXPORT int tss_set(tss_t key, void* value) {
  return set_value(key, value, INSPECT_CALLER_SITE()) ? thrd_error : thrd_success;
}
INSPECT_EXPORT void* tss_get(tss_t key) { return value_of(key, INSPECT_CALLER_SITE()); }
