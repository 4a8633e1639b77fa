#include "process/locations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "hooks/address_map.hpp"

namespace inspect::process {
namespace {

class Locations : public testing::Test {
 protected:
  Locations() {
    channel->module_count = 2;
    channel->modules[0].begin = 0x400000, channel->modules[0].end = 0x410000;
    channel->modules[1].begin = 0x700000, channel->modules[1].end = 0x708000;
  }
  [[nodiscard]] std::optional<std::uint64_t> at(const std::string& region, const std::string& owner, std::uint64_t offset,
                                                std::uint64_t bytes = 8) const {
    return address_of(SchedulePoint{region, owner, offset, bytes}, *channel, numbers);
  }

  struct Free {
    void operator()(inspect_channel* c) const { std::free(c); }
  };
  std::unique_ptr<inspect_channel, Free> channel{static_cast<inspect_channel*>(std::calloc(1, sizeof(inspect_channel)))};
  const ThreadNumbers numbers{{"0", ThreadId{0}}, {"0.1", ThreadId{5}}};
};

// What was thread 3 in one run may be thread 5 in another.
TEST_F(Locations, AThreadsMemoryIsWhereItsNumberSays) {
  EXPECT_EQ(at("heap", "0", 16), runtime::kArenaBase + 16);
  EXPECT_EQ(at("heap", "0.1", 16), runtime::kArenaBase + 5 * runtime::kArenaSlice + 16);
  EXPECT_EQ(at("stack", "0.1", 0), runtime::kStackBase + 5 * runtime::kStackSlot);
  EXPECT_EQ(at("locals", "0.1", 8), runtime::kThreadLocalsBase + 5 * runtime::kThreadLocalsSlice + 8);
  EXPECT_EQ(at("mapping", "0", 8), runtime::kMappedBase + 8);
}

TEST_F(Locations, WhatThisRunDoesNotHaveIsNowhere) {
  EXPECT_EQ(at("heap", "0.2", 16), std::nullopt);
  EXPECT_EQ(at("heap", "0", runtime::kArenaSlice), std::nullopt);
  EXPECT_EQ(at("heap", "0", runtime::kArenaSlice - 4, 8), std::nullopt) << "it would reach into another thread's";
  EXPECT_EQ(at("heap", "0", ~0ull, 8), std::nullopt);
}

TEST_F(Locations, AModulesMemoryIsWhereItIsLoaded) {
  EXPECT_EQ(at("image", "1", 24), 0x700018u);
  EXPECT_EQ(at("image", "1", 0x7ff8), 0x707ff8u);
  EXPECT_EQ(at("image", "1", 0x7ffc), std::nullopt);
  EXPECT_EQ(at("image", "2", 0), std::nullopt);
  channel->module_count = ~0u;  // the program may write over it
  EXPECT_EQ(at("image", "4000000000", 0), std::nullopt);
}

}  // namespace
}  // namespace inspect::process
