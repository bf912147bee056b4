// SPDX-License-Identifier: Apache-2.0
#include "cli/print/curve.hpp"

#include <algorithm>

#include "core/strings.hpp"
#include "plot/drawing/lines.hpp"

namespace credence::cli {
namespace {

const std::vector<std::string> model_names = {"naive", "logistic", "lda", "qda"};

// The model of that name on the planned columns, before any row. The twin of naive is on the same
// columns as naive itself.
Model plan_for(const std::string& name, const PlanOptions& options, const Planned& planned) {
  if (name == "naive" || name == "logistic") return planned.model;
  Plan plan = options.complete();
  plan.model = name;
  return plan_model(planned.profile, plan);
}

}  // namespace

std::vector<Contender> contenders(const std::string& models, const PlanOptions& options,
                                  const Planned& planned) {
  std::vector<Contender> result;
  for (const auto& name : split(models, ',')) {
    if (std::find(model_names.begin(), model_names.end(), name) == model_names.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("--models: not a model: \"{}\"{}; choose from {}", name,
                              suggestion(name, model_names), join(model_names, ", ")));
    }
    for (const auto& other : result) {
      if (other.name != name) continue;
      throw Error(ErrorKind::usage, fmt::format("--models: \"{}\" stands twice", name));
    }
    result.push_back({name, plan_for(name, options, planned), name == "logistic"});
  }
  return result;
}

const std::vector<std::string> curve_measures = {"log-loss", "accuracy"};

std::string curve_chart(const std::string& target, const std::string& measure,
                        const std::vector<Contender>& models, const std::vector<CurvePoint>& curve,
                        const plot::Look& look) {
  const bool loss = measure == "log-loss";
  std::vector<plot::Series> series;
  for (std::size_t k = 0; k < models.size(); ++k) {
    series.push_back({models[k].name, {}, {}});
    for (const auto& point : curve) {
      const auto member = loss ? &Figures::log_loss : &Figures::accuracy;
      series.back().x.push_back(static_cast<double>(point.rows));
      series.back().y.push_back(point.mean[k].*member);
      series.back().error.push_back(point.error[k].*member);
    }
  }
  return plot::line_chart(look, target + ": learning curves",
                          "bars: one standard error of the mean over random splits",
                          "training rows", measure + " on held-out rows", series, true);
}

CLI::Validator penalty_number() {
  return {[](std::string& text) -> std::string {
            const auto value = to_number(text);
            if (value && *value >= 0) return "";
            return fmt::format("\"{}\" is not a number from 0 on", text);
          },
          ""};
}

}  // namespace credence::cli
