// SPDX-License-Identifier: Apache-2.0
// The linear form gives the same posterior as the densities, for every family that has one.
#include <gtest/gtest.h>

#include <cmath>

#include "credence/error.hpp"
#include "credence/scorer.hpp"
#include "laws/random_data.hpp"

namespace credence::laws {
namespace {

// The features of a row by the names the form gives them; "x0=a, x1=b" has both.
double value_of(const std::string& feature, const Chunk& chunk, std::size_t row) {
  if (const auto comma = feature.find(", x"); feature.find('=') < comma && comma != feature.npos) {
    return value_of(feature.substr(0, comma), chunk, row) *
           value_of(feature.substr(comma + 2), chunk, row);
  }
  for (std::size_t i = 0; i < chunk.columns.size(); ++i) {
    const std::string column = "x" + std::to_string(i);
    if (const auto* words = std::get_if<Categories>(&chunk.columns[i])) {
      if (words->codes[row] < 0) continue;
      if (feature == column + "=" + words->dictionary[static_cast<std::size_t>(words->codes[row])])
        return 1;
    } else if (const auto* bags = std::get_if<Bags>(&chunk.columns[i])) {
      for (std::size_t k = bags->offsets[row]; k < bags->offsets[row + 1]; ++k) {
        if (feature ==
            column + ": " + bags->dictionary[static_cast<std::size_t>(bags->features[k])])
          return bags->counts[k];
      }
    } else if (feature == column || feature.ends_with(": " + column)) {
      return std::get<Numbers>(chunk.columns[i]).values[row];
    }
  }
  return 0;
}

bool complete(const Chunk& chunk, std::size_t row) {
  for (const auto& column : chunk.columns) {
    if (const auto* words = std::get_if<Categories>(&column); words && words->codes[row] < 0)
      return false;
    if (const auto* bags = std::get_if<Bags>(&column); bags && bags->missing[row]) return false;
    if (const auto* numbers = std::get_if<Numbers>(&column);
        numbers && std::isnan(numbers->values[row]))
      return false;
  }
  return true;
}

TEST(LinearForm, gives_the_posterior_of_the_densities) {
  int checked = 0;
  for (const auto& what : cases()) {
    Settings settings;
    settings.rule = parse_rule("m-estimate=1");
    Random random(73);
    const Chunk chunk = random_chunk(what, 80, Weights::exaggerated, random);
    const Scorer scorer(learn(model_for(what, settings), {chunk}));
    LinearForm form;
    try {
      form = scorer.linear_form();
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("no linear form: ")) << error.what();
      continue;
    }
    ++checked;
    const auto joint = scorer.log_joint(chunk);
    for (std::size_t r = 0; r < chunk.rows; ++r) {
      if (!complete(chunk, r)) continue;
      auto scores = form.intercepts;
      for (const auto& feature : form.features) {
        double x = value_of(feature.name, chunk, r);
        const bool presence = what.family == "bernoulli" || what.parameters == "bernoulli" ||
                              what.parameters.find("counts=binary") != std::string::npos;
        if (presence && x > 0) x = 1;
        for (std::size_t c = 0; c < 3; ++c) scores[c] += feature.coefficients[c] * x;
      }
      const auto expected = posterior(std::span(joint).subspan(r * 3, 3)),
                 found = posterior(scores);
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_NEAR(found.probabilities[c], expected.probabilities[c], 1e-10) << what.name;
      }
    }
  }
  EXPECT_GE(checked, 9);
}

}  // namespace
}  // namespace credence::laws
