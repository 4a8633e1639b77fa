// Random numbers that are the same in every execution of a schedule: a function of the thread and of how many it drew before.
#pragma once
#include <cstddef>
#include <cstdint>

namespace inspect::runtime {

std::uint64_t draw_random();
void fill_random(void* to, std::size_t size);
void reset_random();

}  // namespace inspect::runtime
