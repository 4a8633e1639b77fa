// Costs of the memory checker's hot paths. Budgets: DESIGN §12 (a hook ≤ 2 ns, a reset ≤ 1.5 µs for a ten-event program).
#include <benchmark/benchmark.h>

#include "runtime/memory/arena.hpp"
#include "runtime/memory/race.hpp"
#include "stub.hpp"

extern "C" void* program_malloc(std::size_t);
extern "C" void program_free(void*);

namespace inspect::runtime {
namespace {

constexpr std::uintptr_t kData = 0x555555560000, kFlag = 0x555555558000, kMutex = 0x404000;

void begin_with_threads(unsigned n) {
  test::begin();
  for (unsigned t = 1; t < n; ++t) race_thread_created(0, std::uint8_t(t));
}

// Measures f(i) on `n` consecutive words, again and again.
template <class F>
void each_word(benchmark::State& bench, F&& f) {
  constexpr std::uintptr_t n = 1024;
  for (auto _ : bench)
    for (std::uintptr_t i = 0; i < n; ++i) benchmark::DoNotOptimize(f(i));
  bench.SetItemsProcessed(std::int64_t(bench.iterations() * n));
}

void check_alive(benchmark::State& bench) {
  test::begin();
  const auto p = reinterpret_cast<std::uintptr_t>(program_malloc(4096));
  each_word(bench, [&](std::uintptr_t i) { return check_access(p + 4 * i, 4); });
}
BENCHMARK(check_alive);

void check_alive_large(benchmark::State& bench) {
  test::begin();
  const auto p = reinterpret_cast<std::uintptr_t>(program_malloc(65536));
  each_word(bench, [&](std::uintptr_t i) { return check_access(p + 4 * i, 4); });
}
BENCHMARK(check_alive_large);

void access_alone(benchmark::State& bench) {
  test::begin();
  each_word(bench, [](std::uintptr_t i) { return race_access(0, kData + 4 * i, 4, true, 1); });
}
BENCHMARK(access_alone);

void access_repeated(benchmark::State& bench) {
  begin_with_threads(3);
  const auto size = std::size_t(bench.range(0));
  const bool write = bench.range(1);
  each_word(bench, [&](std::uintptr_t i) { return race_access(1, kData + size * i, size, write, 1); });
}
BENCHMARK(access_repeated)->Args({1, 0})->Args({4, 0})->Args({4, 1})->Args({8, 0})->Args({8, 1});

void access_read_after_write(benchmark::State& bench) {
  begin_with_threads(3);
  each_word(bench, [](std::uintptr_t i) { return race_access(1, kData + 4 * (i / 2), 4, i % 2 == 0, 1); });
}
BENCHMARK(access_read_after_write);

// The same words by a thread that has synchronised since: every access is new.
void access_new_epoch(benchmark::State& bench) {
  const auto size = std::size_t(bench.range(0));
  const bool write = bench.range(1);
  std::uint8_t thread = 1;
  begin_with_threads(3);
  constexpr std::uintptr_t n = 1024;
  for (auto _ : bench) {
    race_acquire(thread, kMutex);
    for (std::uintptr_t i = 0; i < n; ++i) benchmark::DoNotOptimize(race_access(thread, kData + size * i, size, write, 1));
    race_release(thread, kMutex);
    thread = 3 - thread;
  }
  bench.SetItemsProcessed(std::int64_t(bench.iterations() * n));
}
BENCHMARK(access_new_epoch)->Args({4, 0})->Args({4, 1})->Args({8, 1});

void access_range(benchmark::State& bench) {
  std::uint8_t thread = 1;
  begin_with_threads(3);
  for (auto _ : bench) {
    race_acquire(thread, kMutex);
    benchmark::DoNotOptimize(race_access(thread, kData, std::size_t(bench.range(0)), true, 1));
    race_release(thread, kMutex);
    thread = 3 - thread;
  }
  bench.SetBytesProcessed(bench.iterations() * bench.range(0));
}
BENCHMARK(access_range)->Arg(64)->Arg(4096);

void lock_unlock(benchmark::State& bench) {
  begin_with_threads(unsigned(bench.range(0)));
  for (auto _ : bench) {
    race_acquire(1, kMutex);
    race_release(1, kMutex);
  }
}
BENCHMARK(lock_unlock)->Arg(3)->Arg(17);

void atomic_operations(benchmark::State& bench) {
  const auto threads = std::uint8_t(bench.range(0));
  begin_with_threads(threads);
  std::uint8_t thread = 0;
  for (auto _ : bench) {
    if (++thread == threads) thread = 0;
    benchmark::DoNotOptimize(race_atomic_load(thread, kFlag, 4, INSPECT_SEQ_CST, 1));
    benchmark::DoNotOptimize(race_atomic_store(thread, kFlag, 4, INSPECT_SEQ_CST, 1));
  }
  bench.SetItemsProcessed(2 * std::int64_t(bench.iterations()));
}
BENCHMARK(atomic_operations)->Arg(3)->Arg(17);

void malloc_free(benchmark::State& bench) {
  test::begin();
  std::uint64_t n = 0;
  for (auto _ : bench) {
    program_free(program_malloc(std::size_t(bench.range(0))));
    if (++n % 256 == 0) arena_reset();  // part of the cost
  }
}
BENCHMARK(malloc_free)->Arg(16)->Arg(64)->Arg(1024);

// What an execution of a small program costs besides its accesses: three threads, four mutex operations, two objects.
void small_execution(benchmark::State& bench) {
  test::begin();
  for (auto _ : bench) {
    race_begin_execution();
    for (std::uint8_t t = 1; t < 3; ++t) race_thread_created(0, t);
    void* const p = program_malloc(24);
    program_malloc(100);
    for (std::uint8_t t = 1; t < 3; ++t) {
      race_acquire(t, kMutex);
      race_access(t, reinterpret_cast<std::uintptr_t>(p), 8, true, 1);
      race_release(t, kMutex);
      race_thread_ended(t);
    }
    for (std::uint8_t t = 1; t < 3; ++t) race_thread_joined(0, t);
    program_free(p);
    arena_reset();
  }
}
BENCHMARK(small_execution);

void reset(benchmark::State& bench) {
  test::begin();
  for (auto _ : bench) {
    race_begin_execution();
    for (std::int64_t i = 0; i < bench.range(0); ++i) benchmark::DoNotOptimize(arena_allocate(32, 16, 0));
    arena_reset();
  }
}
BENCHMARK(reset)->Arg(0)->Arg(2)->Arg(100);

}  // namespace
}  // namespace inspect::runtime

BENCHMARK_MAIN();
