// SPDX-License-Identifier: Apache-2.0
// A model of one column of numbers, for the tests of the families that keep value counts.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "credence/error.hpp"
#include "credence/model.hpp"

namespace credence {

inline Model column_model(const std::string& family, const std::string& parameters,
                          const std::string& rule) {
  Schema schema;
  schema.target = "class";
  schema.columns.push_back({"x", ColumnKind::number, {}});
  Settings settings;
  settings.rule = parse_rule(rule);
  return {schema, {{family, {0}, 1, parameters}}, settings};
}

inline Chunk rows_of(const std::vector<double>& values,
                     const std::vector<std::int32_t>& classes = {}) {
  Chunk chunk;
  chunk.rows = values.size();
  chunk.columns.emplace_back(Numbers{values});
  if (!classes.empty()) chunk.labels = {classes, {"a", "b"}};
  return chunk;
}

inline std::string message(const std::function<void()>& action, ErrorKind kind) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "";
}

}  // namespace credence
