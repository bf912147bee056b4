// SPDX-License-Identifier: Apache-2.0
#include "io/hand_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"

namespace credence {

void HandReader::refuse(const std::string& why) const {
  throw Error(ErrorKind::model, name_ + ": " + why);
}

void HandReader::check_keys(const OrderedJson& object, const std::vector<std::string>& known,
                            const std::string& what) const {
  for (const auto& [key, ignored] : object.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    refuse(fmt::format("{}: unknown key \"{}\"{}", what, key, suggestion(key, known)));
  }
}

double HandReader::number(const OrderedJson& value, const std::string& what) const {
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) {
    if (const auto parsed = to_number_or_fraction(value.get<std::string>())) return *parsed;
  }
  refuse(fmt::format("{}: {} is not a number or a fraction such as \"3/8\"", what, value.dump()));
}

double HandReader::probability(const OrderedJson& value, const std::string& what) const {
  const double p = number(value, what);
  if (!(p >= 0 && p <= 1)) {
    refuse(fmt::format("{}: the probability {} is not between 0 and 1", what, value.dump()));
  }
  return p;
}

void HandReader::check_sum(double total, const std::string& what) const {
  if (std::abs(total - 1) > 1e-6) {
    refuse(fmt::format("{}: the probabilities sum to {}, not to 1", what, format_number(total)));
  }
}

double HandReader::deviation(const OrderedJson& table, const std::string& what) const {
  if (!table.is_object() || table.contains("sd") == table.contains("variance")) {
    refuse(what + ": \"sd\" or \"variance\" is wanted, one of them");
  }
  const char* key = table.contains("sd") ? "sd" : "variance";
  const double value = number(table[key], what);
  if (!(value > 0)) {
    refuse(fmt::format("{}: \"{}\" is {}, not above 0", what, key, format_number(value)));
  }
  return table.contains("sd") ? value : std::sqrt(value);
}

Eigen::MatrixXd HandReader::covariance(const OrderedJson& table, std::size_t size,
                                       const std::string& what) const {
  const auto d = static_cast<Eigen::Index>(size);
  if (size == 1 && table.is_object() && !table.contains("covariance")) {
    const double sd = deviation(table, what);
    return Eigen::MatrixXd::Constant(1, 1, sd * sd);
  }
  if (!table.is_object() || !table.contains("covariance")) {
    refuse(what + ": no \"covariance\"");
  }
  const auto& rows = table["covariance"];
  const auto expected = [&](const OrderedJson& list) {
    return list.is_array() && list.size() == size;
  };
  if (!expected(rows) || !std::all_of(rows.begin(), rows.end(), expected)) {
    refuse(fmt::format("{}: \"covariance\" is not {} rows of {} numbers", what, size, size));
  }
  Eigen::MatrixXd result(d, d);
  for (Eigen::Index i = 0; i < d; ++i) {
    for (Eigen::Index j = 0; j < d; ++j) {
      result(i, j) = number(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)], what);
    }
  }
  const Eigen::LLT<Eigen::MatrixXd> factor(result);
  if (result != result.transpose() || factor.info() != Eigen::Success ||
      !(factor.matrixLLT().diagonal().array() > 0).all()) {
    refuse(what + ": \"covariance\" is not symmetric and positive definite");
  }
  return result;
}

}  // namespace credence
