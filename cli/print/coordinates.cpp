// SPDX-License-Identifier: Apache-2.0
#include "cli/print/coordinates.hpp"

namespace credence::cli {

std::string coordinates_text(const Coordinates& coordinates) {
  const std::size_t size = coordinates.size();
  std::vector<std::vector<std::string>> rows(1, {""});
  for (std::size_t k = 0; k < size; ++k) rows[0].push_back(Coordinates::name(k));
  rows[0].push_back("center");
  for (std::size_t i = 0; i < coordinates.columns().size(); ++i) {
    rows.push_back({coordinates.columns()[i]});
    for (std::size_t k = 0; k < size; ++k)
      rows.back().push_back(six_digits(coordinates.coefficient(i, k)));
    rows.back().push_back(six_digits(coordinates.center(i)));
  }
  for (std::size_t c = 0; c < coordinates.classes().size(); ++c) {
    rows.push_back({fmt::format("mean of {}", coordinates.classes()[c])});
    for (std::size_t k = 0; k < size; ++k)
      rows.back().push_back(six_digits(coordinates.class_mean(c, k)));
  }
  rows.push_back({"share of between-class variance"});
  for (std::size_t k = 0; k < size; ++k) rows.back().push_back(six_digits(coordinates.share(k)));
  return "coordinate = sum of coefficient x (value - center); within a class the covariance is the "
         "identity\n" +
         aligned(rows, 2);
}

Json coordinates_json(const Coordinates& coordinates) {
  Json center = Json::object(), all = Json::array();
  for (std::size_t i = 0; i < coordinates.columns().size(); ++i) {
    center[coordinates.columns()[i]] = coordinates.center(i);
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    Json coefficients = Json::object(), means = Json::object();
    for (std::size_t i = 0; i < coordinates.columns().size(); ++i) {
      coefficients[coordinates.columns()[i]] = coordinates.coefficient(i, k);
    }
    for (std::size_t c = 0; c < coordinates.classes().size(); ++c) {
      means[coordinates.classes()[c]] = coordinates.class_mean(c, k);
    }
    all.push_back({{"name", Coordinates::name(k)},
                   {"share", coordinates.share(k)},
                   {"coefficients", std::move(coefficients)},
                   {"class_means", std::move(means)}});
  }
  return {{"center", std::move(center)}, {"coordinates", std::move(all)}};
}

}  // namespace credence::cli
