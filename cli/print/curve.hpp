// SPDX-License-Identifier: Apache-2.0
// Learning curves of several models on the same rows: of compare, and a picture of plot.
#pragma once

#include "cli/options/plan.hpp"
#include "plot/drawing/canvas.hpp"
#include "twin/compare.hpp"

namespace credence::cli {

// "naive,logistic,lda,qda": each as a contender on the planned columns.
std::vector<Contender> contenders(const std::string& models, const PlanOptions& options,
                                  const Planned& planned);

// What a curve is about: the mean over the repeats, by training rows.
extern const std::vector<std::string> curve_measures;
std::string curve_chart(const std::string& target, const std::string& measure,
                        const std::vector<Contender>& models, const std::vector<CurvePoint>& curve,
                        const plot::Look& look);

CLI::Validator penalty_number();

}  // namespace credence::cli
