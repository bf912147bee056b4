// SPDX-License-Identifier: Apache-2.0
// What a row makes of any prior: the posterior of each class by its own prior, the other classes
// keeping their shares of the rest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log_math.hpp"
#include "core/strings.hpp"
#include "credence/error.hpp"
#include "plot/drawing/figure.hpp"
#include "plot/plot.hpp"
#include "plot/rows.hpp"

namespace credence::plot {
namespace {

// log of p(row | c) over p(row | not c), the others mixed as the model's prior has them.
std::vector<double> log_factors(const Scorer& scorer, const Chunk& row) {
  const auto likelihood = scorer.log_likelihoods(row);
  const auto& prior = scorer.log_prior();
  std::vector<double> result;
  for (std::size_t c = 0; c < likelihood.size(); ++c) {
    std::vector<double> joint, weights;
    for (std::size_t k = 0; k < likelihood.size(); ++k) {
      if (k == c) continue;
      joint.push_back(prior[k] + likelihood[k]);
      weights.push_back(prior[k]);
    }
    result.push_back(likelihood[c] - (log_sum_exp(joint) - log_sum_exp(weights)));
  }
  return result;
}

double posterior_at(double prior, double log_factor) {
  if (prior <= 0 || prior >= 1) return prior;
  return 1 / (1 + (1 - prior) / prior * std::exp(-log_factor));
}

}  // namespace

std::string against_prior(const Model& model, const Chunk& row, const Look& look) {
  const Scorer scorer(model);
  const auto& classes = scorer.classes();
  const auto& target = model.schema().target;
  const auto factors = log_factors(scorer, row);
  if (classes.size() < 2 || std::any_of(factors.begin(), factors.end(),
                                        [](double factor) { return std::isnan(factor); })) {
    throw Error(ErrorKind::data,
                "prior: no class, or only one, allows the row: there is nothing to weigh");
  }
  std::vector<double> own;
  for (const double log_prior : scorer.log_prior()) own.push_back(std::exp(log_prior));
  const double least = *std::min_element(own.begin(), own.end());
  // A rare class would sit on the axis.
  const bool log = least > 0 && least < 0.05;
  const Range range = log ? Range{least / 10, 1} : Range{0, 1};
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < classes.size() && c < 6; ++c) {
    parts.push_back(
        fmt::format("P({}) {:.4g} → {:.4g}", classes[c], own[c], posterior_at(own[c], factors[c])));
  }
  parts.push_back("points: the model's own prior");
  parts.push_back("dashed: a row that says nothing");
  Figure figure(look, fmt::format("P({} | the row) by P({})", target, target), join(parts, "; "));
  auto& canvas = figure.canvas();
  figure.add_legend(target, class_legend(classes, LegendEntry::Kind::line_with_marker));
  Axes axes(canvas, figure.area(), {"prior probability of the class", range, false, log, {}, false},
            {"posterior probability", {0, 1}, false, false, {}, false});
  axes.draw_grid();
  canvas.clip(axes.box());
  const auto places = spaced(log ? Range{std::log(range.low), 0} : range, 400);
  const auto curve = [&](double factor) {
    std::vector<Point> line;
    for (const double place : places) {
      const double prior = log ? std::exp(place) : place;
      line.push_back({prior, posterior_at(prior, factor)});
    }
    return axes.at(line);
  };
  canvas.stroke(curve(0), {faint_ink, 1.2, {5, 4}});
  for (std::size_t c = 0; c < classes.size(); ++c)
    canvas.stroke(curve(factors[c]), class_stroke(c, 2.2));
  canvas.unclip();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    canvas.marker(axes.at(std::max(range.low, own[c]), posterior_at(own[c], factors[c])),
                  class_marker(c), 5, class_color(c));
  }
  axes.draw_frame();
  return canvas.finish();
}

}  // namespace credence::plot
