// SPDX-License-Identifier: Apache-2.0
// The computation of a posterior as one writes it by hand: the factors of every class, their
// product, the sum over the classes and the quotient.
#pragma once

#include <string>
#include <vector>

#include "credence/classifier.hpp"
#include "credence/parameters.hpp"

namespace credence {

struct Steps {
  // The prior comes first, then one factor for each value or word.
  struct Factor {
    std::string column;
    std::string value;  // "" for the prior
    double power = 1;   // the factor counts so many times: a word's count, a block's weight
    std::vector<Notation> symbols;  // "P(Sunny|Yes)", one per class
    std::vector<Working> workings;  // one per class, without the power
    std::vector<double> logs;       // one per class, with the power
    bool ignored = false;           // the model has never seen the value: it is no evidence
  };
  std::vector<std::string> classes;
  std::vector<Factor> factors;
  std::vector<double> log_products;  // log P(c) p(x | c)
  Posterior posterior;
};

// A name in LaTeX, with what would be read as a command escaped; and the same within a formula.
std::string latex_escaped(const std::string& text);
std::string latex_text(const std::string& text);

Steps steps(const Classifier& classifier, const Chunk& chunk, std::size_t row);

}  // namespace credence
