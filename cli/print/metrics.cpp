// SPDX-License-Identifier: Apache-2.0
#include "cli/print/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/strings.hpp"
#include "measure/measures.hpp"

namespace credence::cli {
namespace {

using TextRows = std::vector<std::vector<std::string>>;

std::string shown(double value) { return std::isnan(value) ? "-" : six_digits(value); }

std::string class_table(const Metrics& metrics) {
  std::vector<std::size_t> order(metrics.labels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  constexpr std::size_t most = 60, shown_of_many = 30;
  std::string text;
  if (order.size() > most) {
    const auto rank = [&](std::size_t c) {
      return std::isnan(metrics.classes[c].f1) ? 2 : metrics.classes[c].f1;
    };
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return rank(a) < rank(b); });
    order.resize(shown_of_many);
    text = fmt::format("the {} classes of {} with the lowest F1 (all: --json)\n", shown_of_many,
                       metrics.labels.size());
  }
  TextRows rows(1, {"class", "rows", "precision", "recall", "F1", "ROC-AUC", "average precision"});
  for (const auto c : order) {
    const auto& cls = metrics.classes[c];
    rows.push_back({metrics.labels[c], format_number(cls.support), shown(cls.precision),
                    shown(cls.recall), shown(cls.f1), shown(cls.roc_auc),
                    shown(cls.average_precision)});
  }
  return text + aligned(rows, 0);
}

std::string reject_table(const Metrics& metrics) {
  TextRows rows(1, {"no label below", "answered", "error of these"});
  double before = -1;
  for (const auto& point : metrics.reject) {
    if (point.coverage == before || point.coverage == 0) continue;
    before = point.coverage;
    rows.push_back({format_number(point.threshold), shown(point.coverage), shown(point.error)});
  }
  return aligned(rows, 0) +
         fmt::format("area under error over answered: {}\n", shown(metrics.reject_area));
}

std::string confusion_table(const Metrics& metrics) {
  constexpr std::size_t most = 30, widest = 100;
  const auto& labels = metrics.labels;
  if (labels.size() > most) {
    return fmt::format("confusion table of {} classes: --json\n", labels.size());
  }
  std::size_t width = 0;
  for (const auto& label : labels) width += 2 + shown_width(label);
  // Names too long to stand side by side are numbered.
  const bool numbered = width > widest;
  TextRows rows(1, {"truth \\ prediction"});
  const auto table = metrics.confusion.table();
  for (std::size_t i = 0; i < labels.size(); ++i) {
    rows[0].push_back(numbered ? std::to_string(i + 1) : labels[i]);
    rows.push_back({numbered ? fmt::format("{:>2} {}", i + 1, labels[i]) : labels[i]});
    for (const double count : table[i]) rows.back().push_back(format_number(count));
  }
  const auto& classes = metrics.classes;
  const auto unanswered = [](const ClassMetrics& cls) { return cls.no_label > 0; };
  if (std::any_of(classes.begin(), classes.end(), unanswered)) {
    rows[0].emplace_back("(none)");
    for (std::size_t i = 0; i < labels.size(); ++i) {
      rows[i + 1].push_back(format_number(classes[i].no_label));
    }
  }
  return aligned(rows, 0);
}

}  // namespace

void note_too_sure(const Common& common, const Metrics& metrics) {
  constexpr double enough = 10;  // of fewer rows nothing can be said
  const double least = baseline_of(metrics).log_loss;
  const bool worse = metrics.log_loss > 1.5 * least && metrics.log_loss > least + 0.2;
  if (metrics.rows < enough || least == 0 || !std::isfinite(metrics.log_loss) || !worse) return;
  note(common,
       "log-loss {} is far above {}, that of the classes' shares alone: the probabilities are far "
       "too sure (credence tune or credence calibrate helps)",
       six_digits(metrics.log_loss), six_digits(least));
}

void add_confidence(CLI::App* command, double& confidence) {
  command
      ->add_option("--confidence", confidence,
                   "Of the intervals (default: 0.95); docs/judge.md says how they are made")
      ->check(CLI::Validator(
          [](std::string& text) -> std::string {
            const auto value = to_number(text);
            if (value && *value > 0 && *value < 1) return "";
            return fmt::format("\"{}\" is not a probability between 0 and 1", text);
          },
          ""));
}

std::string baseline_line(const Baseline& baseline) {
  return fmt::format(
      "baseline: \"{}\" for every row is right in {}, the classes' shares have a log loss of {}\n",
      baseline.label, six_digits(baseline.accuracy), six_digits(baseline.log_loss));
}

std::string to_text(const Metrics& metrics) {
  TextRows rows;
  rows.push_back({"rows", format_number(metrics.rows),
                  fmt::format("{:g} % interval", 100 * metrics.confidence)});
  const auto line = [&](const std::string& name, double value, const Interval& interval) {
    rows.push_back({name, shown(value), credence::to_text(interval)});
  };
  for (const auto& measure : measures) {
    line(measure.name, metrics.*measure.value,
         measure.interval ? metrics.*measure.interval : Interval{});
  }
  if (!std::isnan(metrics.mean_cost)) {
    line("mean cost", metrics.mean_cost, metrics.mean_cost_interval);
    line("expected cost", metrics.expected_cost, {});
  }
  std::string text = aligned(rows, 0);
  text += baseline_line(baseline_of(metrics));
  if (metrics.roc_auc_error > 0) {
    text += fmt::format("the ROC-AUC is from scores in bins: at most {:.2g} off\n",
                        metrics.roc_auc_error);
  }
  if (metrics.undecided > 0) {
    text += fmt::format("undecided rows: {}\n", format_number(metrics.undecided));
  }
  if (metrics.impossible > 0) {
    text += fmt::format("rows whose true class got probability 0: {}\n",
                        format_number(metrics.impossible));
  }
  return text + "\n" + class_table(metrics) + "\n" + confusion_table(metrics) + "\n" +
         reject_table(metrics);
}

}  // namespace credence::cli
