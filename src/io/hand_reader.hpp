// SPDX-License-Identifier: Apache-2.0
// Numbers of a model written by hand, and what is wrong with them.
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "core/ordered_json.hpp"

namespace credence {

class HandReader {
 public:
  // name: of the file, for errors.
  explicit HandReader(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  [[noreturn]] void refuse(const std::string& why) const;
  void check_keys(const OrderedJson& object, const std::vector<std::string>& known,
                  const std::string& what) const;
  // A number, or a fraction as text; `what` is what it is of.
  double number(const OrderedJson& value, const std::string& what) const;
  double probability(const OrderedJson& value, const std::string& what) const;
  void check_sum(double total, const std::string& what) const;
  // "sd", or "variance" in its place.
  double deviation(const OrderedJson& table, const std::string& what) const;
  // A covariance as rows of numbers; of one column also as its deviation or variance.
  Eigen::MatrixXd covariance(const OrderedJson& table, std::size_t size,
                             const std::string& what) const;

 private:
  std::string name_;
};

}  // namespace credence
