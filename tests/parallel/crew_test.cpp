// SPDX-License-Identifier: Apache-2.0
#include "parallel/crew.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

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

TEST(Crew, of_a_job_within_a_job_is_no_larger_than_that_of_the_outer_one) {
  for (const unsigned threads : {1u, 3u}) {
    std::atomic<unsigned> working = 0, most = 0;
    with_threads(threads, [&](std::size_t count) {
      EXPECT_EQ(count, threads);
      run_crew(threads, [&] {
        EXPECT_EQ(threads_here(), threads);
        run_crew(8, [&] {
          const unsigned now = ++working;
          for (unsigned seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
          }
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
          --working;
        });
      });
    });
    EXPECT_LE(most, threads);
  }
  EXPECT_EQ(threads_here(), usable_cores());
}

TEST(Crew, helps_a_process_that_was_forked) {
  run_crew(4, [] {});
  const auto child = ::fork();
  if (child == 0) {
    std::atomic<int> calls = 0;
    run_crew(4, [&] { ++calls; });
    ::_exit(calls == 4 ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace credence
