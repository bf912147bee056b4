// SPDX-License-Identifier: Apache-2.0
// Any number of threads gives the same bits, and the first error in the file is the one reported.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "core/random.hpp"
#include "credence/error.hpp"
#include "credence/io.hpp"

namespace credence {
namespace {

class Threads : public testing::Test {
 protected:
  void write(const std::string& bad_cell, std::size_t first_bad_row) {
    std::ofstream file(path_);
    file << "x,word,n,class\n";
    Random random(1);
    for (std::size_t r = 0; r < 60000; ++r) {
      file << 1e9 + random.normal() << ',' << "w" << random.below(300) << ',';
      if (r >= first_bad_row) {
        file << bad_cell;
      } else {
        file << random.poisson(3);
      }
      file << ',' << "abc"[random.below(3)] << '\n';
    }
  }
  ~Threads() override { std::filesystem::remove(path_); }

  Model learn(unsigned threads) {
    Plan plan;
    plan.target = "class";
    plan.as = {"n: poisson"};
    const auto source = open_source({path_});
    return fit(*source, plan, threads);
  }

  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("credence_threads_" + std::to_string(::getpid()) + ".csv"))
                          .string();
};

TEST_F(Threads, give_the_same_bits_whatever_their_number) {
  write("", 60000);
  const auto one = to_bytes(learn(1));
  EXPECT_EQ(to_bytes(learn(2)), one);
  EXPECT_EQ(to_bytes(learn(8)), one);
  EXPECT_EQ(to_bytes(learn(0)), one);
}

TEST_F(Threads, report_the_first_error_of_the_file) {
  write("-1", 20000);
  for (const unsigned threads : {1u, 8u}) {
    try {
      learn(threads);
      FAIL() << "an error was due";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()), path_ +
                                               ":20002: column \"n\": \"-1\" is not a count: it is "
                                               "below 0 (use `as n: gaussian` in fit)");
    }
  }
}

}  // namespace
}  // namespace credence
