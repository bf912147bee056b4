// SPDX-License-Identifier: Apache-2.0
#include "parallel/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/random.hpp"

namespace credence {
namespace {

TEST(ParallelFor, does_all_there_is_to_do_once) {
  for (const unsigned threads : {0u, 1u, 2u, 7u}) {
    for (const std::size_t count : {0u, 1u, 3u, 1000u}) {
      std::vector<std::atomic<int>> done(count);
      parallel_for(threads, count, [&](std::size_t i) { ++done[i]; });
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelFor, may_be_part_of_another) {
  std::atomic<int> done = 0;
  parallel_for(3, 20, [&](std::size_t) {
    parallel_for(0, 20, [&](std::size_t) { parallel_for(2, 3, [&](std::size_t) { ++done; }); });
  });
  EXPECT_EQ(done, 1200);
}

TEST(ParallelFor, throws_the_error_of_the_lowest_place) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    for (int round = 0; round < 50; ++round) {
      try {
        parallel_for(threads, 100, [](std::size_t i) {
          if (i % 10 == 7) throw std::runtime_error(std::to_string(i));
        });
        FAIL();
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "7");
      }
    }
  }
}

TEST(ParallelSort, sorts_with_any_number_of_threads) {
  Random random(7);
  std::vector<std::uint64_t> numbers(20001);
  for (auto& number : numbers) number = random.below(1u << 30);
  auto expected = numbers;
  std::sort(expected.begin(), expected.end());
  for (const unsigned threads : {1u, 2u, 3u, 16u}) {
    auto sorted = numbers;
    with_threads(threads,
                 [&](std::size_t) { parallel_sort(sorted.begin(), sorted.end(), std::less<>()); });
    EXPECT_EQ(sorted, expected);
  }
}

}  // namespace
}  // namespace credence
