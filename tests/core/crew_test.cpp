// SPDX-License-Identifier: Apache-2.0
#include "core/crew.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace credence {
namespace {

TEST(Crew, has_so_many_threads_and_the_caller_is_one_of_them) {
  for (const unsigned threads : {0u, 1u, 5u}) {
    std::atomic<unsigned> ran = 0;
    run_crew(threads, [&] { ++ran; });
    EXPECT_EQ(ran, threads == 0 ? 1 : threads);
  }
  EXPECT_GE(usable_cores(), 1u);
}

}  // namespace
}  // namespace credence
