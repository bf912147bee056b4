// SPDX-License-Identifier: Apache-2.0
#include "plot/report/quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "credence/hold_out.hpp"
#include "credence/io.hpp"
#include "measure/measures.hpp"
#include "plot/judged/judged.hpp"

namespace credence::plot {
namespace {

bool any_label(const std::vector<Chunk>& data) {
  return std::any_of(data.begin(), data.end(), [](const Chunk& chunk) {
    return std::any_of(chunk.labels.codes.begin(), chunk.labels.codes.end(),
                       [](auto code) { return code >= 0; });
  });
}

// Whether the model has learnt these rows and no others: rows that are learnt anew then lead to the
// same state.
bool learnt_from(const Model& model, const std::vector<Chunk>& data) {
  if (model.settings().hand_written || model.decayed()) return false;
  double rows = 0;
  for (const auto& chunk : data) {
    rows += static_cast<double>(std::count_if(chunk.labels.codes.begin(), chunk.labels.codes.end(),
                                              [](auto code) { return code >= 0; }));
  }
  if (rows != model.rows()) return false;
  try {
    Model again = model.empty();
    for (const auto& chunk : data) again.observe(chunk);
    return fingerprint(again) == fingerprint(model.without_history());
  } catch (const Error&) {
    return false;  // these rows cannot be learnt as they are
  }
}

// The same measures of rows held out, where that takes a moment.
std::optional<Metrics> held_out(const Model& model, const std::vector<Chunk>& data) {
  double cells = 0;
  for (const auto& chunk : data) {
    cells += static_cast<double>(chunk.rows) * static_cast<double>(model.classes().size());
  }
  if (cells > 1e7) return std::nullopt;
  try {
    Folds folds;
    folds.at_most = true;
    return cross_validate(model.empty(), data, folds).all;
  } catch (const Error&) {
    return std::nullopt;  // too few rows of a class
  }
}

double most_frequent(const Metrics& metrics) {
  double most = 0;
  for (const auto& cls : metrics.classes) most = std::max(most, cls.support);
  return metrics.rows > 0 ? most / metrics.rows : 0;
}

std::string measures_table(const Metrics& metrics, const std::optional<Metrics>& held) {
  std::vector<std::vector<std::string>> rows{{"measure", "value", "95 % interval"}};
  if (held) rows[0] = {"measure", "on these rows", "95 % interval", "held out (10 folds)"};
  const auto add = [&](const std::string& name, double value, const std::string& interval,
                       double other) {
    rows.push_back({name, html_number(value), interval});
    if (held) rows.back().push_back(html_number(other));
  };
  for (const auto& measure : measures) {
    if (measure.value == &Metrics::average_precision) continue;
    add(measure.name, metrics.*measure.value,
        measure.interval ? to_text(metrics.*measure.interval) : "",
        held ? (*held).*measure.value : 0);
    if (measure.value != &Metrics::accuracy) continue;
    add("accuracy of always the most frequent class", most_frequent(metrics), "",
        held ? most_frequent(*held) : 0);
  }
  add("rows without a label", metrics.undecided, "", held ? held->undecided : 0);
  return html_table(rows);
}

// Classes, the worst first: with many of them nobody reads on.
std::string class_table(const Metrics& metrics) {
  constexpr std::size_t most = 500;
  std::vector<std::size_t> order;
  for (std::size_t c = 0; c < metrics.labels.size(); ++c) {
    if (metrics.classes[c].support > 0) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return metrics.classes[a].f1 < metrics.classes[b].f1;
  });
  std::vector<std::vector<std::string>> rows{
      {"class", "rows", "precision", "recall", "F1", "ROC-AUC"}};
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i) {
    const auto& cls = metrics.classes[order[i]];
    rows.push_back({metrics.labels[order[i]], html_number(cls.support)});
    for (const double value : {cls.precision, cls.recall, cls.f1, cls.roc_auc}) {
      rows.back().push_back(std::isnan(value) ? "–" : fmt::format("{:.4f}", value));
    }
  }
  return "<h3>Classes, the worst first</h3>\n" + html_table(rows, true) +
         html_left_out(order.size(), most, "classes");
}

// What is taken for what, the most frequent first.
std::string confusions(const Metrics& metrics) {
  constexpr std::size_t most = 25;
  auto taken = metrics.confusion.cells();
  std::erase_if(taken, [](const auto& cell) { return cell.truth == cell.prediction; });
  std::stable_sort(taken.begin(), taken.end(),
                   [](const auto& a, const auto& b) { return a.weight > b.weight; });
  std::vector<std::vector<std::string>> rows{{"class", "taken for", "rows", "of the class"}};
  for (std::size_t i = 0; i < std::min(most, taken.size()); ++i) {
    const auto& [truth, prediction, count] = taken[i];
    rows.push_back({metrics.labels[truth], metrics.labels[prediction], html_number(count),
                    fmt::format("{:.1f} %", 100 * count / metrics.classes[truth].support)});
  }
  return "<h3>What is taken for what most often</h3>\n" + html_table(rows) +
         html_left_out(taken.size(), most, "pairs");
}

}  // namespace

std::string html_number(double value) {
  if (std::isnan(value)) return "\u2013";
  if (std::isinf(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  return fmt::format("{:.6g}", value);
}

std::string html_quality(const Model& model, const Scorer& scorer, const std::vector<Chunk>& data,
                         Pictures& pictures) {
  if (!any_label(data)) return "";
  const Judged judged = judge_rows(scorer, data);
  const Metrics& metrics = judged.metrics;
  const bool known = learnt_from(model, data);
  const auto held = known ? held_out(model, data) : std::nullopt;
  std::string html = "<h2>How good it is</h2>\n";
  html += fmt::format("<p class=\"note\">On the {} labelled rows of the data given.</p>\n",
                      format_number(metrics.rows));
  if (known) {
    html += fmt::format(
        "<p class=\"warning\">These are the rows that the model was learnt from: it has seen their "
        "classes, and new rows will be judged worse{}</p>\n",
        held ? ", as the last column says, where each row is judged by a model of the others."
             : ".");
  }
  html += measures_table(metrics, held);
  constexpr std::size_t most = 40, few = 8;
  if (metrics.labels.size() > 2) html += class_table(metrics);
  if (metrics.labels.size() <= most) {
    html +=
        "<h3>Confusion matrix</h3>\n" + html_confusion(metrics.labels, metrics.confusion.table());
  }
  if (metrics.labels.size() > few) html += confusions(metrics);
  if (!std::isnan(metrics.roc_auc) && judged.classes <= most_classes) {
    html += pictures.add(roc(judged, {}), "ROC of each class against the rest");
  }
  html += pictures.add(reliability(judged, {}), "How often the most probable class is right");
  if (!std::isnan(metrics.reject_area)) {
    html += pictures.add(reject(judged, {}), "Error where unsure rows get no label");
  }
  return html;
}

}  // namespace credence::plot
