// SPDX-License-Identifier: Apache-2.0
#include "parallel/pipeline.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace credence {
namespace {

using Steps = PipelineSteps<int, int, int>;

// Numbers from 0 on; what is prepared is added to each.
struct Counting {
  Steps steps = {};
  int next = 0, prepared = 0, refined_before = 0;
  std::atomic<int> refined = 0;
  std::vector<int> taken = {};

  explicit Counting(int many) {
    steps.produce = [this, many]() -> std::optional<int> {
      if (next == many) return std::nullopt;
      return next++;
    };
    steps.refine = [this](const int& n) {
      ++refined;
      return 10 * n;
    };
    steps.prepare = [this] { prepared = 1; };
    steps.work = [this](const int& n) { return n + prepared; };
    steps.consume = [this](const int& n) { taken.push_back(n); };
  }
  std::string failure(unsigned threads) {
    try {
      run_pipeline(threads, steps);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(Pipeline, takes_results_in_order_with_any_number_of_threads) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    for (const int many : {0, 1, 3, 500}) {
      Counting run(many);
      EXPECT_EQ(run.failure(threads), "");
      ASSERT_EQ(run.taken.size(), static_cast<std::size_t>(many));
      for (int i = 0; i < many; ++i) EXPECT_EQ(run.taken[static_cast<std::size_t>(i)], 10 * i + 1);
      EXPECT_EQ(run.prepared, 1);
    }
  }
}

TEST(Pipeline, refines_while_something_is_prepared_and_no_more_than_fits) {
  Counting run(100);
  run.steps.prepare = [&run] {
    while (run.refined == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run.refined_before = run.refined;
    run.prepared = 1;
  };
  EXPECT_EQ(run.failure(2), "");
  EXPECT_GE(run.refined_before, 1);
  EXPECT_LE(run.refined_before, 4);
  EXPECT_EQ(run.taken.size(), 100u);
}

TEST(Pipeline, throws_what_preparing_throws_before_anything_else) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    Counting run(50);
    run.steps.prepare = [] { throw std::runtime_error("prepare"); };
    run.steps.refine = [](const int&) -> int { throw std::runtime_error("refine"); };
    EXPECT_EQ(run.failure(threads), "prepare");
    EXPECT_TRUE(run.taken.empty());
  }
}

TEST(Pipeline, throws_the_first_error_in_the_order_of_production) {
  for (const unsigned threads : {1u, 2u, 8u}) {
    Counting run(50);
    run.steps.refine = [](const int& n) -> int {
      if (n == 20) throw std::runtime_error("refine 20");
      return 10 * n;
    };
    run.steps.work = [](const int& n) -> int {
      if (n == 70) throw std::runtime_error("work 7");
      return n;
    };
    EXPECT_EQ(run.failure(threads), "work 7");
    EXPECT_EQ(run.taken, (std::vector<int>{0, 10, 20, 30, 40, 50, 60}));
    Counting reading(50);
    reading.steps.produce = [&reading]() -> std::optional<int> {
      if (reading.next == 3) throw std::runtime_error("produce 3");
      return reading.next++;
    };
    EXPECT_EQ(reading.failure(threads), "produce 3");
    EXPECT_EQ(reading.taken, (std::vector<int>{1, 11, 21}));
    Counting taking(50);
    taking.steps.consume = [&taking](const int& n) {
      if (n == 41) throw std::runtime_error("consume 4");
      taking.taken.push_back(n);
    };
    EXPECT_EQ(taking.failure(threads), "consume 4");
    EXPECT_EQ(taking.taken.size(), 4u);
  }
}

}  // namespace
}  // namespace credence
