// SPDX-License-Identifier: Apache-2.0
// Tables written to a file that goes with the test, and models learned from them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "credence/calibrate.hpp"
#include "credence/hold_out.hpp"

namespace credence {

class GeneratedTable : public testing::Test {
 protected:
  std::unique_ptr<Source> open(const std::string& text) {
    std::ofstream(path_) << text;
    return open_source({path_.string()});
  }
  Model learn(const std::string& text, const std::string& kind = "") {
    Plan plan;
    plan.target = "y";
    plan.model = kind;
    return fit(*open(text), plan);
  }
  std::vector<Chunk> chunks(const std::string& text, const Model& model) {
    auto source = open(text);
    source->select(model.schema(), false);
    return read_all(*source);
  }
  Metrics judge_model(const Model& model, const std::string& text) {
    auto source = open(text);
    source->select(model.schema(), false);
    return evaluate(model, *source);
  }
  ~GeneratedTable() override { std::filesystem::remove(path_); }
  std::filesystem::path path_ = std::filesystem::temp_directory_path() /
                                ("credence-generated-" + std::to_string(::getpid()) + ".csv");
};

// Two normals two apart, a share `a` of the rows of class a, and each value told five times: naive
// Bayes believes it five times over.
inline std::string repeated_table(std::size_t rows, double a, std::uint64_t seed) {
  Random random(seed);
  std::string text = "x1,x2,x3,x4,x5,y\n";
  for (std::size_t r = 0; r < rows; ++r) {
    const bool first = random.uniform() < a;
    const auto value = std::to_string((first ? 0 : 1.5) + random.normal());
    for (int i = 0; i < 5; ++i) text += value + ",";
    text += first ? "a\n" : "b\n";
  }
  return text;
}

}  // namespace credence
