// The smallest runtime that instrumented programs link with: it performs what hooks must perform, on real threads, and with
// INSPECT_STUB_LOG=1 prints each call. For tests of the pass alone.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "hooks/operation.h"
#include "hooks/site.h"

void inspect_library_loaded(const inspect_tables* tables) { (void)tables; }
void inspect_library_version(uint64_t version) { (void)version; }
extern const inspect_site __start_inspect_sites[] __attribute__((weak));
extern const inspect_site __stop_inspect_sites[] __attribute__((weak));
extern void* const __start_inspect_functions[] __attribute__((weak));
extern void* const __stop_inspect_functions[] __attribute__((weak));
extern inspect_tls_variable* const __start_inspect_tls_variables[] __attribute__((weak));
extern inspect_tls_variable* const __stop_inspect_tls_variables[] __attribute__((weak));

int64_t inspect_loop_budget = 1000000, inspect_loop_entries, inspect_disturbed, inspect_unreported_write;
char inspect_library_state[1024];
static int logging;

static void site_text(const inspect_site* site, char* out, size_t size) {
  if (!site) {
    snprintf(out, size, "-");
    return;
  }
  const char* slash = site->file ? strrchr(site->file, '/') : 0;
  int n = snprintf(out, size, "%s:%u:%u %s %s", slash ? slash + 1 : site->file, site->line, site->column, site->function,
                   site->expression ? site->expression : "-");
  for (const inspect_site* outer = site->inlined_at; outer && (size_t)n < size; outer = outer->inlined_at)
    n += snprintf(out + n, size - (size_t)n, " @%u %s", outer->line, outer->function);
}

// Every hook reports through here: refuses sites that are not in the table.
static void say(const inspect_site* site, const char* format, ...) {
  if (site && (site < __start_inspect_sites || site >= __stop_inspect_sites)) {
    fprintf(stderr, "stub: a site that is not in the table\n");
    abort();
  }
  if (!logging) return;
  char place[512], text[256];
  site_text(site, place, sizeof place);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s at %s\n", text, place);
}

#define PLAIN(n)                                                                       \
  void inspect_read##n(void* p, const inspect_site* s) { (void)p, say(s, "read" #n); } \
  void inspect_write##n(void* p, const inspect_site* s) { (void)p, say(s, "write" #n); }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)
void inspect_read_range(void* p, size_t n, const inspect_site* s) { (void)p, say(s, "read_range %zu", n); }
void inspect_write_range(void* p, size_t n, const inspect_site* s) { (void)p, say(s, "write_range %zu", n); }
void inspect_read_string(const char* p, size_t limit, const inspect_site* s) { say(s, "read_string %zu", strnlen(p, limit)); }
uint64_t inspect_text_size(const void* p, uint64_t limit, int unit, const inspect_site* s) {
  say(s, "text_size");
  if (!p) return 0;
  if (unit == 1) return strnlen(p, limit) + (strnlen(p, limit) < limit);
  return (wcsnlen(p, limit) + (wcsnlen(p, limit) < limit)) * sizeof(wchar_t);
}
int64_t inspect_words[64];
void inspect_act(int action, int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t result, const inspect_site* s) {
  (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)result;
  say(s, "act %d", action);
}
void inspect_print_list(void* list, const void* format, int wide, const inspect_site* s) {
  (void)list, say(s, "print_list %s", wide ? "wide" : format);
}
void inspect_print_words(const void* format, int count, int wide, const inspect_site* s) {
  say(s, "print_words %d %s", count, wide ? "wide" : format);
}
void inspect_scanned_list(void* list, const void* format, int64_t stored, int wide, const inspect_site* s) {
  (void)list, say(s, "scanned_list %ld %s", stored, wide ? "wide" : format);
}
void inspect_scanned_words(const void* format, int count, int64_t stored, int wide, const inspect_site* s) {
  say(s, "scanned_words %d %ld %s", count, stored, wide ? "wide" : format);
}
void inspect_stack_begin(void* p, size_t n, const inspect_site* s) { (void)p, say(s, "stack_begin %zu", n); }
void inspect_variable_arguments(void* list) { (void)list; }
void inspect_variable_arguments_end(void* list, const void* site) { (void)list, (void)site; }
void inspect_stack_cut(void* p, const inspect_site* s) { (void)p, say(s, "stack_cut"); }
void inspect_stack_left(const inspect_site* s) { say(s, "stack_left"); }
void inspect_stack_unknown(const inspect_site* s) { say(s, "stack_unknown"); }
void inspect_out_of_bounds(int64_t at, int64_t n, int64_t limit, const inspect_site* s) {
  say(s, "out_of_bounds %ld %ld %ld", at, n, limit);
}
void inspect_argument_bounds(int64_t argument, int64_t begin, int64_t size, const inspect_site* s) {
  say(s, "argument_bounds %ld %ld", argument - begin, size);
}
void inspect_stack_free(void* p, size_t n, const inspect_site* s) { (void)p, say(s, "stack_free %zu", n); }
void inspect_fence(int order, const inspect_site* s) { say(s, "fence %d", order); }
void inspect_assembly(int kind, const inspect_site* s) { say(s, "assembly %d", kind); }
void inspect_loop_value(int64_t value) { (void)value; }
void inspect_loop_memory(const void* p, size_t n) { (void)p, (void)n; }
void inspect_exception_counted(void* count, const inspect_site* s) { say(s, count ? "counted" : "handled"); }
void inspect_lock_all_begin(void) {}
void inspect_lock_all_end(void) {}
void inspect_loop(int64_t entry, const inspect_site* s) {
  (void)entry;
  inspect_loop_budget = 1000000;
  say(s, "loop");
}
int64_t inspect_processor_value(int which) {
  say(0, "processor_value %d", which);
  return 42;
}

void inspect_external_call(inspect_external* e) {
  for (void* const* f = __start_inspect_functions; f < __stop_inspect_functions; ++f)
    if (*f == e->function) e->state = 1;
  say(e->site, "external %s: %s", e->name, e->state == 1 ? "instrumented" : "unknown");
  if (e->state != 1) e->state = 2;
}

static pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
static uint64_t load(const void* p, int size) {
  uint64_t value = 0;
  memcpy(&value, p, (size_t)size);
  return value;
}
uint64_t inspect_atomic_load(void* p, int size, int order, const inspect_site* s) {
  say(s, "atomic_load %d order %d", size, order);
  pthread_mutex_lock(&big);
  const uint64_t value = load(p, size);
  pthread_mutex_unlock(&big);
  return value;
}
uint64_t inspect_atomic_wait(void* p, int size, int order, const inspect_site* s, int relation, int64_t operand) {
  (void)relation, (void)operand;
  return inspect_atomic_load(p, size, order, s);
}
void inspect_atomic_store(void* p, int size, int order, uint64_t value, const inspect_site* s) {
  say(s, "atomic_store %d order %d", size, order);
  pthread_mutex_lock(&big);
  memcpy(p, &value, (size_t)size);
  pthread_mutex_unlock(&big);
}

static uint64_t apply(int rmw, uint64_t a, uint64_t b, int size) {
  const int shift = 64 - 8 * size;
  const int64_t sa = (int64_t)(a << shift) >> shift, sb = (int64_t)(b << shift) >> shift;
  switch (rmw) {
    case INSPECT_RMW_Xchg:
      return b;
    case INSPECT_RMW_Add:
      return a + b;
    case INSPECT_RMW_Sub:
      return a - b;
    case INSPECT_RMW_And:
      return a & b;
    case INSPECT_RMW_Nand:
      return ~(a & b);
    case INSPECT_RMW_Or:
      return a | b;
    case INSPECT_RMW_Xor:
      return a ^ b;
    case INSPECT_RMW_Max:
      return sa > sb ? a : b;
    case INSPECT_RMW_Min:
      return sa < sb ? a : b;
    case INSPECT_RMW_UMax:
      return a > b ? a : b;
    case INSPECT_RMW_UMin:
      return a < b ? a : b;
    default:
      abort();
  }
}
uint64_t inspect_atomic_rmw(void* p, int size, int order, int rmw, int unused, uint64_t operand, const inspect_site* s) {
  say(s, "atomic_rmw %d order %d operator %d%s", size, order, rmw, unused ? " unused" : "");
  pthread_mutex_lock(&big);
  const uint64_t old = load(p, size), value = apply(rmw, old, operand, size);
  memcpy(p, &value, (size_t)size);
  pthread_mutex_unlock(&big);
  return old;
}
uint64_t inspect_atomic_cas(void* p, int size, int order, int failure, uint64_t expected, uint64_t desired,
                            const inspect_site* s) {
  say(s, "atomic_cas %d order %d failure %d", size, order, failure);
  pthread_mutex_lock(&big);
  const uint64_t old = load(p, size);
  if (old == expected) memcpy(p, &desired, (size_t)size);
  pthread_mutex_unlock(&big);
  return old;
}
void inspect_atomic_point(void* p, int size, int order, int kind, const inspect_site* s) {
  (void)p, say(s, "atomic_point %d order %d %s", size, order, inspect_kind_name((unsigned)kind));
}

static __thread char* block;
static uint64_t block_size;
static void place_variables(void) {
  for (inspect_tls_variable* const* v = __start_inspect_tls_variables; v < __stop_inspect_tls_variables; ++v) {
    if ((*v)->offset) continue;
    block_size = (block_size + (*v)->align - 1) / (*v)->align * (*v)->align;
    (*v)->offset = block_size + 1;
    block_size += (*v)->size;
  }
}
void* inspect_thread_local(inspect_tls_variable* variable) {
  if (!block_size) place_variables();
  if (!block) {
    block = aligned_alloc(64, (block_size + 63) / 64 * 64);
    memset(block, 0, block_size);
    for (inspect_tls_variable* const* v = __start_inspect_tls_variables; v < __stop_inspect_tls_variables; ++v)
      if ((*v)->initial) memcpy(block + (*v)->offset - 1, (*v)->initial, (*v)->size);
  }
  return block + variable->offset - 1;
}

void inspect_atomic_begin(void) { say(0, "atomic_begin"); }
void inspect_atomic_end(void) { say(0, "atomic_end"); }
void __VERIFIER_atomic_begin(void) { inspect_atomic_begin(); }
void __VERIFIER_atomic_end(void) { inspect_atomic_end(); }
void inspect_assume(int c) {
  if (!c) _exit(0);
}
void inspect_yield(void) {}
void inspect_proposition(const char* name, int holds) { say(0, "proposition %s %d", name, holds); }
unsigned inspect_nondet(unsigned n) { return n - 1; }
void inspect_assert_failed(const char* condition, const char* file, int line, const char* function) {
  const char* slash = strrchr(file, '/');
  fprintf(stderr, "assertion failed: %s at %s:%d in %s\n", condition, slash ? slash + 1 : file, line, function);
  abort();
}

__attribute__((constructor)) static void check_tables(void) {
  logging = getenv("INSPECT_STUB_LOG") != 0;
  for (const inspect_site* s = __start_inspect_sites; s < __stop_inspect_sites; ++s)
    if (!s->file || !s->function) abort();  // a gap in the array
}

