// SPDX-License-Identifier: Apache-2.0
// The likelihood of one parameter of one column, as plot draws it.
#pragma once

#include "cli/options/common.hpp"
#include "plot/plot.hpp"

namespace credence::cli {

struct LikelihoodOptions {
  std::string column;
  std::string as;       // binomial, poisson or gaussian
  std::string success;  // binomial: the value that counts
};

plot::Likelihood likelihood_of_column(const LikelihoodOptions& options, const DataOptions& data,
                                      const Common& common);

}  // namespace credence::cli
