// SPDX-License-Identifier: Apache-2.0
// Expectation-maximisation from one place to the top of its hill.
#pragma once

#include <optional>

#include "core/log_math.hpp"
#include "families/mixture/mixture_expectation.hpp"

namespace credence {

// What is climbed: the rows' log-likelihood with the log prior.
struct Hill {
  const Expectation& expectation;
  const MixturePrior& prior;
  bool diagonal;
  bool spikes = false;  // are maxima like others: a floor bounds their height
};

// When a climb is over: after so many steps, or when the objective gains less than `gain` of itself
// and nothing is further than `move` from where it will end.
struct Patience {
  int steps;
  double gain;
  double move;
};

struct Climb {
  MixtureFit fit;
  double objective = -infinity;
  bool spiked = false;  // ends in a component that is narrow because it has few rows
};

// None: a covariance became singular on the way.
std::optional<Climb> climb(const Hill& hill, MixtureComponents components,
                           const Patience& patience);

// Goes on where a climb ended; false, and all as it was, when a covariance becomes singular.
bool climb_on(const Hill& hill, const Patience& patience, Climb& from);

// Whether `a` is to be preferred: none is worst, and a spike is no merit however high it is.
bool higher(const std::optional<Climb>& a, const std::optional<Climb>& b);

// Equally high climbs have most likely found the same maximum.
bool among(const std::vector<double>& heights, double height);

// One component with the share, the mean and the covariance that two have together.
MixtureComponent merged(const MixtureComponent& a, const MixtureComponent& b);

}  // namespace credence
