// SPDX-License-Identifier: Apache-2.0
// When classes are as they were but come in other shares: the shares, from rows without labels.
#pragma once

#include <string>
#include <vector>

#include "credence/model.hpp"
#include "credence/scorer.hpp"

namespace credence {

struct AdaptedPrior {
  ClassPrior prior;            // kind given, one share per class
  std::vector<double> before;  // P(c) of the model, in the order of its classes
  std::vector<double> after;
  double rows = 0;               // those that some class allows
  double impossible = 0;         // those that none does: left out
  double evidence_before = 0;    // log p of the rows under the model's own prior
  std::vector<double> evidence;  // the same after each step, from equal shares on: it never falls
  bool converged = false;
};

// Expectation-maximisation over the class shares alone (Saerens, Latinne & Decaestecker, 2002),
// whatever the model's prior is. The source must have been selected with the model's schema; its
// labels, if any, are not looked at.
AdaptedPrior adapt_prior(const Model& model, Source& source, unsigned threads = 0,
                         const Progress& progress = {});

}  // namespace credence
