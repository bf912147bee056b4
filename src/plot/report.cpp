// SPDX-License-Identifier: Apache-2.0
#include "plot/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/strings.hpp"
#include "credence/error.hpp"
#include "measure/measures.hpp"
#include "plot/drawing/html.hpp"
#include "plot/judged.hpp"
#include "plot/plot.hpp"

namespace credence::plot {
namespace {

std::string number(double value) {
  if (std::isnan(value)) return "\u2013";
  if (std::isinf(value)) return value > 0 ? "\u221e" : "\u2212\u221e";
  return fmt::format("{:.6g}", value);
}

bool whole(double value) { return value == std::floor(value) && std::abs(value) < 1e15; }

std::string cell_text(const ParameterTable::Cell& cell) {
  if (cell.denominator > 0 && whole(cell.numerator) && whole(cell.denominator)) {
    return fmt::format("{}/{} = {:.4g}", format_number(cell.numerator),
                       format_number(cell.denominator), cell.value);
  }
  return number(cell.value);
}

class Report {
 public:
  Report(const Model& model, const std::vector<Chunk>& data, const ReportOptions& options)
      : model_(model),
        data_(data),
        options_(options),
        scorer_(model),
        slice_(model, ""),
        tables_(scorer_.tables()),
        many_(scorer_.classes().size() > most_classes) {}

  std::string page() {
    const auto& target = model_.schema().target;
    const std::string title =
        options_.title.empty() ? fmt::format("A model of {}", target) : options_.title;
    const std::string body = "<h1>" + escaped(title) + "</h1>\n" + facts() + quality() + prior() +
                             overview() + columns() + explanations();
    return html_page(title, body);
  }

 private:
  std::string picture(const std::string& svg, const std::string& caption) {
    return html_picture(svg, fmt::format("p{}", ++pictures_), caption);
  }

  std::string facts() const {
    const auto& settings = model_.settings();
    std::vector<std::vector<std::string>> rows{{"", ""}};
    rows.push_back({"target", model_.schema().target});
    rows.push_back({"classes", std::to_string(scorer_.classes().size())});
    rows.push_back({"columns", std::to_string(model_.schema().columns.size())});
    if (settings.hand_written) {
      rows.push_back({"source", "written by hand"});
    } else {
      rows.push_back({"rows learnt from", format_number(model_.rows())});
      rows.push_back({"estimation rule", to_string(settings.rule)});
      rows.push_back({"class prior", to_string(settings.prior)});
      rows.push_back({"free parameters", std::to_string(scorer_.parameters())});
      if (!std::isnan(scorer_.log_likelihood())) {
        rows.push_back({"log-likelihood of these rows", number(scorer_.log_likelihood())});
      }
    }
    rows.erase(rows.begin());
    std::string html = "<div class=\"wide\"><table>\n<tbody>\n";
    for (const auto& row : rows) {
      html += "<tr><th>" + escaped(row[0]) + "</th><td>" + escaped(row[1]) + "</td></tr>\n";
    }
    return html + "</tbody></table></div>\n";
  }

  std::string quality() {
    bool labelled = false;
    for (const auto& chunk : data_) {
      for (const auto code : chunk.labels.codes) labelled = labelled || code >= 0;
    }
    if (!labelled) return "";
    const Judged judged = judge_rows(scorer_, data_);
    const Metrics& metrics = judged.metrics;
    std::string html = "<h2>How good it is</h2>\n";
    html += fmt::format("<p class=\"note\">On the {} labelled rows of the data given.</p>\n",
                        format_number(metrics.rows));
    std::vector<std::vector<std::string>> rows{{"measure", "value", "95 % interval"}};
    for (const auto& measure : measures) {
      if (measure.value == &Metrics::average_precision) continue;
      rows.push_back({measure.name, number(metrics.*measure.value),
                      measure.interval ? to_text(metrics.*measure.interval) : ""});
    }
    rows.push_back({"rows without a label", number(metrics.undecided), ""});
    html += html_table(rows);
    constexpr std::size_t most = 40;
    if (metrics.labels.size() <= most) {
      html +=
          "<h3>Confusion matrix</h3>\n" + html_confusion(metrics.labels, metrics.confusion.table());
    }
    if (!std::isnan(metrics.roc_auc) && !many_) {
      html += picture(roc(judged, {}), "ROC of each class against the rest");
    }
    html += picture(reliability(judged, {}), "How often the most probable class is right");
    if (!std::isnan(metrics.reject_area)) {
      html += picture(reject(judged, {}), "Error where unsure rows get no label");
    }
    return html;
  }

  std::string prior() const {
    const bool counted = model_.settings().prior.kind == ClassPrior::Kind::empirical &&
                         !model_.settings().hand_written;
    const auto weights = model_.class_weights();
    double total = 0;
    for (const double weight : weights) total += weight;
    std::vector<std::vector<std::string>> rows{{model_.schema().target, "P"}};
    for (std::size_t c = 0; c < classes_shown(); ++c) {
      const ParameterTable::Cell cell{std::exp(scorer_.log_prior()[c]), weights[c],
                                      counted ? total : 0};
      rows.push_back({scorer_.classes()[c], cell_text(cell)});
    }
    return "<h2>Prior</h2>\n" + html_table(rows) + classes_left_out();
  }

  std::string overview() {
    if (many_) return "";
    const auto numeric = most_telling(model_);
    if (numeric.size() < 2) return "";
    const auto& columns = model_.schema().columns;
    const View view{columns[numeric[0]].name, columns[numeric[1]].name, ""};
    const std::string pair = view.x + " and " + view.y;
    return fmt::format(
               "<h2>{}</h2>\n<p class=\"note\">The two columns of numbers that set the "
               "classes farthest apart.</p>\n",
               escaped(pair)) +
           picture(density(model_, data_, view, {}), "Contours of the density of " + pair) +
           picture(boundary(model_, data_, view, {}), "The most probable class over " + pair);
  }

  // The first words of every list, a column each.
  static std::string word_lists(const ParameterTable& table) {
    constexpr std::size_t most = 10;
    std::string html;
    for (const auto& list : table.lists) {
      std::vector<std::vector<std::string>> rows{{list.title, ""}};
      for (std::size_t i = 0; i < std::min(most, list.words.size()); ++i) {
        rows.push_back({list.words[i].first, fmt::format("{:.4g}", list.words[i].second)});
      }
      html += html_table(rows);
    }
    return html;
  }

  std::string columns() {
    std::string html = "<h2>Columns</h2>\n";
    const std::size_t shown = std::min(options_.columns, tables_.size());
    for (std::size_t b = 0; b < shown; ++b) {
      const auto& table = tables_[b];
      const auto& block = model_.blocks()[b];
      html += "<section>\n<h3>" + escaped(table.title) + "</h3>\n<p class=\"note\">" +
              escaped(table.family);
      if (!table.remark.empty()) html += ": " + escaped(table.remark);
      html += "</p>\n" + parameters(table) + word_lists(table);
      for (const std::size_t column : block.columns) {
        if (table.rows.empty() || many_) break;
        if (is_numeric(model_, column) && !slice_.has_density(column)) continue;
        const View view{model_.schema().columns[column].name, "", ""};
        const bool words = !is_numeric(model_, column);
        const auto group = static_cast<double>(20 * scorer_.classes().size() + 16);
        const double height =
            words ? std::clamp(150 + group * static_cast<double>(table.rows.size()), 260.0, 640.0)
                  : 440;
        html += picture(feature(model_, data_, view, {Format::svg, 800, std::round(height), ""}),
                        "Density of " + view.x + " by class");
        if (words) break;  // a block of words has one picture
      }
      html += "</section>\n";
    }
    if (shown < tables_.size()) {
      html += fmt::format("<p class=\"note\">… and {} more columns.</p>\n", tables_.size() - shown);
    }
    return html;
  }

  std::string parameters(const ParameterTable& table) const {
    if (table.rows.empty()) return "";
    constexpr std::size_t most = 25;
    std::vector<std::vector<std::string>> rows{{""}};
    for (std::size_t c = 0; c < classes_shown(); ++c) rows[0].push_back(scorer_.classes()[c]);
    for (std::size_t i = 0; i < std::min(most, table.rows.size()); ++i) {
      rows.push_back({table.rows[i].label()});
      for (std::size_t c = 0; c < classes_shown(); ++c) {
        rows.back().push_back(cell_text(table.rows[i].cells[c]));
      }
    }
    std::string html = html_table(rows) + classes_left_out();
    if (table.rows.size() > most) {
      html += fmt::format("<p class=\"note\">… and {} more rows.</p>\n", table.rows.size() - most);
    }
    return html;
  }

  // What has something of its own for every class is drawn and listed where one can see it.
  std::size_t classes_shown() const { return many_ ? most_classes : scorer_.classes().size(); }
  std::string classes_left_out() const {
    if (!many_) return "";
    return fmt::format("<p class=\"note\">… and {} more classes.</p>\n",
                       scorer_.classes().size() - most_classes);
  }

  std::string explanations() {
    std::string html;
    std::size_t row = 0;
    for (const auto& chunk : data_) {
      for (std::size_t r = 0; r < chunk.rows && row < options_.explained; ++r) {
        const auto why = scorer_.explain(chunk, r);
        html += fmt::format("<h3>Row {}</h3>\n", ++row);
        if (why.posterior.undecidable()) {
          html +=
              "<p>Undecidable, every class has probability 0: " + escaped(why.undecidable_because) +
              "</p>\n";
          continue;
        }
        const auto bars = static_cast<double>(std::min<std::size_t>(why.lines.size(), 21) + 1);
        html += picture(evidence(why, scorer_.classes(),
                                 {Format::svg, 800, std::max(240.0, 130 + 30 * bars), ""}),
                        fmt::format("Evidence of row {}", row));
      }
    }
    return html.empty() ? "" : "<h2>Why: the first rows of the data</h2>\n" + html;
  }

  const Model& model_;
  const std::vector<Chunk>& data_;
  const ReportOptions& options_;
  Scorer scorer_;
  Slice slice_;
  std::vector<ParameterTable> tables_;
  bool many_;  // classes, more than fit a picture
  std::size_t pictures_ = 0;
};

}  // namespace

std::vector<std::size_t> most_telling(const Model& model) {
  auto numeric = numeric_columns(model);
  if (numeric.size() < 2) return numeric;
  const Slice slice(model, "");
  std::erase_if(numeric, [&](std::size_t column) { return !slice.has_density(column); });
  std::vector<std::pair<double, std::size_t>> order;
  for (const std::size_t column : numeric) {
    double mean = 0, square = 0, spread = 0;
    const auto classes = static_cast<double>(slice.classes().size());
    for (std::size_t c = 0; c < slice.classes().size(); ++c) {
      const auto middle = slice.middle_of_class(column, c);
      const double median = (middle.low + middle.high) / 2;
      mean += median / classes;
      square += median * median / classes;
      spread += middle.width() / classes;
    }
    const double apart = std::sqrt(std::max(0.0, square - mean * mean));
    order.emplace_back(spread > 0 ? -apart / spread : 0.0, column);
  }
  std::stable_sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) numeric[i] = order[i].second;
  return numeric;
}

std::string report(const Model& model, const std::vector<Chunk>& data,
                   const ReportOptions& options) {
  return Report(model, data, options).page();
}

}  // namespace credence::plot
