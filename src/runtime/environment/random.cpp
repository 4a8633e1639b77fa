#include "runtime/environment/random.hpp"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "runtime/platform/export.hpp"
#include "runtime/platform/outside.hpp"
#include "runtime/platform/system_call.hpp"
#include "runtime/upcalls/disturbance.hpp"
#include "runtime/upcalls/points.hpp"

namespace inspect::runtime {
namespace {

struct RandomState {
  bool used;
  std::uint64_t draws[INSPECT_MAX_THREADS];
};
RandomState& random_state() { return *reinterpret_cast<RandomState*>(kRandom); }

std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

}  // namespace

std::uint64_t draw_random() {
  RandomState& r = random_state();
  const std::uint8_t thread = current_thread();
  r.used = true;
  disturb(*state().current);
  const std::uint64_t seed = state().channel->configuration.seed * 0x9E3779B97F4A7C15ull + 1;
  return mix(mix(seed + thread) + r.draws[thread]++);
}

void fill_random(void* to, std::size_t size) {
  for (auto* at = static_cast<char*>(to); size;) {
    const std::uint64_t word = draw_random();
    const std::size_t part = size < sizeof word ? size : sizeof word;
    memcpy(at, &word, part);
    at += part;
    size -= part;
  }
}

void reset_random() {
  RandomState& r = random_state();
  if (!r.used) return;
  r.used = false;
  memset(r.draws, 0, sizeof r.draws);
}

}  // namespace inspect::runtime

using namespace inspect::runtime;

INSPECT_EXPORT ssize_t getrandom(void* buffer, size_t size, unsigned flags) {
  if (!active()) {
    const long got = system_call(SYS_getrandom, reinterpret_cast<long>(buffer), long(size), flags);
    return got < 0 ? (errno = int(-got), -1) : got;
  }
  fill_random(buffer, size);
  return ssize_t(size);
}
INSPECT_EXPORT int getentropy(void* buffer, size_t size) {
  if (size > 256) return errno = EIO, -1;
  return getrandom(buffer, size, 0) == ssize_t(size) ? 0 : -1;
}
INSPECT_EXPORT std::uint32_t arc4random(void) noexcept {
  std::uint32_t value = 0;
  getrandom(&value, sizeof value, 0);
  return value;
}
INSPECT_EXPORT void arc4random_buf(void* buffer, size_t size) noexcept { getrandom(buffer, size, 0); }
INSPECT_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept { return bound ? arc4random() % bound : 0; }

// std::random_device: the library reads the processor's generator. Its constructors call one of the first two.
INSPECT_EXPORT void _ZNSt13random_device7_M_initERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(void*, const void*) {}
INSPECT_EXPORT void _ZNSt13random_device7_M_initEPKcm(void*, const char*, size_t) {}
INSPECT_EXPORT void _ZNSt13random_device14_M_init_pretr1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE(void*,
                                                                                                                const void*) {}
INSPECT_EXPORT void _ZNSt13random_device7_M_finiEv(void*) {}
INSPECT_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void*) { return arc4random(); }
INSPECT_EXPORT unsigned _ZNSt13random_device16_M_getval_pretr1Ev(void*) { return arc4random(); }
INSPECT_EXPORT double _ZNKSt13random_device13_M_getentropyEv(const void*) { return 32.0; }
