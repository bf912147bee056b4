// SPDX-License-Identifier: Apache-2.0
// The pictures of a model. Each function returns the bytes of a file. docs/plot.md
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "credence/interval.hpp"
#include "credence/model.hpp"
#include "credence/scorer.hpp"
#include "plot/drawing/canvas.hpp"
#include "plot/slice.hpp"

namespace credence::plot {

// Contours of p(x, y | c), all classes together, the rows of `data` above them.
std::string density(const Model& model, const std::vector<Chunk>& data, const View& view,
                    const Look& look);
// Filled contours of P(c | x, y), a panel per class; curves where there is one column of numbers,
// shaded tables of two columns of words.
std::string posterior(const Model& model, const std::vector<Chunk>& data, const View& view,
                      const Look& look);
// The same of a classifier that has no densities; it needs data to know how far its columns reach.
std::string posterior(const Classifier& classifier, const std::vector<Chunk>& data,
                      const View& view, const Look& look);
// P(c | x) along one column of numbers.
std::string posterior_along(const Model& model, const std::vector<Chunk>& data, const View& view,
                            const Look& look);
// What is decided where: the most probable class, or that of least cost.
std::string boundary(const Model& model, const std::vector<Chunk>& data, const View& view,
                     const Look& look);
std::string boundary(const Classifier& classifier, const std::vector<Chunk>& data, const View& view,
                     const Look& look);
// p(x | c) of one column: curves, or bars for words.
std::string feature(const Model& model, const std::vector<Chunk>& data, const View& view,
                    const Look& look);
// p(x | c) P(c) of one column of numbers, with the Bayes error.
std::string joint(const Model& model, const std::vector<Chunk>& data, const View& view,
                  const Look& look);
// The posterior of a row by what its classes' priors are.
std::string against_prior(const Model& model, const Chunk& row, const Look& look);
// Rows as points, two columns of numbers; and as counts, two columns of words, of which either may
// be the target.
std::string scatter(const Schema& schema, const std::vector<Chunk>& data, const View& view,
                    const Look& look);
std::string heat(const Schema& schema, const std::vector<Chunk>& data, const View& view,
                 const Look& look);
// The rows in the first two discriminant coordinates; curves where there is only one.
std::string coordinates(const Model& model, const std::vector<Chunk>& data, const Look& look);
// Which column depends on which, where pairs were counted.
std::string structure(const Model& model, const Look& look);
// Why a row is of its class: bars that sum to the log-odds. `between`: where the log-odds lie, as
// far as the rows behind the model say; drawn beside their sum.
std::string evidence(const Explanation& why, const std::vector<std::string>& classes,
                     const Look& look, const std::optional<Interval>& between = std::nullopt);

// A likelihood as a function of one parameter.
struct Likelihood {
  std::string title, subtitle;
  std::string parameter;  // names the axis
  Range range;
  double best = 0;                               // where it is largest
  std::function<double(double)> log_likelihood;  // -inf where the data are impossible
};
std::string likelihood(const Likelihood& likelihood, const Look& look);

}  // namespace credence::plot
