// SPDX-License-Identifier: Apache-2.0
#include "answers/metrics.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "measure/measures.hpp"

namespace credence {
namespace {

// Beyond this many classes a square table is too large to print; only its cells are.
constexpr std::size_t most_in_json = 1000;

Json confusion_json(const Metrics& metrics) {
  Json json{{"labels", metrics.labels}};
  if (metrics.labels.size() > most_in_json) {
    json["cells"] = Json::array();
    for (const auto& cell : metrics.confusion.cells()) {
      json["cells"].push_back(Json::array({cell.truth, cell.prediction, count(cell.weight)}));
    }
    return json;
  }
  json["counts"] = Json::array();
  for (const auto& row : metrics.confusion.table()) {
    json["counts"].push_back(Json::array());
    for (const double value : row) json["counts"].back().push_back(count(value));
  }
  return json;
}

Json class_json(const std::string& label, const ClassMetrics& cls, bool intervals) {
  Json json{{"label", label},
            {"support", count(cls.support)},
            {"no_label", count(cls.no_label)},
            {"precision", number(cls.precision)},
            {"recall", number(cls.recall)},
            {"f1", number(cls.f1)},
            {"roc_auc", number(cls.roc_auc)},
            {"average_precision", number(cls.average_precision)}};
  if (!intervals) return json;
  json["intervals"] = {{"precision", interval_json(cls.precision_interval)},
                       {"recall", interval_json(cls.recall_interval)},
                       {"f1", interval_json(cls.f1_interval)},
                       {"roc_auc", interval_json(cls.roc_auc_interval)},
                       {"average_precision", interval_json(cls.average_precision_interval)}};
  return json;
}

}  // namespace

Baseline baseline_of(const std::vector<std::string>& labels, const std::vector<double>& weights) {
  Baseline result;
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t c = 0; c < weights.size(); ++c) {
    const double share = weights[c] / all;
    if (!(share > 0)) continue;
    result.log_loss -= share * std::log(share);
    if (share <= result.accuracy) continue;
    result.accuracy = share;
    result.label = labels[c];
  }
  return result;
}

Baseline baseline_of(const Metrics& metrics) {
  std::vector<double> weights;
  for (const auto& cls : metrics.classes) weights.push_back(cls.support);
  return baseline_of(metrics.labels, weights);
}

Json to_json(const Metrics& metrics) {
  Json json{{"rows", count(metrics.rows)},
            {"accuracy", metrics.accuracy},
            {"log_loss", number(metrics.log_loss)},
            {"brier", metrics.brier},
            {"ece", metrics.ece},
            {"undecided", count(metrics.undecided)},
            {"impossible", count(metrics.impossible)},
            {"confusion", confusion_json(metrics)},
            {"balanced_accuracy", number(metrics.balanced_accuracy)},
            {"macro_f1", number(metrics.macro_f1)},
            {"mcc", number(metrics.mcc)},
            {"roc_auc", number(metrics.roc_auc)},
            {"average_precision", number(metrics.average_precision)}};
  if (metrics.roc_auc_error > 0) json["roc_auc_error"] = metrics.roc_auc_error;
  const auto baseline = baseline_of(metrics);
  json["baseline"] = {{"class", baseline.label},
                      {"accuracy", number(baseline.accuracy)},
                      {"log_loss", number(baseline.log_loss)}};
  if (!std::isnan(metrics.mean_cost)) {
    json["mean_cost"] = number(metrics.mean_cost);
    json["expected_cost"] = number(metrics.expected_cost);
  }
  json["classes"] = Json::array();
  for (std::size_t c = 0; c < metrics.classes.size(); ++c) {
    json["classes"].push_back(
        class_json(metrics.labels[c], metrics.classes[c], metrics.confidence > 0));
  }
  Json points = Json::array();
  for (const auto& point : metrics.reject) {
    points.push_back({{"threshold", point.threshold},
                      {"coverage", point.coverage},
                      {"error", number(point.error)}});
  }
  json["reject"] = {{"area", number(metrics.reject_area)}, {"points", std::move(points)}};
  if (metrics.confidence > 0) {
    json["intervals"] = {{"confidence", metrics.confidence}};
    for (const auto& measure : measures) {
      if (!measure.interval) continue;
      json["intervals"][measure.key] = interval_json(metrics.*measure.interval);
    }
    if (!std::isnan(metrics.mean_cost)) {
      json["intervals"]["mean_cost"] = interval_json(metrics.mean_cost_interval);
    }
  }
  return json;
}

Spread spread_of(const std::vector<Metrics>& repeats, double Metrics::*member) {
  Spread result;
  const auto count = static_cast<double>(repeats.size());
  for (const auto& one : repeats) result.mean += one.*member / count;
  double squares = 0;
  for (const auto& one : repeats) {
    squares += (one.*member - result.mean) * (one.*member - result.mean);
  }
  result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

namespace {

Json repeats_json(const CrossValidation& result) {
  Json json{{"count", result.repeats.size()}};
  for (const auto& measure : measures) {
    const auto spread = spread_of(result.repeats, measure.value);
    json[measure.key] = {{"mean", number(spread.mean)},
                         {"deviation", number(spread.deviation)},
                         {"values", Json::array()}};
    for (const auto& one : result.repeats) {
      json[measure.key]["values"].push_back(number(one.*measure.value));
    }
  }
  return json;
}

}  // namespace

Json to_json(const CrossValidation& result) {
  Json json = to_json(result.all);
  if (!result.folds.empty()) {
    json["fold_accuracy"] = result.fold_accuracy;
    json["folds"] = Json::array();
    for (const auto& fold : result.folds) {
      Json one{{"rows", count(fold.rows)}};
      for (const auto& measure : measures) {
        if (!measure.ranks) one[measure.key] = number(fold.*measure.value);
      }
      json["folds"].push_back(std::move(one));
    }
  }
  if (!result.repeats.empty()) json["repeats"] = repeats_json(result);
  return json;
}

}  // namespace credence
